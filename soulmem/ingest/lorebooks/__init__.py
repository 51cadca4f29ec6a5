"""Lorebooks: what a world holds, by entries with the words that call them up; of several programs, alone or inside a card."""

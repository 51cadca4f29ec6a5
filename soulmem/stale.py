"""Texts that were changed past soulmem (``soulmem cypher --write``), so that they are found by words they no longer have."""

from __future__ import annotations

from collections.abc import Mapping

from soulmem.indexing import message_words
from soulmem.model.notes import searched_text
from soulmem.recall.gaps import is_changed_past_soulmem
from soulmem.store.contract import Store, all_notes
from soulmem.text.tokens import term_counts


def stale_terms(store: Store) -> dict[str, Mapping[str, int]]:
    """Note or message id → the words of its text, for those whose recorded words are others.

    Nothing is looked at unless the journal has a statement of the user's own since all was indexed last.
    """
    if not is_changed_past_soulmem(store):
        return {}
    recorded: dict[str, dict[str, int]] = {}
    for row in store.query("store.all_occurs"):
        recorded.setdefault(row["id"], {})[row["text"]] = row["tf"]
    return {owner: terms for owner, terms in _terms(store).items() if dict(terms) != recorded.get(owner, {})}


def _terms(store: Store) -> dict[str, Mapping[str, int]]:
    notes = all_notes(store)
    said = store.messages([row["id"] for row in store.query("store.all_messages") if not row["hidden"]])
    terms: dict[str, Mapping[str, int]] = {note.id: term_counts(searched_text(note)) for note in notes}
    terms.update((message.id, term_counts(message_words(message))) for message in said)
    return terms

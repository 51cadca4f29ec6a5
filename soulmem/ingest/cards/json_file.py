"""Character cards in JSON: V1, V2, V3, TavernAI, Pygmalion, Agnai and Backyard AI."""

from __future__ import annotations

from datetime import datetime

from soulmem.ingest.cards.card import card_of, is_card
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.cards.payload import json_of
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like a card."""
    text = head(data)
    opening, names = first_names(text)
    if opening != "{" or '"lorebook_v3"' in text[:2000]:
        return 0.0
    if is_card(set(names)) or '"chara_card_v' in text[:2000]:
        return 1.0
    return 0.8 if names[-1:] == ("data",) and '"first_mes"' in text else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What a card leaves in a mind.

    :raises FormatError: it is none, or broken."""
    value, problems = json_of(data)
    return document_of(card_of(value), at, FORMAT.name, problems)


FORMAT = Format("card-json", "character card V1, V2, V3, TavernAI, Pygmalion, Agnai or Backyard AI (.json)", sniff, read)

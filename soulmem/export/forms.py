"""What a mind can be written out as, beside Graph JSON, and the files that makes."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from soulmem.errors import InputError
from soulmem.export.biography import Life, biography
from soulmem.export.card import SPEC, Exported, card_of
from soulmem.export.charx import charx_of, portrait_of
from soulmem.export.png import is_asset_path, png_of
from soulmem.ingest.cards.pictures import PORTRAIT, Picture, data_uri, with_assets
from soulmem.store.contract import Store, all_notes

if TYPE_CHECKING:
    from soulmem.analysis.frames import Frames


class Form(StrEnum):
    """``graph``: Graph JSON; ``lines``: the same as JSON Lines; ``card``: a character card V3 with its lorebook, as JSON, in a
    picture where the file ends in ``.png``, with all its pictures where it ends in ``.charx``; ``biography``: Markdown to read;
    ``tables``: a folder of Parquet files."""

    GRAPH = "graph"
    LINES = "lines"
    CARD = "card"
    BIOGRAPHY = "biography"
    TABLES = "tables"


_BY_ENDING = {".jsonl": Form.LINES, ".png": Form.CARD, ".charx": Form.CARD, ".md": Form.BIOGRAPHY, ".parquet": Form.TABLES}

#: The tables of a mind, each a file.
TABLES = ("notes", "links", "messages", "sources", "recalls", "operations", "supersedings", "strength_events")


def form_of(path: Path) -> Form:
    """What a file of this name is, where nothing is said.

    :raises InputError: its ending tells nothing that can be written."""
    ending = path.suffix.lower()
    if ending not in ("", ".json", *_BY_ENDING):
        endings = ", ".join(sorted((".json", *_BY_ENDING)))
        advice = f"Say what it is with --form, or end it in {endings}."
        raise InputError(f"a file that ends in {ending} is none that can be written", advice=advice)
    return _BY_ENDING.get(ending, Form.GRAPH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What is written out: ``store`` gives what may be read of it; ``name``: what the mind is called; ``card``: what is recorded
    of the card that it was made from; ``books``: recorded values, those of lorebooks among them; ``pictures``: those that the
    mind keeps of the card."""

    store: Store
    name: str
    at: datetime
    card: Any = None
    books: Mapping[str, Any] = field(default_factory=dict)
    pictures: Sequence[Picture] = ()


def told_life(ground: Ground) -> str:
    """The mind as a biography."""
    store = ground.store
    notes = all_notes(store)
    sources = store.messages(sorted({message for note in notes for message in note.sources}))
    return biography(
        Life(
            name=ground.name,
            notes=notes,
            links=store.links(),
            sources={said.id: said for said in sources},
            lines=len(store.query("store.all_messages")),
            at=ground.at,
        )
    )


def made_card(ground: Ground) -> Exported:
    """The mind as a card. Of one that it was made from, and of lorebooks, all fields are kept, and what those say is not said
    twice."""
    from soulmem.export.books import lore_of
    from soulmem.ingest.cards.card import kept_card

    data, root = kept_card(ground.card)
    notes = all_notes(ground.store)
    lore = lore_of(ground.books, {note.key: note for note in notes}, ground.at)
    known = _keys_of(ground) | lore.keys
    made = card_of(
        [note for note in notes if note.key not in known],
        ground.store.links(),
        name=ground.name,
        at=ground.at,
        kept=data or None,
        lore=lore.entries,
        titled=lore.name,
    )
    return Exported(card={**root, **made.card}, entries=made.entries, left_out=made.left_out)


def _keys_of(ground: Ground) -> frozenset[str]:
    """The keys of the notes that the kept card became, but for the character itself."""
    from soulmem.ingest.cards.card import card_of as read_card
    from soulmem.ingest.cards.notes import document_of
    from soulmem.model.notes import SELF_KEY

    raw = ground.card.get("card") if isinstance(ground.card, Mapping) else None
    if not isinstance(raw, Mapping):
        return frozenset()
    return frozenset(note.key for note in document_of(read_card(raw), ground.at, SPEC).notes) - {SELF_KEY}


def card_bytes(made: Exported, path: Path, picture: bytes | None, pictures: Sequence[Picture] = ()) -> bytes:
    """The card as the file ``path`` has it. ``picture``: the one it travels in, instead of its own among ``pictures``."""
    match path.suffix.lower():
        case ".png":
            return _png(made, picture, pictures)
        case ".charx":
            return charx_of(made.card, picture, pictures)
    if picture is not None:
        raise InputError("a picture goes into a .png or .charx file", advice="Name the file so, or leave the picture out.")
    by_path = {one.path: one for one in pictures}
    card = _with_assets(made.card, lambda path: data_uri(by_path[path]) if path in by_path else None)
    return (json.dumps(card, ensure_ascii=False, indent=2) + "\n").encode()


def _png(made: Exported, picture: bytes | None, pictures: Sequence[Picture]) -> bytes:
    """The card in its picture; assets go along in chunks of their own, or in their URIs where they cannot."""
    if picture is None and (own := portrait_of(made.card, pictures)) is not None and own.media == "png":
        picture = own.data
    along = [(one.path, one.data) for one in pictures if one.path != PORTRAIT and is_asset_path(one.path)]
    others = {one.path: one for one in pictures if one.path != PORTRAIT and not is_asset_path(one.path)}
    card = _with_assets(made.card, lambda path: data_uri(others[path]) if path in others else None)
    return png_of(card, picture, along)


def _with_assets(card: Mapping[str, Any], uri_of: Callable[[str], str | None]) -> Mapping[str, Any]:
    return {**card, "data": with_assets(card["data"], uri_of)}


def portrait_told(card: Any, path: Path, picture: bytes | None, pictures: Sequence[Picture]) -> str | None:
    """What there is to tell of the picture of a card that goes into ``path``."""
    own = portrait_of(card, pictures)
    if path.suffix.lower() != ".png" or picture is not None or own is None or own.media == "png":
        return None
    what = f"the picture of the card is {own.media.upper()}, and {path.name} a PNG: a plain one was taken."
    return f"{what} Export to a .charx file to have it, or give another with --picture."


def write_tables(frames: Frames, folder: Path) -> dict[str, int]:
    """Write every table of a mind into ``folder`` as Parquet, whole or not at all; rows by table.

    Raises :class:`InputError` where that cannot be."""
    folder = folder.absolute()
    try:
        made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror or error}") from error
    try:
        counts = {}
        for name in TABLES:
            frame = getattr(frames, name)()
            # Written to the file by Python: of a full disk polars says what a fault of its own would be.
            data = BytesIO()
            frame.write_parquet(data)
            (made / f"{name}.parquet").write_bytes(data.getbuffer())
            counts[name] = frame.height
        folder.mkdir(exist_ok=True)
        for name in TABLES:
            (made / f"{name}.parquet").replace(folder / f"{name}.parquet")
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return counts

"""``soulmem show``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import line, plain, print_json, rfc3339
from soulmem_cli.changes import shown_change
from soulmem_cli.minds import opened
from soulmem_cli.options import as_of_option, at_option, common, json_option
from soulmem_cli.terminal import one_line, out, print_pairs, shortened

if TYPE_CHECKING:
    from soulmem.history import NoteEvent
    from soulmem.views import LinkView, NoteView, SourceView, SupersededView

#: Characters of a line a note was drawn from that are shown; ``--json`` has all of them.
_SHOWN = 300


@click.command(short_help="Show one note and all that hangs on it.")
@click.argument("note", metavar="KEY_OR_ID")
@click.option("--original", is_flag=True, help="Show its text as it was written, whatever was forgotten of it since.")
@click.option("--history", "is_history", is_flag=True, help="Show what was done to it, from the operation that made it to now.")
@at_option
@as_of_option
@json_option
@common
def command(
    note: str, original: bool, is_history: bool, at: datetime | None, as_of: int | datetime | None, as_json: bool
) -> None:
    """Show one note: all its fields, its links, and the lines it was drawn from; of many lines the first, of a long one the
    beginning.

    What was forgotten of its text shows as […]; --original shows it as it was written. JSON has both, as present and original,
    and what does not show, as hidden.

    \b
    Examples:
      soulmem show sem_self
      soulmem show sit_first_snow --original
      soulmem show sem_self --history
    """
    with opened(read_only=True, as_of=as_of) as soul:
        if is_history:
            return _show_history(soul.history(note), as_json)
        view = soul.show(note, at)
    if as_json:
        print_json(_as_json(view))
    else:
        _print(view, original=original)
    return None


def _show_history(events: Sequence[NoteEvent], as_json: bool) -> None:
    if as_json:
        return print_json(events)
    for event in events:
        marks = [word for word, is_so in (("born", event.born), ("gone", event.gone)) if is_so]
        marks += [f"undone by {event.undone_by}"] if event.undone_by is not None else []
        mark = f" ({', '.join(marks)})" if marks else ""
        out(one_line(f"{event.number} {rfc3339(event.at)} {event.command}{mark}: {event.what}"))
        for change in event.changes:
            out(f"    {one_line(shown_change(change))}")
    return None


def _as_json(view: NoteView) -> dict[str, Any]:
    """The view, with the type of the note and of its pattern, which its fields alone do not tell."""
    shape: dict[str, Any] = plain(view)
    shape["note"] = {"id": view.note.id, "key": view.note.key, "type": view.note.type.value} | shape["note"]
    return shape


def _print(view: NoteView, *, original: bool) -> None:
    pairs = list(_note(view, original=original))
    pairs += [("→" if not place else "", _link(link, "→")) for place, link in enumerate(view.links_out)]
    pairs += [("←" if not place else "", _link(link, "←")) for place, link in enumerate(view.links_in)]
    pairs += _many("sources", [_source(said) for said in view.sources])
    pairs += [("superseded by", _superseded(other)) for other in view.superseded_by]
    pairs += [("supersedes", _superseded(other)) for other in view.supersedes]
    pairs += [("edited" if not place else "", f"by hand, {rfc3339(at)}") for place, at in enumerate(view.edited)]
    if view.pending:
        pairs.append(("waiting", f"{counted(view.pending, 'link')} for a note that is not there yet"))
    print_pairs(pairs)


def _many(name: str, lines: Sequence[str]) -> list[tuple[str, str]]:
    """The first of ``lines``, ``name`` before them."""
    return [(name if not place else "", line) for place, line in enumerate(shortened(lines))]


def _note(view: NoteView, *, original: bool) -> Iterator[tuple[str, str]]:
    note = view.note
    texts = {} if original else view.texts
    yield "key", note.key
    yield "id", note.id
    yield "type", note.type.value
    for field in fields(note.body):
        yield from _field(field.name, texts.get(field.name, getattr(note.body, field.name)))
    yield "retention", f"{view.retention:.3f}"
    yield from _fading(view, original=original)
    for field in fields(note):
        if field.name == "asleep" and note.asleep:
            yield "asleep", _asleep(view)
        elif field.name == "origins":
            yield from _many("origins", [one_line(place) for place in note.origins])
        elif field.name not in ("id", "key", "body", "sources", "revision"):
            yield from _field(field.name, getattr(note, field.name))


def _asleep(view: NoteView) -> str:
    since = view.note.due_at or view.note.decayed_at
    return f"since {rfc3339(since)}: too little was left of it; a question finds it, no association does; recalling it wakes it"


def _fading(view: NoteView, *, original: bool) -> Iterator[tuple[str, str]]:
    """How far it has faded, if it has, and whether what shows was guessed."""
    if view.fading != "NoAction":
        yield "missing", f"{view.missing:.3f} ({view.fading})"
    if view.note.revision is not None:
        told = "a model guessed what was forgotten" if not original else "a model has guessed what was forgotten; not shown"
        yield "revised", f"{told}, when {view.note.revision.missing:.3f} was missing"
    if not original and (view.hidden or view.note.revision):
        yield "original", "shown by --original"


def _field(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """A name and a text; what is empty is left out."""
    value = plain(value)
    if value is False or (value != 0 and not value):
        return
    yield name, value if isinstance(value, str) else _listed(value)


def _listed(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return line(value)


def _link(link: LinkView, arrow: str) -> str:
    numbers = {"confidence": link.confidence, "prob": link.prob, "intensity": link.intensity}
    told = ", ".join(f"{name} {value:.2f}" for name, value in numbers.items() if value is not None)
    return one_line(f"{link.verb or link.type.value} {arrow} {link.other} ({told})")


def _superseded(other: SupersededView) -> str:
    return one_line(f"{other.key} since {rfc3339(other.at)}{f' ({other.reason})' if other.reason else ''}")


def _source(said: SourceView) -> str:
    when = f" {rfc3339(said.time)}" if said.time else ""
    text = one_line(f"{said.file}:{said.line}{when} {said.speaker}: {said.text}")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

"""``soulmem edit``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.changes import shown_change
from soulmem_cli.minds import opened
from soulmem_cli.options import at_option, common, json_option, moment
from soulmem_cli.terminal import one_line, out, say

if TYPE_CHECKING:
    from soulmem.edit import Edit, Edited
    from soulmem.model.notes import Note


@click.command(short_help="Change what a note says.")
@click.argument("note", metavar="KEY_OR_ID")
@click.option("--text", metavar="TEXT", help="What it says; of somebody or something with a name: what is known of it.")
@click.option("--name", metavar="NAME", help="What somebody or something is called.")
@click.option("--alias", "aliases", multiple=True, metavar="NAME", help="One more name. Repeatable.")
@click.option("--no-alias", "no_aliases", multiple=True, metavar="NAME", help="A name to take away. Repeatable.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="One more tag. Repeatable.")
@click.option("--no-tag", "no_tags", multiple=True, metavar="TAG", help="A tag to take away. Repeatable.")
@click.option("--time", "time", metavar="START[/END]", help="When it was, or since and until when it holds; none: nobody knows.")
@click.option("--from", "since", metavar="TIME", callback=moment, help="From when on it is so; until then it was as it was.")
@click.option("--dry-run", is_flag=True, help="Show what would be otherwise, and do nothing.")
@at_option
@json_option
@common
def command(
    note: str,
    text: str | None,
    name: str | None,
    aliases: Sequence[str],
    no_aliases: Sequence[str],
    tags: Sequence[str],
    no_tags: Sequence[str],
    time: str | None,
    since: datetime | None,
    dry_run: bool,
    at: datetime | None,
    as_json: bool,
) -> None:
    """Change what a note says, by hand. Without options it is opened in an editor ($VISUAL or $EDITOR).

    Its links stay, and the lines it was drawn from; that it was edited, and what it said before, show --history tells, and undo
    takes it back. With --from the old note stays and ends then, and a new one says what is so from then on.

    \b
    Examples:
      soulmem edit sem_mei --text "Lin's neighbour, who paints"
      soulmem edit sem_mei --name "Mei Tan" --alias "little Mei"
      soulmem edit fact_lin_lives_halden_ab12cd --text "Lin lives in Norwich" --from 2026-05-01
      soulmem edit sit_first_snow --time 2019-12-03
    """
    given: dict[str, Any] = {"text": text, "name": name, "aliases": (aliases, no_aliases), "tags": (tags, no_tags), "time": time}
    in_editor = not any((text is not None, name is not None, aliases, no_aliases, tags, no_tags, time is not None))
    if time is not None and since is not None:
        raise click.UsageError("--time and --from: choose one; a fact that holds from some time on has no other beginning.")
    if in_editor and not sys.stdin.isatty():
        raise click.UsageError("What is to be otherwise? Give --text, --name, --alias, --tag or --time.")
    if in_editor:
        with opened(read_only=True) as soul:
            edit = _from_editor(soul.note(note), since)
    with opened(read_only=dry_run) as soul:
        if not in_editor:
            edit = _from_options(soul.note(note), since=since, **given)
        edited = soul.edit(note, edit, at, dry_run=dry_run)
    if as_json:
        print_json(edited)
    else:
        _print(edited)


def _from_options(
    note: Note,
    *,
    text: str | None,
    name: str | None,
    aliases: tuple[Sequence[str], Sequence[str]],
    tags: tuple[Sequence[str], Sequence[str]],
    time: str | None,
    since: datetime | None,
) -> Edit:
    from soulmem.edit import Edit, as_edit
    from soulmem_cli.edit_form import read_span

    now = as_edit(note)
    return Edit(
        text=text,
        name=name,
        aliases=_joined(now.aliases or (), *aliases),
        tags=_joined(now.tags or (), *tags),
        span=None if time is None else read_span(time),
        since=since,
    )


def _joined(now: Sequence[str], more: Sequence[str], less: Sequence[str]) -> tuple[str, ...] | None:
    """``now`` with more, and without those to take away; ``None`` where neither is said."""
    if not more and not less:
        return None
    unknown = [one for one in less if one not in now]
    if unknown:
        there = f"it has {', '.join(now)}" if now else "it has none"
        raise click.UsageError(f"{unknown[0]!r} cannot be taken away: {there}.")
    return tuple(one for one in dict.fromkeys((*now, *more)) if one not in less)


def _from_editor(note: Note, since: datetime | None) -> Edit:
    """What somebody changes in an editor; a form that cannot be read can be opened again as it was left."""
    from dataclasses import replace

    from soulmem.edit import Edit, as_edit
    from soulmem.errors import InputError
    from soulmem_cli.edit_form import form_of, read_form

    now = as_edit(note)
    form = form_of(note.key, now)
    while True:
        filled = click.edit(form, extension=".txt", require_save=False)
        if not (filled or "").strip():
            return Edit()
        form = str(filled)
        try:
            return replace(read_form(form, now), since=since)
        except InputError as error:
            say(str(error))
            if not click.confirm("Open it again?", default=True, err=True):
                say(f"Nothing was changed. What was written:\n{form}")
                raise


def _print(edited: Edited) -> None:
    for change in edited.changes:
        out(one_line(shown_change(change)))
    key = one_line(edited.key)
    if not edited.changes:
        say(f"{key} says so already: nothing was changed.")
    elif edited.dry_run:
        say("Nothing was written.")
    elif edited.superseded:
        say(f"{one_line(edited.superseded)} holds no longer; {key} holds instead. Taken back with: soulmem undo")
    else:
        say(f"{key} was edited. Taken back with: soulmem undo")

"""``soulmem observe``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json_line
from soulmem_cli.feed import STOPPED, Feed, Sign
from soulmem_cli.minds import opened
from soulmem_cli.options import at_option, common, json_option
from soulmem_cli.terminal import out, say
from soulmem_cli.working import chat_option, present_option, scope_option

if TYPE_CHECKING:
    from soulmem.soul import Soul
    from soulmem.working.lines import Unsaid
    from soulmem.working.observer import Observed


@click.command(short_help="Take in a talk as it happens, line by line.")
@click.option("--speaker", metavar="NAME", help="Who speaks the lines that do not say it.")
@click.option(
    "--as", "--character", "character", metavar="NAME", help="The name by which the character speaks. [default: its own names]"
)
@scope_option
@present_option
@chat_option
@at_option
@json_option
@common
def command(
    speaker: str | None,
    character: str | None,
    scope: str,
    present: tuple[str, ...],
    chat: str,
    at: datetime | None,
    as_json: bool,
) -> None:
    """Take in a talk from standard input, one line after another, as it happens.

    A line is "Name: text", or JSON with speaker, text and, if wanted, role, time, scope, present, id, tag, hidden, replaces.
    Each is acknowledged on standard output, with its number, as soon as it is written for good. A second try with the same id
    adds nothing. Ctrl-C and SIGTERM end it in good order: what was acknowledged is kept.

    At the end of a full window memories are made of what was said. To see the plan first: soulmem config --mind NAME set
    idle_consolidate 0, and then soulmem consolidate --dry-run.

    Exit code 1 if a line was not taken; the others are. 130 after Ctrl-C, 143 after SIGTERM.

    \b
    Examples:
      echo "Bo: I moved to Leeds in May." | soulmem observe
      chat-program | soulmem observe --json --as Wren --scope direct:Bo
    """
    with opened() as soul:
        called = {} if character else soul.short_names()
        run = _Run(soul, chat, speaker, scope, present, character or soul.own_names(), called, at, as_json)
        feed = Feed(sys.stdin.buffer)
        with feed.stoppable():
            sign = run.through(feed)
        run.finish(sign)
    if sign in STOPPED:
        raise click.exceptions.Exit(STOPPED[sign])
    if run.bad:
        raise click.exceptions.Exit(1)


@dataclass(slots=True)
class _Run:
    """Lines taken in so far: how many were ``taken``, how many were ``bad``; ``number``: of the last one, from 1."""

    soul: Soul
    chat: str
    speaker: str | None
    scope: str
    present: tuple[str, ...]
    character: str | tuple[str, ...]
    called: Mapping[str, str]
    at: datetime | None
    as_json: bool
    number: int = 0
    taken: int = 0
    bad: int = 0

    def through(self, feed: Feed) -> Sign:
        """Take in lines until the feed ends; gives how it ended. When nothing comes for a while, idle work is done."""
        quiet: float | None = self.soul.settings.idle_quiet_seconds
        while True:
            found = feed.next(quiet)
            if found is Sign.QUIET:
                self.soul.idle(self._now(), forced=True)
                quiet = None
            elif isinstance(found, Sign):
                return found
            else:
                self._take(found)
                quiet = self.soul.settings.idle_quiet_seconds

    def _now(self) -> datetime:
        return self.at or self.soul.clock()

    def _take(self, data: bytes) -> None:
        from soulmem.errors import InputError
        from soulmem.working.lines import line_of

        self.number += 1
        try:
            text = data.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError:
            return self._refuse("it is not UTF-8")
        if not text.strip():
            return None
        try:
            observed = self.soul.observe_many([line_of(text, self._unsaid())], self.chat)[0]
        except InputError as error:
            return self._refuse(error.what)
        self.taken += 1
        return self._acknowledge(observed)

    def _unsaid(self) -> Unsaid:
        from soulmem.working.lines import Unsaid

        names = (self.character,) if isinstance(self.character, str) else self.character
        return Unsaid(
            at=self._now(),
            speaker=self.speaker,
            scope=self.scope,
            present=self.present,
            character=frozenset(name.casefold() for name in names),
            called=self.called,
        )

    def _refuse(self, what: str) -> None:
        self.bad += 1
        say(f"line {self.number}: {what}; it was not taken")
        if self.as_json:
            print_json_line({"line": self.number, "error": what})

    def _acknowledge(self, observed: Observed) -> None:
        from soulmem.model.messages import Role

        if self.as_json:
            print_json_line(self._told(observed))
        else:
            events = "".join(f" {event.what}" for event in observed.events if event.what != "left")
            out(f"{self.number} {observed.message.id}{' known' if observed.known else ''}{events}")
        if observed.removed and observed.message.role is Role.USER:
            say(f"line {self.number}: left out of what was said: {', '.join(observed.removed)}")
        sys.stdout.flush()

    def _told(self, observed: Observed) -> dict[str, Any]:
        message = observed.message
        return {
            "line": self.number,
            "message": message.id,
            "chat": self.chat,
            "index": message.index,
            "speaker": message.speaker,
            "role": message.role,
            "time": message.sent_at,
            "scope": message.scope,
            "present": message.present,
            "kept_from": message.kept_from,
            "known": observed.known,
            "events": observed.events,
            "removed": observed.removed,
        }

    def finish(self, sign: Sign) -> None:
        """What was taken in is written already. Where the talk ended by itself the idle work is done; a signal is obeyed at once,
        and the work waits for the next time."""
        if sign is Sign.END:
            self.soul.idle(self._now(), forced=True)
        else:
            say(f"Stopped: {counted(self.taken, 'line')} taken in, and all of it is kept.")

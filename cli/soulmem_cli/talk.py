"""``soulmem chat`` as it is seen: lines in, replies and what is told of them out. What they do is :mod:`soulmem.conversation`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import click

from soulmem.conversation import Conversation
from soulmem.errors import SoulmemError
from soulmem.text.counts import counted
from soulmem_cli.feed import Feed, Interrupted, Sign
from soulmem_cli.models import print_prompt
from soulmem_cli.terminal import one_line, out, say, shown

if TYPE_CHECKING:
    from soulmem.model.results import Memory

_WIDTH = 100


class Talk:
    """A talk at the terminal. ``at``: the time it is taken to be, ``None``: the time it is. ``renew`` is called for each line: it
    gives the model its budget anew."""

    def __init__(
        self, talk: Conversation, feed: Feed, *, at: datetime | None, is_shown: bool, renew: Callable[[], None] = lambda: None
    ) -> None:
        self._renew = renew
        self._talk = talk
        self._feed = feed
        self._at = at
        self._is_shown = is_shown
        self._is_terminal = sys.stdin.isatty()

    def run(self) -> Sign:
        """Take lines until the end, a signal, or /quit. What was said is kept whatever ends it."""
        try:
            self._greet()
            sign = self._lines()
        finally:
            self._talk.end(self._at)
        if sign is Sign.END:
            self._idle()
        return sign

    def _lines(self) -> Sign:
        while not isinstance(found := self._next(), Sign):
            if not self._take(found):
                return Sign.END
        if self._is_terminal:
            click.echo(err=True)  # the prompt is on the line
        return found

    def _idle(self) -> None:
        """Do what waits for quiet, and tell what went wrong with it. Incognito talk makes nothing wait."""
        self._renew()
        if not self._talk.is_kept:
            return
        report = self._talk.soul.idle(self._at, forced=True)
        for problem in report.problems:
            say(f"The model: {problem}")
        if report.trouble:
            say(f"The talk was not consolidated: {report.trouble}. It will be tried again.")

    def _greet(self) -> None:
        talk = self._talk
        who = f"with the model {talk.model.name}" if talk.model else "without a model: /reply TEXT speaks for the character"
        kept = " Nothing is kept (incognito)." if talk.incognito else ""
        say(f"{talk.user} talks with {talk.character}, {who}.{kept} /help lists commands; Ctrl-D ends.")

    def _next(self) -> bytes | Sign:
        """The next line. When nothing is said for a while, what waits for quiet is done."""
        if self._is_terminal:
            click.echo(f"{shown(self._talk.user)}> ", nl=False, err=True)
        quiet: float | None = self._talk.soul.settings.idle_quiet_seconds
        while (found := self._feed.next(quiet)) is Sign.QUIET:
            self._idle()
            quiet = None
        return found

    def _take(self, data: bytes) -> bool:
        """Whether the talk goes on. An error ends the line, not the talk."""
        text = data.decode("utf-8", "replace").strip()
        self._renew()
        try:
            if text.startswith("/") and not text.startswith("//"):
                return self._do(text)
            if text:
                self._turn(text.removeprefix("/"))
        except SoulmemError as error:
            say(f"error: {error}")
        return True

    def _turn(self, text: str) -> None:
        found = self._talk.hear(text, self._at)
        if self._talk.trouble:
            say(f"The model: {self._talk.trouble}; the line itself was asked instead")
        for problem in self._talk.problems:
            say(f"The model: {problem}")
        if self._is_shown:
            self._dim(self._found_lines(found.memories))
        if self._talk.model:
            self._reply()
        else:
            out(found.rendered or "Nothing comes to mind.")

    def _reply(self) -> None:
        """Print the reply as it comes. Ctrl-C stops it; what is not whole was not said."""
        pieces: list[str] = []
        is_whole = False
        try:
            with self._feed.interruptible():
                for piece in self._talk.pieces():
                    pieces.append(piece)
                    name = f"{one_line(self._talk.character)}: " if len(pieces) == 1 else ""
                    click.echo(f"{name}{shown(piece)}", nl=False)
                    sys.stdout.flush()
            is_whole = True
        except Interrupted:
            pass
        finally:
            if pieces:
                click.echo()
        if is_whole:
            self._said("".join(pieces))
        else:
            say("Stopped: this was not said. /again asks anew; Ctrl-C once more ends the talk.")

    def _said(self, text: str) -> None:
        used = self._talk.say(text, self._at)
        if self._is_shown:
            self._dim([f"  used: {', '.join(memory.key for memory in used) or 'nothing that was remembered'}"])

    # -- commands -------------------------------------------------------------------------------------------------------------

    def _do(self, text: str) -> bool:
        word, _, rest = text.partition(" ")
        if word in ("/quit", "/exit"):
            return False
        known: Mapping[str, Callable[[str], None]] = {
            "/help": self._help,
            "/memories": self._memories,
            "/why": self._why,
            "/prompt": self._prompt,
            "/reply": self._say,
            "/again": self._again,
            "/undo": self._undo,
            "/forget": self._forget,
            "/feedback": self._feedback,
            "/incognito": self._incognito,
            "/show": self._show,
        }
        known.get(word, self._unknown)(rest.strip())
        return True

    def _help(self, _: str) -> None:
        say(_HELP)

    def _unknown(self, _: str) -> None:
        say("There is no such command. /help lists them; // begins a line with a slash.")

    def _memories(self, _: str) -> None:
        for line in self._found_lines(self._talk.present.found.memories) or ["Nothing came to mind."]:
            out(line)

    def _why(self, key: str) -> None:
        turn = self._talk.present
        keys = [key] if key else [memory.key for memory in turn.found.memories if memory.score > 0][:3]
        if not keys:
            out("Nothing came to mind.")
        for one in keys:
            out(self._talk.why(one).text)

    def _prompt(self, _: str) -> None:
        print_prompt(self._talk.prompt())

    def _say(self, text: str) -> None:
        used = self._talk.say(text, self._at)
        drawn = "1 memory" if len(used) == 1 else f"{len(used)} memories"
        say(f"{self._talk.character} said it, with {drawn} in it.")

    def _again(self, _: str) -> None:
        self._reply()

    def _undo(self, _: str) -> None:
        back = self._talk.undo(self._at)
        kept = (
            "Nothing of it was kept."
            if self._talk.incognito
            else "What was said is kept, hidden; /forget undone removes it for good."
        )
        say(f"Taken back: {counted(len(back.lines), 'line')}. {kept}")
        if back.is_reinforced:
            say("What it used stays remembered better: something else has changed that since.")

    def _forget(self, what: str) -> None:
        if what not in ("last", "undone"):
            return say("/forget last: the last turn that stands, for good; /forget undone: the one that /undo just took back.")
        report = (self._talk.forget_last if what == "last" else self._talk.forget_taken_back)(self._at)
        if report is None or report.operation is None:
            return say("Forgotten. It was incognito: nothing of it had been kept.")
        told = counted(report.entries, "operation")
        say(f"Forgotten for good: {report.operation.what}. {told} that told of it cannot be undone any more.")
        for copy in report.copies:
            say(f"A copy of the mind from before an update may still have it; remove it if you do not need it: {copy}")
        return None

    def _feedback(self, sign: str) -> None:
        if sign not in ("+", "-"):
            return say("/feedback + or /feedback -: whether what came to mind was right.")
        told = self._talk.feedback(1 if sign == "+" else -1, self._at)
        return say(f"Noted for: {', '.join(memory.key for memory in told) or 'nothing; nothing came to mind'}")

    def _incognito(self, _: str) -> None:
        self._talk.incognito = not self._talk.incognito
        say(
            "From now on nothing is kept."
            if self._talk.incognito
            else "From now on the talk is kept again. What was said is not."
        )

    def _show(self, _: str) -> None:
        self._is_shown = not self._is_shown
        say("What comes to mind is shown." if self._is_shown else "What comes to mind is not shown.")

    # -- showing --------------------------------------------------------------------------------------------------------------

    def _found_lines(self, memories: tuple[Memory, ...]) -> list[str]:
        return [f"  {memory.score:.2f} {memory.stage:<11} {memory.key}  {_short(memory.text)}" for memory in memories]

    def _dim(self, lines: list[str]) -> None:
        for line in lines:
            click.secho(shown(line), dim=not os.environ.get("NO_COLOR"), err=True)


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


_HELP = """\
  /memories        what came to mind
  /why [KEY]       why it did, or why KEY did not
  /prompt          what the model is given
  /reply TEXT      say TEXT for the character; again: instead of its last reply
  /again           let the model reply anew; the former reply is replaced
  /undo            take the last turn back, once more the one before it: the lines are kept, hidden
  /forget last     forget the last turn that stands for good, with all that was drawn from it alone
  /forget undone   the same for the turn that /undo just took back
  /feedback +|-    whether what came to mind was right
  /incognito       keep nothing from now on, or keep it again
  /show            show in every turn what comes to mind, or no longer
  /quit            end (Ctrl-D does too)"""

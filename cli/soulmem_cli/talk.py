"""``soulmem chat`` as it is seen: lines in, replies and what is told of them out. What they do is :mod:`soulmem.conversation`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import click

from soulmem.conversation import Conversation
from soulmem.errors import SoulmemError
from soulmem_cli.feed import Feed, Sign
from soulmem_cli.models import print_prompt
from soulmem_cli.terminal import counted, one_line, out, say, shown

if TYPE_CHECKING:
    from soulmem.model.results import Memory

_WIDTH = 100


class Talk:
    """A talk at the terminal. ``at``: the time it is taken to be, ``None``: the time it is."""

    def __init__(self, talk: Conversation, feed: Feed, *, at: datetime | None, is_shown: bool) -> None:
        self._talk = talk
        self._feed = feed
        self._at = at
        self._is_shown = is_shown
        self._is_terminal = sys.stdin.isatty()

    def run(self) -> Sign:
        """Take lines until the end, a signal, or /quit. What was said is kept whatever ends it."""
        self._greet()
        while True:
            found = self._next()
            if isinstance(found, Sign):
                break
            if not self._take(found):
                found = Sign.END
                break
        self._talk.end(self._at)
        if found is Sign.END:
            self._idle()
        return found

    def _idle(self) -> None:
        """Do what waits for quiet, and tell what went wrong with it."""
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
        try:
            if text.startswith("/"):
                return self._do(text)
            if text:
                self._turn(text)
        except SoulmemError as error:
            say(f"error: {error}")
        return True

    def _turn(self, text: str) -> None:
        found = self._talk.hear(text, self._at)
        if self._talk.trouble:
            say(f"The model: {self._talk.trouble}; the line itself was asked instead")
        if self._is_shown:
            self._dim(self._found_lines(found.memories))
        if self._talk.model:
            self._reply()
        else:
            out(found.rendered or "Nothing comes to mind.")

    def _reply(self) -> None:
        """Print the reply as it comes. Ctrl-C meanwhile ends the talk; a reply that is not whole was not said."""
        click.echo(f"{shown(self._talk.character)}: ", nl=False)
        try:
            for piece in self._talk.reply(self._at):
                click.echo(shown(piece), nl=False)
                sys.stdout.flush()
                if self._feed.is_stopped:
                    return
        finally:
            click.echo()
        if self._is_shown and self._talk.turn:
            used = ", ".join(memory.key for memory in self._talk.turn.used)
            self._dim([f"used: {used or 'nothing that was remembered'}"])

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
        say(f"{self._talk.character} said it, with {counted(len(used), 'memory') if len(used) != 1 else '1 memory'} in it.")

    def _again(self, _: str) -> None:
        self._reply()

    def _undo(self, _: str) -> None:
        lines = self._talk.undo(self._at)
        say(f"Taken back: {counted(len(lines), 'line')}. They are kept, hidden.")

    def _feedback(self, sign: str) -> None:
        if sign not in ("+", "-"):
            return say("/feedback + or /feedback -: whether what came to mind was right.")
        told = self._talk.feedback(1 if sign == "+" else -1, self._at)
        return say(f"Noted for: {', '.join(memory.key for memory in told) or 'nothing; nothing came to mind'}")

    def _incognito(self, _: str) -> None:
        self._talk.incognito = not self._talk.incognito
        say("From now on nothing is kept." if self._talk.incognito else "From now on the talk is kept again.")

    def _show(self, _: str) -> None:
        self._is_shown = not self._is_shown
        say("What comes to mind is shown." if self._is_shown else "What comes to mind is not shown.")

    # -- showing --------------------------------------------------------------------------------------------------------------

    def _found_lines(self, memories: tuple[Memory, ...]) -> list[str]:
        return [f"  {memory.score:.2f} {memory.stage:<11} {memory.key}  {_short(memory.text)}" for memory in memories]

    def _dim(self, lines: list[str]) -> None:
        for line in lines:
            click.secho(shown(line), dim=True, err=True)


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


_HELP = """\
  /memories        what came to mind
  /why [KEY]       why it did, or why KEY did not
  /prompt          what the model is given
  /reply TEXT      say TEXT for the character; again: instead of its last reply
  /again           let the model reply anew; the former reply is replaced
  /undo            take the last turn back: its lines are kept, hidden
  /feedback +|-    whether what came to mind was right
  /incognito       keep nothing from now on, or keep it again
  /show            show in every turn what comes to mind, or no longer
  /quit            end (Ctrl-D does too)"""

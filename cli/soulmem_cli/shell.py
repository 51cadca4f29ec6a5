"""The Cypher shell: statements over several lines, a history, a few words of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from soulmem_cli.terminal import out, say

_HISTORY = 1000
_HELP = """\
A statement ends with ";" and may take several lines. Ctrl-C drops it, Ctrl-D ends the shell.
  .tables    the tables of the mind
  .queries   the queries that come with soulmem
  .help      this
  .quit      end\
"""


def run_shell(run: Callable[[str], None], words: Mapping[str, Callable[[], None]], *, greeting: str) -> None:
    """Read statements and hand each to ``run``, until the end of input or ``.quit``. ``words``: further ``.word`` commands."""
    say(f"{greeting}\nCypher, each statement ended with ';'. .help for help.")
    with _history():
        for entry in _entries():
            if entry == ".quit":
                return
            _do(entry, run, words)


def _do(entry: str, run: Callable[[str], None], words: Mapping[str, Callable[[], None]]) -> None:
    """An error ends the statement, not the shell."""
    from soulmem.errors import SoulmemError
    from soulmem.store.cypher import statements

    try:
        if not entry.startswith("."):
            for statement in statements(entry):
                run(statement)
        elif entry in words:
            words[entry]()
        else:
            out(_HELP if entry == ".help" else f"There is no {entry}.\n{_HELP}")
    except SoulmemError as error:
        say(f"error: {error}")
    except KeyboardInterrupt:
        say("")


def _entries() -> Iterator[str]:
    """What was typed: complete statements, and words that begin with a dot."""
    typed = ""
    while True:
        try:
            typed += input("   … " if typed else "mind> ") + "\n"
        except EOFError:
            say("")
            return
        except KeyboardInterrupt:
            say("")
            typed = ""
            continue
        if typed.startswith(".") or is_complete(typed):
            if typed.strip():
                yield typed.strip()
            typed = ""


def is_complete(text: str) -> bool:
    """Whether ``text`` is blank or ends with a semicolon that stands outside strings and comments."""
    from soulmem.errors import QueryError
    from soulmem.store.cypher import tokens

    try:
        found = list(tokens(text))
    except QueryError:  # something is still open
        return False
    return not found or (found[-1].kind == "symbol" and found[-1].text == ";")


def own_files() -> tuple[Path]:
    """The files in which the command line keeps what was typed: the history of the shell, there or not."""
    from platformdirs import user_state_path

    return (user_state_path("soulmem") / "cypher_history",)


@contextmanager
def _history() -> Iterator[None]:
    """Line editing with the lines of former shells, where Python has readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    (file,) = own_files()
    file.parent.mkdir(parents=True, exist_ok=True)
    _told(lambda: readline.read_history_file(file) if file.exists() else None)
    try:
        yield
    finally:
        _told(lambda: _write(readline, str(file)))


def _write(readline: ModuleType, file: str) -> None:
    readline.set_history_length(_HISTORY)
    readline.write_history_file(file)


def _told(action: Callable[[], None]) -> None:
    """A history that cannot be kept is told, and is no reason to stop."""
    try:
        action()
    except OSError as error:
        say(f"The history cannot be kept: {error}")

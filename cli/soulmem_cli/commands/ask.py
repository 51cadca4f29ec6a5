"""``soulmem ask``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from soulmem_cli.as_json import print_json, print_json_line
from soulmem_cli.minds import opened
from soulmem_cli.models import configured_model, no_model_option
from soulmem_cli.options import as_of_option, at_option, common, json_option
from soulmem_cli.questions import Question, read_batch, read_structured, read_text
from soulmem_cli.recollection import print_recollection
from soulmem_cli.terminal import out, progress_bar, say
from soulmem_cli.working import heard_in_option

if TYPE_CHECKING:
    from soulmem.errors import FormatError
    from soulmem.model.results import Recollection
    from soulmem.soul import Soul

#: Supporting lines where ``--messages`` says nothing.
_MESSAGES = 3
#: So many lines of a batch that are no questions are told.
_TOLD = 10


@click.command()
@click.argument("text", required=False)
@click.option("--top", default=10, show_default=True, type=click.IntRange(1, 1000), metavar="N", help="At most so many memories.")
@click.option(
    "--messages",
    type=click.IntRange(0, 1000),
    metavar="N",
    help=f"At most so many lines of the chats that support the answer. [default: {_MESSAGES}]",
)
@at_option
@click.option("--explain", is_flag=True, help="Show why each memory came: its scores, its path, how well it is retained.")
@click.option("--why", metavar="KEY", help="Say why this note is, or is not, among what comes to mind.")
@click.option(
    "--query", "query_file", metavar="FILE.json", help="Ask a structured question (a case or sub-queries of Query JSON)."
)
@click.option(
    "--batch",
    metavar="FILE",
    help="Answer many questions, one line of JSON each: JSON Lines, Evidence JSON or Query JSON; - is stdin.",
)
@heard_in_option
@as_of_option
@click.option("--peek", is_flag=True, help="Leave no trace: what is recalled is not strengthened by it.")
@click.option("--original", is_flag=True, help="Tell memories as they were written, whatever was forgotten of them since.")
@no_model_option
@json_option
@common
def command(
    text: str | None,
    top: int,
    messages: int | None,
    at: datetime | None,
    explain: bool,
    why: str | None,
    query_file: str | None,
    batch: str | None,
    heard_in: str | None,
    as_of: int | datetime | None,
    peek: bool,
    original: bool,
    no_model: bool,
    as_json: bool,
) -> None:
    """Ask what a text brings to mind.

    What is recalled is thereby remembered better; --peek only looks, and so does --as-of. What was forgotten of a memory shows
    as […], or with its gist as [… an animal]; a model, if one is configured, may then guess it, once (soulmem undo takes that
    back). Without TEXT the question is read from standard input.

    With --batch every question gets a line of JSON, in order; what cannot be read as one gets {"error", "place"}, the others are
    answered, and the exit code is 1.

    \b
    Examples:
      soulmem ask "What did she promise?" --explain
      soulmem ask 上周三我们去了哪里？ --json
      soulmem ask "Do you like satay?" --why sem_satay
      soulmem ask "Who is ill?" --as-heard-in group:tea
      soulmem ask "Where does Greta live?" --as-of 2026-03-01
      soulmem ask --batch questions.jsonl --peek > answers.jsonl
    """
    _check_alone(text=text, query=query_file, batch=batch)
    _check_fits(why, batch, query_file, messages)
    if batch is not None:
        recalled = partial(_recalled, top=top, messages=messages, at=at, heard_in=heard_in, original=original)
        return _answer_batch(read_batch(batch), recalled, peek or as_of is not None, no_model, as_of)
    question = _question(text, query_file)
    peek = peek or as_of is not None
    with opened(read_only=peek or why is not None, as_of=as_of) as soul:
        if why is not None:
            return _explain_absence(soul, why, question, top, at, heard_in, as_json)
        found = _recalled(soul, question, top, messages, at, heard_in, original)
        if as_json:
            print_json(found)
        else:
            print_recollection(found, explain=explain)
        if not peek:
            _commit(soul, found, no_model)
    return None


def _check_alone(**sources: str | None) -> None:
    given = [name for name, value in sources.items() if value is not None]
    if len(given) > 1:
        raise click.UsageError("Ask one way at a time: by TEXT, with --query, or with --batch.")


def _check_fits(why: str | None, batch: str | None, query_file: str | None, messages: int | None) -> None:
    if why is not None and batch is not None:
        raise click.UsageError("--why is about one question; it does not go with --batch.")
    if query_file is not None and messages is not None:
        raise click.UsageError("--messages goes with a TEXT; a structured question asks for memories only.")


def _question(text: str | None, query_file: str | None) -> Question:
    if query_file is not None:
        return read_structured(query_file)
    if text is None and not sys.stdin.isatty():
        text = read_text("-")
    if not (text or "").strip():
        raise click.UsageError("What is the question? Give a TEXT, pipe one in, or use --query or --batch.")
    return Question(text=(text or "").strip())


def _recalled(
    soul: Soul,
    question: Question,
    top: int,
    messages: int | None,
    at: datetime | None,
    heard_in: str | None,
    original: bool,
) -> Recollection:
    at = at or question.at
    if question.sub_queries:
        return soul.recall_queries(question.sub_queries, top=top, at=at, name=question.text, heard_in=heard_in, original=original)
    most = _MESSAGES if messages is None else messages
    return soul.recall(question.text, top=top, messages=most, at=at, heard_in=heard_in, original=original)


@contextmanager
def _guessing(soul: Soul, found: Recollection, no_model: bool) -> Iterator[None]:
    """With the model that is configured, where there is anything for it to guess: it takes seconds to load."""
    from soulmem.model.results import Fading

    if no_model or all(memory.fading is not Fading.REVISED for memory in found.memories):
        yield
        return
    with configured_model() as model:
        soul.use_model(model)
        yield


def _commit(soul: Soul, found: Recollection, no_model: bool) -> None:
    with _guessing(soul, found, no_model):
        soul.commit(found)
    for problem in soul.problems:
        say(problem)


def _answer_batch(
    questions: Sequence[Question | FormatError],
    recalled: Callable[[Soul, Question], Recollection],
    peek: bool,
    no_model: bool,
    as_of: int | datetime | None,
) -> None:
    """Every question has its line; what is none has one that says so, and the exit code is 1 at the end."""
    from soulmem.errors import FormatError

    wrong = [one for one in questions if isinstance(one, FormatError)]
    with opened(read_only=peek, as_of=as_of) as soul, progress_bar() as progress:
        for number, question in enumerate(questions, start=1):
            if isinstance(question, FormatError):
                print_json_line({"error": question.what, "place": question.place})
                continue
            found = recalled(soul, question)
            print_json_line(found)
            if not peek:
                _commit(soul, found, no_model)
            if progress:
                progress("questions", number, len(questions))
    if wrong:
        _tell_wrong(wrong, len(questions))
        raise click.exceptions.Exit(1)


def _tell_wrong(wrong: Sequence[FormatError], asked: int) -> None:
    for error in wrong[:_TOLD]:
        say(str(error))
    more = f", {len(wrong) - _TOLD} more among them" if len(wrong) > _TOLD else ""
    say(f"{len(wrong)} of {asked} are no questions{more}; the others were answered.")


def _explain_absence(
    soul: Soul, note: str, question: Question, top: int, at: datetime | None, heard_in: str | None, as_json: bool
) -> None:
    explanation = soul.why(note, question.text, queries=question.sub_queries, top=top, at=at, heard_in=heard_in)
    if as_json:
        print_json(explanation)
    else:
        out(explanation.text)

"""``soulmem new``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.interrupts import telling_interrupts
from soulmem_cli.minds import named
from soulmem_cli.models import configured_model, no_model_option
from soulmem_cli.options import debug_option, embedder_named, json_option, one_mind
from soulmem_cli.outputs import check_outputs, force_option
from soulmem_cli.terminal import out, say, shortened

if TYPE_CHECKING:
    from soulmem.ingest.answers import Answers
    from soulmem.ingest.contract import Document, Problem
    from soulmem.interview import Question


@click.command(short_help="Make a character by answering a few questions, or from a text.")
@click.argument("name", metavar="NAME")
@click.option("--mind", "place", metavar="NAME_OR_PATH", help="The mind to make. [default: NAME]")
@click.option("--text", "text_file", metavar="FILE", help="Who the character is, as a text; - is standard input.")
@click.option("--answers", "answers_file", metavar="FILE.json", help="Answers that were saved before. Nothing is asked.")
@click.option("--save", metavar="FILE.json", help="Also write the answers here, to change them and make the mind again.")
@click.option("--language", type=click.Choice(["en", "zh"]), help="Of the questions. [default: that of the locale]")
@click.option("--embedder", default="e5", show_default=True, metavar="NAME", callback=embedder_named, help="As for soulmem init.")
@no_model_option
@click.option("--dry-run", is_flag=True, help="Show what the mind would know, and from which line; make nothing.")
@force_option
@json_option
@debug_option()
def command(
    name: str,
    place: str | None,
    text_file: str | None,
    answers_file: str | None,
    save: str | None,
    language: str | None,
    embedder: str,
    no_model: bool,
    dry_run: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make a character: who it is, whom it knows, what it does when, what happened to it. An empty line passes a question over.

    With --text it is drawn from a text, a biography or an article in English or Chinese: sentences become what the character
    knows of itself, facts can be corrected by later talk, habits (she always …, 每当…就…) get what triggers them, and what it is
    quoted with shows how it speaks. The language model that is configured draws more from it, and what its lines do not say is
    left out; without one nothing leaves this computer. Everything the mind then knows leads back to its answer, or its line of
    the text. What a mind lacks to be used well is told at the end.

    \b
    Examples:
      soulmem new "Ruben Castell" --mind ruben --save ruben.json
      soulmem new 小蓝 --text 小蓝.txt --dry-run
    """
    from soulmem.ingest.answers import answers_of, answers_text

    before = _begun(save, name) if text_file is None and answers_file is None else {}
    check_outputs(Path(save) if save else None, force=force or bool(before))
    mind = _free(one_mind(place), name, may_be_there=dry_run)
    with telling_interrupts(lambda: "" if dry_run else _interrupted(mind)):
        answers = answers_of(json.dumps(_given(name, text_file, answers_file, _language(language), save, before)))
        if answers.text and not answers.drawn:
            answers = _with_model(answers, no_model)
        text = answers_text(answers)
        if save and not dry_run:
            from soulmem.files import write_whole

            write_whole(Path(save), text)
        with _said_of(answers_file):
            planned = _planned(text)  # what cannot be read is told before anything is made
        if dry_run:
            return _show_plan(planned, text_file or answers_file or "the answers", as_json)
        made = _made(mind, text, text_file or save or answers_file or f"{answers.name}.json", embedder)
    return print_json(made) if as_json else _tell(made)


def _interrupted(mind: str | Path) -> str:
    """What there is of a mind whose making was interrupted: who it is goes into it at once, or not at all."""
    from soulmem.soul import Soul
    from soulmem.store import mind_path

    path = mind_path(mind)
    if not path.exists():
        return "Interrupted: no mind was made."
    with Soul.open(path, read_only=True) as soul:
        if any(soul.stats()["notes"].values()):
            return f"Interrupted: the mind {path} is made, and everything is in it."
    return f"Interrupted: the mind {path} is made, and nothing is in it yet.\nTo make it anew, remove that file first."


def _tell(made: dict[str, Any]) -> None:
    """What was made, and what it lacks."""
    out(f"A new mind: {made['path']}, {counted(made['notes'], 'note')}, {counted(made['links'], 'link')}")
    _say_problems(made["problems"])
    lacks = [*map(str, made["remarks"]), *_lacking(made)]
    for lack in lacks:
        say(lack)
    if not (lacks or made["problems"]):
        say("Nothing is lacking.")


def _say_problems(problems: Sequence[Problem]) -> None:
    told = [problem.what if problem.line is None else f"line {problem.line}: {problem.what}" for problem in problems]
    for line in shortened(told):
        say(line)


def _lacking(made: dict[str, Any]) -> list[str]:
    """What no note is wrong with, and is not there."""
    if made["notes"] == 1:
        return ["It knows its name, and nothing else: answer a question, or give it a text (soulmem ingest adds to it)."]
    if not made["acts"]:
        return ["It has no way of acting or speaking: tell what it does when something happens, or what it often says."]
    return []


def _with_model(answers: Answers, no_model: bool) -> Answers:
    """What the model that is configured draws from the text, too; where it fails, what rules draw is all there is."""
    from soulmem.errors import ModelError
    from soulmem.ingest.text_by_model import drawn_from_text
    from soulmem.soul import utc_now

    with configured_model(no_model) as model:
        if model is None:
            return answers
        try:
            drawn, problems = drawn_from_text(model, answers, utc_now())
        except ModelError as error:
            say(f"{error.what}; the character is made by rules")
            return answers
    for problem in problems:
        say(f"The answer of the model: {problem}")
    return answers.model_copy(update={"drawn": drawn})


def _planned(text: str) -> Document:
    from soulmem.ingest.interview import read
    from soulmem.soul import utc_now

    return read(text.encode(), utc_now())


def _show_plan(planned: Document, file: str, as_json: bool) -> None:
    """What the mind would know, and the lines it is drawn from."""
    from soulmem.model.notes import display_text

    lines = {said.index: said.line for said in planned.messages}
    notes: list[dict[str, Any]] = [
        {
            "key": note.key,
            "type": note.type.value,
            "text": display_text(note.body),
            "lines": sorted({lines[index] for index in planned.drawn.get(note.key, ())}),
        }
        for note in planned.notes
    ]
    if as_json:
        problems = [{"line": problem.line, "what": problem.what} for problem in planned.problems]
        return print_json({"file": file, "notes": notes, "links": len(planned.links), "problems": problems})
    from soulmem_cli.tables import print_table

    rows = [(note["type"], ", ".join(map(str, note["lines"])), note["text"]) for note in notes]
    print_table(("type", "line", "text"), rows, cut="text")
    _say_problems(planned.problems)
    say(f"{counted(len(notes), 'note')}, {counted(len(planned.links), 'link')}; nothing was made.")
    return None


def _free(place: str | None, name: str, *, may_be_there: bool) -> str:
    """The mind to make, before anything is asked: a name of a character is never a path, and no mind may be there, unless none
    is made."""
    if place is None and (name.endswith(".mind") or any(sign in name for sign in ("/", "\\", "\0"))):
        raise click.UsageError(f"{name!r} cannot be the name of a mind too: give the mind another one with --mind.")
    from soulmem.store import mind_path
    from soulmem.store.recovery import taken

    mind = named(place or name)
    if not may_be_there and mind_path(mind).exists():
        raise taken(mind_path(mind))
    return mind


def _made(mind: str | Path, text: str, file: str, embedder: str) -> dict[str, Any]:
    from soulmem.soul import Soul

    with Soul.create(mind, embedder=embedder) as soul:
        report = soul.ingest_bytes(text.encode(), name=file, format="interview")
        stats = soul.stats()
        return {
            "path": str(soul.store.path),
            "notes": sum(stats["notes"].values()),
            "links": sum(stats["links"].values()),
            "acts": stats["notes"].get("Procedure", 0),
            "problems": report.problems,
            "remarks": soul.remarks(),
        }


def _language(chosen: str | None) -> str:
    from soulmem.demo import language_of

    return chosen or language_of(os.environ)


def _begun(save: str | None, name: str) -> dict[str, Any]:
    """What was answered in a run before, by field; nothing where no file of answers about this character is there."""
    from soulmem.errors import InputError
    from soulmem.files import read_text
    from soulmem.ingest.answers import answers_of

    if save is None or not Path(save).is_file():
        return {}
    try:
        answers = answers_of(read_text(Path(save)))
    except InputError:
        return {}  # another file, which is not overwritten
    return {field: value for field, value in answers.model_dump().items() if value} if answers.name == name else {}


@contextmanager
def _said_of(file: str | None) -> Iterator[None]:
    """What is wrong with answers is said with the file they were read from, and the line of it."""
    from soulmem.errors import FormatError

    try:
        yield
    except FormatError as error:
        if file is None:
            raise
        place = f"{file}:{error.place.removeprefix('line ')}" if error.place else file
        raise FormatError(error.what, place=place, advice=error.advice) from error


def _given(
    name: str, text_file: str | None, answers_file: str | None, language: str, save: str | None, before: dict[str, Any]
) -> dict[str, Any]:
    """The answers: from a file, of a text, or asked for."""
    from soulmem.interview import filled

    if text_file is not None and answers_file is not None:
        raise click.UsageError("Make it of one thing: --text or --answers.")
    if answers_file is not None:
        from soulmem.files import read_text
        from soulmem.ingest.answers import answers_of

        text = read_text(Path(answers_file))
        with _said_of(answers_file):
            return answers_of(text).model_dump() | {"name": name}
    if text_file is not None:
        from soulmem_cli.questions import read_text as read_any

        return filled(name, {}) | {"text": read_any(text_file).replace("\r\n", "\n")}
    if not sys.stdin.isatty():
        raise click.UsageError("Nobody is there to be asked: give --answers or --text.")
    return _asked(name, language, save, before)


#: How the questions are answered, and what stands behind those with several lines, by language.
_HOW = {
    "en": (
        "Answer in one line; an empty line passes over. Where it says so, answer line by line: an empty line ends the list.",
        "[one a line]",
    ),
    "zh": ("用一行回答，空行跳过。注明“一行一个”的可以写多行，空行结束。", "［一行一个］"),
}


#: What is said of a line that is no text.
_NOT_TEXT = {
    "en": "  That line holds half of a character: it is not UTF-8, and was not taken. Type it again, or make the terminal UTF-8.",
    "zh": "  这一行里有半个字：它不是 UTF-8，没有收下。请重新输入，或把终端设为 UTF-8。",
}


_GOES_ON = {
    "en": "Going on with {0}: answered there are {1}, only the others are asked.",
    "zh": "接着 {0} 继续：已经回答了 {1} 个，只问其余的。",
}


def _asked(name: str, language: str, save: str | None, before: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answers of who sits there, beside those that were given ``before``. Where they are broken off, those given so far are
    saved to ``save``."""
    from soulmem.interview import QUESTIONS, filled
    from soulmem.text.language import Language

    how, several = _HOW[language]
    lines: dict[str, list[str]] = {}
    before = before or {}
    open_questions = [question for question in QUESTIONS if question.field not in before]
    say(how)
    if before:
        say(_GOES_ON[language].format(save, len(QUESTIONS) - len(open_questions)))
    try:
        for question in open_questions:
            say(f"{question.text(Language(language))} {several}" if _is_list(question) else question.text(Language(language)))
            _answer(question, lines.setdefault(question.field, []), language)
    except BaseException:  # whatever ends it
        _broken_off(before | filled(name, lines), save)
        raise
    return before | filled(name, lines)


def _broken_off(given: dict[str, Any], save: str | None) -> None:
    from soulmem.files import write_whole
    from soulmem.ingest.answers import answers_of, answers_text

    say("")
    if save is None:
        return say("No mind was made, and no answer was kept: --save FILE.json would keep them.")
    write_whole(Path(save), answers_text(answers_of(json.dumps(given))))
    return say(f"No mind was made. The answers given so far are in {save}: go on with --save {save}.")


def _is_list(question: Question) -> bool:
    return question.many or question.field == "who"


def _answer(question: Question, given: list[str], language: str) -> None:
    """Take the lines that answer a question, up to an empty one, into ``given``."""
    while line := _line(question.read, language):
        given.append(line)
        if not _is_list(question):
            break


def _line(read: Callable[[str], Any], language: str) -> str:
    while True:
        try:
            line = str(click.prompt(" ", default="", show_default=False, prompt_suffix="", err=True)).strip()
            line.encode()  # what is no text comes as halves of characters, if it is not refused at once
            if line:
                read(line)
        except UnicodeError:
            say(_NOT_TEXT[language])
            continue
        except ValueError as error:
            say(f"  {error}")
            continue
        return line

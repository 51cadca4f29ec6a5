"""``soulmem new``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import named
from soulmem_cli.options import debug_option, embedder_named, json_option
from soulmem_cli.outputs import check_outputs, force_option
from soulmem_cli.terminal import counted, out, say

if TYPE_CHECKING:
    from soulmem.interview import Question


@click.command(short_help="Make a character by answering a few questions, or from a text.")
@click.argument("name", metavar="NAME")
@click.option("--mind", "place", metavar="NAME_OR_PATH", help="The mind to make. [default: NAME]")
@click.option("--text", "text_file", metavar="FILE", help="Who the character is, as a text; - is standard input.")
@click.option("--answers", "answers_file", metavar="FILE.json", help="Answers that were saved before. Nothing is asked.")
@click.option("--save", metavar="FILE.json", help="Also write the answers here, to change them and make the mind again.")
@click.option("--language", type=click.Choice(["en", "zh"]), help="Of the questions. [default: that of the locale]")
@click.option("--embedder", default="e5", show_default=True, metavar="NAME", callback=embedder_named, help="As for soulmem init.")
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
    force: bool,
    as_json: bool,
) -> None:
    """Make a character: who it is, whom it knows, what it does when, what happened to it. An empty line passes a question over.

    Everything the mind then knows leads back to its answer. What a mind lacks to be used well is told at the end.

    \b
    Examples:
      soulmem new "Ruben Castell" --mind ruben --save ruben.json
      soulmem new 小蓝 --text 小蓝.txt
    """
    from soulmem.ingest.answers import answers_of, answers_text

    check_outputs(Path(save) if save else None, force=force)
    answers = answers_of(json.dumps(_given(name, text_file, answers_file, _language(language))))
    text = answers_text(answers)
    if save:
        from soulmem.files import write_whole

        write_whole(Path(save), text)
    made = _made(named(place or name), text, save or answers_file or f"{answers.name}.json", embedder)
    if as_json:
        print_json(made)
        return
    out(f"A new mind: {made['path']}, {counted(made['notes'], 'note')}, {counted(made['links'], 'link')}")
    for remark in made["remarks"]:
        say(str(remark))


def _made(mind: str | Path, text: str, file: str, embedder: str) -> dict[str, Any]:
    from soulmem.soul import Soul

    with Soul.create(mind, embedder=embedder) as soul:
        report = soul.ingest_bytes(text.encode(), name=file, format="interview")
        stats = soul.stats()
        return {
            "path": str(soul.store.path),
            "notes": sum(stats["notes"].values()),
            "links": sum(stats["links"].values()),
            "problems": report.problems,
            "remarks": soul.remarks(),
        }


def _language(chosen: str | None) -> str:
    from soulmem.demo import language_of

    return chosen or language_of(os.environ)


def _given(name: str, text_file: str | None, answers_file: str | None, language: str) -> dict[str, Any]:
    """The answers: from a file, of a text, or asked for."""
    from soulmem.interview import filled

    if text_file is not None and answers_file is not None:
        raise click.UsageError("Make it of one thing: --text or --answers.")
    if answers_file is not None:
        from soulmem.files import read_text
        from soulmem.ingest.answers import answers_of

        return answers_of(read_text(Path(answers_file))).model_dump() | {"name": name}
    if text_file is not None:
        from soulmem_cli.questions import read_text as read_any

        return filled(name, {"who": [read_any(text_file)]})
    if not sys.stdin.isatty():
        raise click.UsageError("Nobody is there to be asked: give --answers or --text.")
    return _asked(name, language)


def _asked(name: str, language: str) -> dict[str, Any]:
    from soulmem.interview import QUESTIONS, filled
    from soulmem.text.language import Language

    lines: dict[str, list[str]] = {}
    for question in QUESTIONS:
        say(question.text(Language(language)))
        lines[question.field] = _lines(question)
    return filled(name, lines)


def _lines(question: Question) -> list[str]:
    """The lines that answer a question, up to an empty one."""
    given: list[str] = []
    while line := _line(question.read):
        given.append(line)
        if not question.many and question.field != "who":
            break
    return given


def _line(read: Callable[[str], Any]) -> str:
    while True:
        line = str(click.prompt(" ", default="", show_default=False, prompt_suffix="", err=True)).strip()
        try:
            if line:
                read(line)
        except ValueError as error:
            say(f"  {error}")
            continue
        return line

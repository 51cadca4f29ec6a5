"""What a model draws from a text about a character: only what the lines it cites bear comes into the mind."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from soulmem.errors import ModelError
from soulmem.ingest.answers import Answers, Drawn, answers_of, answers_text, document
from soulmem.ingest.text_by_model import MOST_SHOWN, drawn_from_text
from soulmem.llm.scripted import Answer, ScriptedModel
from soulmem.model.notes import AbstractSituation, Procedure, Semantic, SpecificSituation

AT = datetime(2026, 11, 1, tzinfo=UTC)
TEXT = """Oda Brandt tunes pianos in Halden.

In 2019 she fell off a ladder in the harbour church.
Oda counts to ten before she opens a lid.
Her brother Emil keeps bees."""


def drawn(answer: Any, text: str = TEXT) -> tuple[list[Drawn], list[str]]:
    model = ScriptedModel([Answer(text=json.dumps(answer), purpose="character", repeat=True)])
    return drawn_from_text(model, Answers(name="Oda Brandt", text=text), AT)


def fact(description: str, messages: list[int], content: str = "Oda Brandt", **more: Any) -> Any:
    return {"facts": [{"content": content, "description": description, "category": "identity", "messages": messages, **more}]}


def test_what_the_lines_say_is_taken_with_its_lines() -> None:
    answer = {
        **fact("Oda Brandt tunes pianos in Halden.", [1]),
        "situations": [
            {"narrative": "In 2019 Oda Brandt fell off a ladder in the harbour church.", "time_start": "2019", "messages": [3]}
            | {"location": "harbour church"}
        ],
        "habits": [{"when": "she opens a lid", "does": "counts to ten", "action_type": "Think", "messages": [4]}],
    }
    found, problems = drawn(answer)
    assert problems == [] and [one.lines for one in found] == [[1], [3], [4]]
    answers = answers_of(answers_text(Answers(name="Oda Brandt", text=TEXT, drawn=found)))
    made = document(answers, AT)
    lines = {said.index: said.line for said in made.messages}
    by_type = {
        type(note.body): note for note in made.notes if note.key in made.drawn and lines[made.drawn[note.key][0]] in (3, 4)
    }
    fell, act = by_type[SpecificSituation].body, by_type[Procedure].body
    assert isinstance(fell, SpecificSituation) and isinstance(act, Procedure) and AbstractSituation in by_type
    assert fell.time_start == datetime(2019, 1, 1, tzinfo=UTC) and fell.context.location is not None
    assert act.content == "counts to ten" and act.action_type == "Think"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (fact("Oda Brandt tunes pianos in Halden.", []), "no line it comes from"),
        (fact("Oda Brandt tunes pianos in Halden.", [2]), "no line it comes from"),
        (fact("Oda Brandt is a famous dragon hunter.", [1]), "do not say that"),
        (fact("Oda Brandt keeps bees.", [5]), "do not say that"),
        ({"habits": [{"when": "it snows", "does": "juggles knives", "messages": [4]}]}, "do not say that"),
    ],
)
def test_what_no_line_says_is_left_out_and_told(answer: Any, told: str) -> None:
    found, problems = drawn(answer)
    assert found == [] and len(problems) == 1, problems
    assert told in problems[0]


def test_a_time_and_a_place_that_no_line_says_are_absent() -> None:
    told = "Oda Brandt fell off a ladder in the harbour church."
    found, _ = drawn({"situations": [{"narrative": told, "time_start": "1999-01-02", "location": "Paris", "messages": [3]}]})
    assert [(one.at, one.until, one.place) for one in found] == [("", "", "")]


def test_a_long_text_is_read_in_parts_and_a_failing_model_is_told() -> None:
    text = "\n".join(f"Oda Brandt tuned piano number {number} in Halden." for number in range(400))
    model = ScriptedModel([Answer(text='{"facts": []}', repeat=True)])
    assert drawn_from_text(model, Answers(name="Oda Brandt", text=text), AT) == ([], [])
    shown = [prompt.messages[-1].text for prompt in model.prompts]
    assert len(shown) > 2 and all(len(one) < MOST_SHOWN * 1.5 for one in shown)
    with pytest.raises(ModelError):
        drawn_from_text(ScriptedModel([]), Answers(name="Oda Brandt", text=text), AT)
    assert any(isinstance(note.body, Semantic) for note in document(Answers(name="Oda Brandt", text=text), AT).notes)

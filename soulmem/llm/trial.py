"""One small question to a model, to see whether it can be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from soulmem.errors import ModelAnswerError
from soulmem.llm.answers import ask
from soulmem.llm.contract import Model
from soulmem.llm.prompting import rendered
from soulmem.llm.schemas import TrialForm

_SENTENCES = {"zh": "林晚去年搬到了杭州。", "en": "Odile moved to Lisbon last year."}
_EXPECTED = {"zh": ("林晚", "杭州"), "en": ("Odile", "Lisbon")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How a model did. ``seconds``: wall clock; ``is_right``: whether the answer is the one expected; ``cost`` in US dollars, if
    known; ``text``: what it said."""

    model: str
    seconds: float
    input_tokens: int
    output_tokens: int
    cost: float | None
    is_right: bool
    text: str


def try_model(model: Model, language: str, clock: Callable[[], float]) -> Trial:
    """Ask ``model`` once, for a structured answer. ``language``: ``zh`` or ``en``; ``clock``: seconds.

    Raises :class:`ModelError`, which says what is wrong and what to do.
    """
    prompt = rendered("test", language, {"sentence": _SENTENCES[language]})
    begun = clock()
    try:
        answered = ask(model, prompt, TrialForm, repairs=0)
    except ModelAnswerError as error:
        advice = (
            "It was reached, and its answer is not of the form asked for. Take a larger model, or one whose server can keep to a "
            "JSON schema; perhaps model.schema helps (auto, yes or no)."
        )
        raise ModelAnswerError(error.what, trouble=error.trouble, place=error.place, advice=advice) from error
    reply, value = answered.reply, answered.value
    return Trial(
        model=model.name,
        seconds=clock() - begun,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        cost=reply.cost,
        is_right=(value.name, value.city) == _EXPECTED[language],
        text=reply.text,
    )

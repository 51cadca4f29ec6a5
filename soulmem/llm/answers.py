"""Structured answers: asked for, read tolerantly, checked, asked for again where they are wrong; never passed on unchecked."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from soulmem.errors import AnswerTrouble, ModelAnswerError
from soulmem.llm.contract import Model, Pieces, Prompt, Reply, Said, Side
from soulmem.llm.extract import extracted
from soulmem.llm.heads import own_words, settled_words
from soulmem.llm.prompting import repair_text
from soulmem.llm.retry import tapped
from soulmem.llm.told import (
    check_no_error,
    is_echo,
    is_foreign,
    is_refusal,
    is_repetition,
    may_become_error,
    without_line_head,
    without_thinking,
)

#: After a first answer that cannot be used, so often again.
REPAIRS = 2
_LONGEST_SHOWN = 4000
#: A longer answer is none: nobody asks for so much.
LONGEST_REPLY = 200_000
#: A small model goes on with what it sees: of these answers it would make the same once more.
_NOT_SHOWN = frozenset({AnswerTrouble.CUT_OFF, AnswerTrouble.REPETITION, AnswerTrouble.ECHO, AnswerTrouble.REFUSAL})
#: What is said is held back up to the end of a sentence, or so many characters.
_LONGEST_HELD = 200
_ENDS = tuple("。！？.!?\n")

#: Words of another language that stand in every prompt.
_OF_THE_PROMPT = re.compile(r"</?\w+>|\bJSON\b")

Form = TypeVar("Form", bound="AnswerForm")


class AnswerForm(BaseModel):
    """The form of a structured answer. A subclass with one list as its only required member may come as that list alone."""

    def texts(self) -> list[str]:
        """The texts that must be in the language of the conversation."""
        return []

    def names(self) -> list[str]:
        """Other texts that the model had to find itself: names and ideas, in any language."""
        return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Generic[Form]):
    """A checked answer. ``dropped``: elements that could not be used, and why; ``repairs``: how often it was asked again;
    ``cut_off``: the end was missing, what came before is here."""

    value: Form
    dropped: tuple[str, ...] = ()
    repairs: int = 0
    cut_off: bool = False
    reply: Reply


def ask(model: Model, prompt: Prompt, form: type[Form], *, repairs: int = REPAIRS) -> Answered[Form]:
    """The answer of ``model`` in ``form``; up to ``repairs`` times it is told what was wrong, and asked again.

    Raises:
        ModelAnswerError: no answer could be used; of the last one it is said why.
        ModelError: the call failed, or there is no budget for it.
    """
    asked = replace(prompt, schema=prompt.schema if prompt.schema is not None else schema_of(form))
    source = _OF_THE_PROMPT.sub("", "\n".join(said.text for said in prompt.messages))
    question = asked
    for repair in range(repairs + 1):
        reply = model.answer(question)
        check_no_error(reply.text)
        try:
            return read(reply, form, source=source, instructions=prompt.system, repairs=repair)
        except ModelAnswerError as error:
            if repair == repairs:
                times = f" (asked {repairs + 1} times)" if repairs else ""
                raise ModelAnswerError(
                    f"{prompt.purpose}: {error.what}{times}", trouble=error.trouble, place=model.name, advice=error.advice
                ) from error
            question = _repaired(asked, reply, error)
    raise AssertionError("unreachable: the last try returns or raises")


@cache
def schema_of(form: type[AnswerForm]) -> Mapping[str, Any]:
    """The JSON schema of ``form``, without references: not every provider follows them."""
    schema = form.model_json_schema()
    definitions = schema.pop("$defs", {})

    def inlined(part: Any) -> Any:
        if isinstance(part, dict):
            if "$ref" in part:
                return inlined(definitions[part["$ref"].rpartition("/")[2]])
            return {name: inlined(value) for name, value in part.items()}
        return [inlined(item) for item in part] if isinstance(part, list) else part

    found: dict[str, Any] = inlined(schema)
    return found


def read(
    reply: Reply, form: type[Form], *, source: str | None = None, instructions: str = "", repairs: int = 0
) -> Answered[Form]:
    """``reply`` in ``form``. ``source``: the conversation, whose language the texts must have; ``instructions``: what they must
    not be copied from.

    Raises :class:`ModelAnswerError`; elements of lists that are wrong are dropped as long as any is left.
    """
    if len(reply.text) > LONGEST_REPLY:
        raise ModelAnswerError(
            f"the answer has {len(reply.text)} characters; {LONGEST_REPLY} are read", trouble=AnswerTrouble.CUT_OFF
        )
    found = extracted(reply.text)
    value, dropped = _validated(form, _unwrapped(form, found.value))
    _check_texts(value.texts(), value.names(), source, instructions)
    cut_off = found.cut_off or reply.truncated
    return Answered(value=value, dropped=tuple(dropped), repairs=repairs, cut_off=cut_off, reply=reply)


def _check_texts(texts: list[str], names: list[str], source: str | None, instructions: str) -> None:
    """Raises :class:`ModelAnswerError` where texts have the form asked for, and are no answer."""
    if any(map(is_refusal, texts)):
        raise ModelAnswerError("the model refused, in the form asked for", trouble=AnswerTrouble.REFUSAL)
    if any(map(is_repetition, [*texts, *names])):
        raise ModelAnswerError("the answer says the same again and again", trouble=AnswerTrouble.REPETITION)
    if any(is_echo(text, instructions, source or "") for text in [*texts, *names]):
        raise ModelAnswerError("the answer is copied from the instructions", trouble=AnswerTrouble.ECHO)
    if source is not None and is_foreign("\n".join(texts), source):
        raise ModelAnswerError("the answer is not in the language of the conversation", trouble=AnswerTrouble.LANGUAGE)


def _unwrapped(form: type[AnswerForm], value: Any) -> Any:
    """``value`` as ``form`` has it, where it came as the list alone, or wrapped in an object of one member."""
    names = set(form.model_fields)
    lists = [name for name in form.model_fields if schema_of(form)["properties"][name].get("type") == "array"]
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], dict) and names & value[0].keys():
            return value[0]
        return {lists[0]: value} if len(lists) == 1 else value
    if isinstance(value, dict) and not names & value.keys() and len(value) == 1:
        inner = next(iter(value.values()))
        if isinstance(inner, dict) and names & inner.keys():
            return inner
    return value


def _validated(form: type[Form], value: Any) -> tuple[Form, list[str]]:
    """``value`` in ``form``, without those elements of its lists that are wrong."""
    if isinstance(value, dict) and not set(form.model_fields) & value.keys():
        raise _not_as_asked(f"it has none of: {', '.join(form.model_fields)}")
    dropped: list[str] = []
    wrong: dict[tuple[str, int], str] = {}
    try:
        return form.model_validate(value), dropped
    except ValidationError as error:
        for one in error.errors(include_url=False, include_input=False):
            place = one["loc"]
            told = f"{'.'.join(map(str, place))}: {one['msg']}"
            if len(place) < 2 or not isinstance(place[0], str) or not isinstance(place[1], int):
                raise _not_as_asked(told) from error
            wrong.setdefault((place[0], place[1]), told)
    kept = {
        name: [item for number, item in enumerate(items) if (name, number) not in wrong] if isinstance(items, list) else items
        for name, items in value.items()
        if isinstance(items, list) or name not in {of for of, _ in wrong}
    }
    if not any(kept.get(name) for name, _ in wrong):
        raise _not_as_asked("; ".join(list(wrong.values())[:3]))
    dropped = list(wrong.values())
    return form.model_validate(kept), dropped


def _not_as_asked(told: str) -> ModelAnswerError:
    return ModelAnswerError(f"the answer is not as asked: {told[:300]}", trouble=AnswerTrouble.NOT_AS_ASKED)


def _repaired(asked: Prompt, reply: Reply, error: ModelAnswerError) -> Prompt:
    """``asked`` again, saying what was wrong, and showing what came unless it would lead astray again."""
    shown = "" if error.trouble in _NOT_SHOWN else without_thinking(reply.text)[:_LONGEST_SHOWN].strip()
    said = [Said(Side.ASSISTANT, shown)] if shown else []
    again = Said(Side.USER, repair_text(asked.language or "en", error.what, error.trouble))
    return replace(asked, messages=(*asked.messages, *said, again))


def spoken(pieces: Pieces, own: Collection[str] = (), others: Collection[str] = ()) -> Generator[str, None, Reply]:
    """Plain talk of a model, in pieces as they come, without its thinking; returns the whole reply. ``own``: the names of whom it
    speaks as; ``others``: of those it does not speak for: where a line of theirs begins, the reply is over.

    The beginning is held back until it is clear that it is no failure told as text, and no refusal. Raises
    :class:`ModelAnswerError` (empty, refused) or :class:`ModelCallError`; what is refused was not passed on.
    """
    whole: list[str] = []
    passed = 0
    source = tapped(pieces, whole.append)
    while True:
        try:
            next(source)
        except StopIteration as end:
            reply: Reply = end.value
            break
        text = _spoken_so_far("".join(whole), own, others)
        if text is not None and len(text) > passed and (passed or _is_clear(text)):
            yield text[passed:]
            passed = len(text)
    text = spoken_text(reply, own, others)
    if text[passed:]:
        yield text[passed:]
    return replace(reply, text=text)


def spoken_text(reply: Reply, own: Collection[str] = (), others: Collection[str] = ()) -> str:
    """Plain talk in ``reply``. Arguments and errors are those of :func:`spoken`."""
    check_no_error(reply.text)
    text = own_words(_talk(reply.text), own, others).strip()
    if not text:
        raise ModelAnswerError("the model said nothing", trouble=AnswerTrouble.EMPTY)
    if is_echo(text, "", ""):
        raise ModelAnswerError("the model copied its prompt", trouble=AnswerTrouble.ECHO)
    if is_refusal(text):
        raise ModelAnswerError("the model refused", trouble=AnswerTrouble.REFUSAL, advice="Use another model for this.")
    if is_repetition(text):
        raise ModelAnswerError("the model said the same again and again", trouble=AnswerTrouble.REPETITION)
    return text


def _talk(text: str) -> str:
    return without_line_head(without_thinking(text)).strip()


def _is_clear(text: str) -> bool:
    if len(text) > _LONGEST_HELD:
        return True
    return any(end in text for end in _ENDS) and not may_become_error(text) and not is_refusal(text) and not is_echo(text, "", "")


def _spoken_so_far(text: str, own: Collection[str], others: Collection[str]) -> str | None:
    """What of ``text`` is talk for certain; ``None``: nothing yet."""
    lowered = text.lstrip()
    opened = lowered.startswith("<") and (">" not in lowered[:24])
    if opened:
        return None
    said = settled_words(_talk(text), own, others).lstrip()
    # A tag may be on its way, and blanks at the end may be the end.
    return said[: said.rfind("<")] if "<" in said[-16:] else said

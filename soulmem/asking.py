"""What the last turns of a talk should bring to mind, as a model puts it: structured questions, each kept only if the mind has
something to answer it with (SPEC §4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from soulmem.errors import ModelError
from soulmem.llm.answers import ask
from soulmem.llm.contract import Model
from soulmem.llm.prompting import message_line, rendered, shortened
from soulmem.llm.schemas import QueriesForm, structured_queries
from soulmem.model.queries import SubQuery
from soulmem.text.language import Language, language

#: So many lines are looked at: six turns of two.
TURNS = 12

#: Why there are no questions though the model had some.
NOTHING_ANSWERS = "nothing in the mind answers what the model asked for"

#: Whether a question has anything to answer it with: what it resembles most reaches the floor.
Answerable = Callable[[SubQuery], bool]


def asked(
    model: Model, character: str, lines: Sequence[tuple[str, str]], at: datetime, answerable: Answerable
) -> tuple[tuple[SubQuery, ...], str]:
    """The questions that ``lines`` (speaker, text; last the one to be answered) raise, and in words why there are none.

    A model that fails costs nothing: without questions the line itself is asked.
    """
    last = lines[-TURNS:]
    spoken_in = language("\n".join(text for _, text in last))
    values = {
        "character": character,
        "now": f"{at:%Y-%m-%d %H:%M}",
        "messages": [message_line(place, speaker, shortened(text)) for place, (speaker, text) in enumerate(last, 1)],
    }
    try:
        form = ask(model, rendered("queries", "zh" if spoken_in is Language.ZH else "en", values), QueriesForm).value
    except ModelError as error:
        return (), error.what
    found = tuple(query for query in structured_queries(form, at) if answerable(query))
    return found, "" if found else NOTHING_ANSWERS

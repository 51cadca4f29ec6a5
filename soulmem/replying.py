"""What a model is given to reply in the character's place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from soulmem.llm.contract import Prompt
from soulmem.llm.prompting import message_line, rendered, shortened
from soulmem.text.language import Language, language


def reply_prompt(character: str, lines: Sequence[tuple[str, str, datetime | None]], remembered: str, at: datetime) -> Prompt:
    """The prompt for the next line of ``character``. ``lines``: (speaker, text, time), last the one to be answered;
    ``remembered``: the recollection, rendered."""
    spoken_in = language("\n".join(text for _, text, _ in lines))
    values = {
        "character": character,
        "now": f"{at:%Y-%m-%d %H:%M}",
        "memories": remembered,
        "messages": [message_line(place, speaker, shortened(text), when) for place, (speaker, text, when) in enumerate(lines, 1)],
    }
    return rendered("reply", "zh" if spoken_in is Language.ZH else "en", values)

"""Which time a question is about: now, a time that it names, or once upon a time (*where did she use to live*)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from soulmem.text.times import TimeMention

Span = tuple[datetime, datetime]
#: A question about once is about all that has been.
ALWAYS: Span = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
_DAY = timedelta(days=1)
_ONCE = re.compile(
    r"\b(?:use[d]?\s+to|previously|formerly|earlier\s+on|in\s+the\s+past|once\s+(?:live|work|own|like|love|hate|have)\w*"
    r"|before\s+(?:that|now|this)|before\W*\Z|back\s+then)\b"
    r"|以前|从前|之前(?!的?事)|过去(?!了|的?[一两三几\d])|曾经|原来(?=住|在|是|叫|做|的)|先前|早先",
    re.I,
)


def spans_asked(text: str, times: Sequence[TimeMention], at: datetime) -> list[Span]:
    """From when to when (exclusive) the times are that a question asked at ``at`` is about; none: it is about now.

    What is no longer than a day and not over yet is now.
    """
    spans = [(one.start, one.stop) for one in times if not _is_now(one, at)]
    return spans or ([ALWAYS] if _ONCE.search(text) else [])


def _is_now(mention: TimeMention, at: datetime) -> bool:
    return mention.start <= at < mention.stop and mention.stop - mention.start <= _DAY

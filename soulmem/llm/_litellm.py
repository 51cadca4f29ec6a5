"""The only module that imports litellm. It takes seconds to import, so that happens at the first call, and not before."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

#: Worth another try: the service was busy, slow or broken, not the request wrong.
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD")
_SECRET_LOOK = re.compile(r"\b(?:sk|pk|rk)-[\w*-]{6,}|(?i:bearer)\s+\S+")
_SHORTEST_SECRET = 6
_LONGEST_REASON = 300


class CallFailedError(Exception):
    """A call to a provider failed. ``reason`` holds no key; ``status`` is the HTTP status, if it came to one; ``passing``:
    whether another try may succeed, at the earliest after ``retry_after`` seconds, if the provider said so."""

    def __init__(self, reason: str, *, status: int | None, passing: bool, retry_after: float | None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.passing = passing
        self.retry_after = retry_after


def embedding(
    model: str, texts: Sequence[str], *, dimensions: int | None, base_url: str | None, key: str | None, timeout: float
) -> Any:
    """The ``data`` of one embedding call (a list of ``{"index", "embedding"}``, not checked). Raises :class:`CallFailedError`."""
    litellm = _litellm()
    options: dict[str, Any] = {"allowed_openai_params": ["dimensions"]} if dimensions and model.startswith("openai/") else {}
    try:
        answer = litellm.embedding(
            model=model,
            input=list(texts),
            dimensions=dimensions,
            encoding_format="float",
            api_base=base_url,
            api_key=key,
            timeout=timeout,
            max_retries=0,
            drop_params=True,
            **options,
        )
    except Exception as error:  # noqa: BLE001 - litellm raises whatever its providers' libraries raise
        # "from None": the cause may quote the request, and with it the key.
        raise _translated(error, key) from None
    return answer.data


@cache
def _litellm() -> Any:
    # Else importing fetches a price list over the network. Set for this process, as it is read at import only.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.telemetry = False
    litellm.DEFAULT_MAX_RETRIES = 0  # whoever calls counts the attempts; litellm reads max_retries=0 as "the default"
    litellm.suppress_debug_info = True  # no advertisement on standard output when a call fails
    return litellm


def _translated(error: Exception, key: str | None) -> CallFailedError:
    status = getattr(error, "status_code", None)
    connection = any(kind in type(error).__name__ for kind in ("Connection", "Timeout"))
    return CallFailedError(
        _without_secrets(str(error), key),
        status=status if isinstance(status, int) and not connection else None,
        passing=connection or status in _PASSING,
        retry_after=_retry_after(error),
    )


def _retry_after(error: Exception) -> float | None:
    """Seconds, from the ``Retry-After`` header (seconds form); ``None`` where there is none that is a number ≥ 0."""
    headers = getattr(error, "litellm_response_headers", None) or getattr(getattr(error, "response", None), "headers", None)
    if not isinstance(headers, Mapping):
        return None
    text = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _without_secrets(text: str, key: str | None) -> str:
    """``text`` on one line, shortened, with every key blacked out that is in use, in the environment, or looks like one."""
    secrets = {key or ""} | {value for name, value in os.environ.items() if _SECRET_NAME.search(name.upper())}
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "***")
    line = " ".join(_SECRET_LOOK.sub("***", text).split())
    return line if len(line) <= _LONGEST_REASON else line[: _LONGEST_REASON - 1] + "…"

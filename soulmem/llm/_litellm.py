"""The only module that imports litellm. It takes seconds to import, so that happens at the first call, and not before."""

from __future__ import annotations

import math
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any
from warnings import catch_warnings, simplefilter

from soulmem.errors import CallTrouble
from soulmem.llm.secrets import reason

#: Worth another try: the service was busy, slow or broken, not the request wrong.
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_TROUBLES = {401: CallTrouble.KEY, 403: CallTrouble.KEY, 404: CallTrouble.NOT_FOUND, 408: CallTrouble.TIMEOUT}
#: How servers say that they take no JSON schema; and that there is more text than they read.
_OF_THE_SCHEMA = ("response_format", "json_schema", "response format", "structured output", "grammar")
_OF_THE_CONNECTION = ("connection error", "connection refused", "cannot connect", "connect call failed", "name or service")
_OF_THE_LENGTH = ("context length", "context window", "context size", "maximum context", "too many tokens", "prompt is too long")


class CallFailedError(Exception):
    """A call to a provider failed. ``reason`` holds no key; ``status`` is the HTTP status, if it came to one; ``passing``:
    whether another try may succeed, at the earliest after ``retry_after`` seconds, if the provider said so."""

    def __init__(
        self, reason: str, *, status: int | None, passing: bool, retry_after: float | None, trouble: CallTrouble
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.passing = passing
        self.retry_after = retry_after
        self.trouble = trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """What a completion gave. Tokens and cost are ``None`` where they are not known; ``finish``: why it stopped, as it said."""

    text: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    finish: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One completion to ask for. ``messages``: (role, text); ``schema``: of the answer; ``timeout`` in seconds."""

    model: str
    messages: tuple[tuple[str, str], ...]
    schema: Mapping[str, Any] | None
    base_url: str | None
    key: str | None
    timeout: float
    temperature: float
    max_tokens: int

    def options(self) -> dict[str, Any]:
        """As litellm takes them."""
        form = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": self.schema}}
        return {
            "model": self.model,
            "messages": [{"role": role, "content": text} for role, text in self.messages],
            "api_base": self.base_url,
            "api_key": self.key,
            "timeout": self.timeout,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "max_retries": 0,
            "drop_params": True,
            **({"response_format": form} if self.schema is not None else {}),
        }


def takes_schema(model: str) -> bool:
    """Whether litellm passes a JSON schema on to this model's provider (which may refuse it still)."""
    with suppress(Exception):
        return "response_format" in (_litellm().get_supported_openai_params(model) or ())
    return False


def completion(call: Call) -> Completed:
    """One completion. Raises :class:`CallFailedError`."""
    try:
        with _quietly():
            answer = _litellm().completion(**call.options())
        choice = answer.choices[0]
        text, finish = choice.message.content, choice.finish_reason
    except Exception as error:  # noqa: BLE001 - litellm raises whatever its providers' libraries raise
        raise _translated(error, call.key) from None
    return _completed(call, text if isinstance(text, str) else "", getattr(answer, "usage", None), str(finish or ""))


def stream(call: Call) -> Generator[str, None, Completed]:
    """One completion in pieces, as they come; returns the whole. Raises :class:`CallFailedError`, also after the first pieces."""
    pieces: list[str] = []
    chunks: list[Any] = []
    finish = ""
    try:
        for chunk in _chunks(call):
            chunks.append(chunk)
            choice = chunk.choices[0] if chunk.choices else None
            finish = (choice and choice.finish_reason) or finish
            piece = choice and choice.delta.content
            if isinstance(piece, str) and piece:
                pieces.append(piece)
                yield piece
    except Exception as error:  # noqa: BLE001 - as above
        raise _translated(error, call.key) from None
    tokens = next((chunk.usage for chunk in reversed(chunks) if getattr(chunk, "usage", None)), None)
    return _completed(call, "".join(pieces), tokens, str(finish))


def _chunks(call: Call) -> Iterator[Any]:
    with _quietly():
        # Tokens are asked for where they can be: with a server that does not know the wish, drop_params leaves it out.
        chunks = iter(_litellm().completion(**call.options(), stream=True, stream_options={"include_usage": True}))
    while True:
        with _quietly():
            chunk = next(chunks, None)
        if chunk is None:
            return
        yield chunk


@contextmanager
def _quietly() -> Iterator[None]:
    """Without the warnings that litellm's own types give rise to: nobody here can do anything about them."""
    with catch_warnings():
        simplefilter("ignore")
        yield


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


def _count(tokens: Any, name: str) -> int | None:
    number = getattr(tokens, name, None)
    return number if isinstance(number, int) and number > 0 else None  # litellm says 0 where nothing was told


def _completed(call: Call, text: str, tokens: Any, finish: str) -> Completed:
    given, made = _count(tokens, "prompt_tokens"), _count(tokens, "completion_tokens")
    return Completed(text=text, input_tokens=given, output_tokens=made, cost=_cost(call, given, made), finish=finish)


def _cost(call: Call, given: int | None, made: int | None) -> float | None:
    """US dollars by litellm's own price list; ``None`` for a server of one's own, or a model that is not in the list."""
    if call.base_url or given is None or made is None:
        return None
    with suppress(Exception):
        cost = float(sum(_litellm().cost_per_token(model=call.model, prompt_tokens=given, completion_tokens=made)))
        return cost if math.isfinite(cost) and cost > 0 else None
    return None


def _translated(error: Exception, key: str | None) -> CallFailedError:
    status = getattr(error, "status_code", None)
    kind = type(error).__name__
    connection = any(word in kind for word in ("Connection", "Timeout"))
    trouble = _trouble(kind, status if isinstance(status, int) else 0, str(error).lower())
    return CallFailedError(
        reason(str(error), [key]),
        status=status if isinstance(status, int) and not connection else None,
        passing=connection or status in _PASSING,
        retry_after=_retry_after(error),
        trouble=trouble,
    )


def _trouble(kind: str, status: int, told: str) -> CallTrouble:
    if "Timeout" in kind:
        return CallTrouble.TIMEOUT
    if "Connection" in kind or (status >= 500 and any(words in told for words in _OF_THE_CONNECTION)):
        return CallTrouble.UNREACHABLE
    if not status:
        return CallTrouble.FOREIGN  # litellm could not make anything of what came
    if 400 <= status < 500 and (kind == "ContextWindowExceededError" or any(words in told for words in _OF_THE_LENGTH)):
        return CallTrouble.TOO_LONG
    if status in (400, 422) and any(words in told for words in _OF_THE_SCHEMA):
        return CallTrouble.NO_SCHEMA
    return _of_status(status)


def _of_status(status: int) -> CallTrouble:
    if status in _TROUBLES:
        return _TROUBLES[status]
    if status in (429, 503, 529):
        return CallTrouble.BUSY
    return CallTrouble.BROKEN if status >= 500 else CallTrouble.REQUEST


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

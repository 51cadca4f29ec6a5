"""A model of any provider, or of a server of one's own, by litellm."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from soulmem.errors import CallTrouble, ModelCallError, ModelUnsetError
from soulmem.llm._litellm import Call, CallFailedError, Completed, completion, stream, takes_schema
from soulmem.llm.contract import Pieces, Prompt, Reply, estimated_tokens, prompt_tokens
from soulmem.llm.prompting import with_schema_in_words
from soulmem.llm.secrets import KEY_VARIABLE, host, provider_variable
from soulmem.llm.settings import ModelSettings

#: What pydantic adds to a schema and strict providers refuse; a mapping of that name is a property.
_DROPPED = ("default", "title")
_CUT_OFF = frozenset({"length", "max_tokens"})


class ProviderModel:
    """A model reached over the network (or on this computer, by its server). Texts go to it.

    Where it takes no JSON schema that is found out at the first prompt with one; from then on the schema is put in words.
    """

    def __init__(self, settings: ModelSettings, key: str | None) -> None:
        if not settings.name:
            raise ModelUnsetError("no language model is configured", advice="Name one: soulmem config set model.name …")
        self._settings = settings
        self._name = settings.name
        self._key = key
        self._by_schema = settings.schema != "no"
        self._is_looked_up = settings.schema != "auto"

    @property
    def name(self) -> str:
        return self._name

    @property
    def takes_schema(self) -> bool:
        """Whether structured answers are asked for by JSON schema, as far as is known by now."""
        return self._by_schema

    def answer(self, prompt: Prompt) -> Reply:
        """One call; a second one where the first shows that no schema is taken."""
        try:
            return self._reply(prompt, completion(self._call(prompt)))
        except CallFailedError as error:
            if not self._gives_up_schema(prompt, error):
                raise self._failure(error) from error
        return self.answer(prompt)

    def stream(self, prompt: Prompt) -> Pieces:
        """As :meth:`answer`, in pieces."""
        return self._streamed(prompt)

    def _streamed(self, prompt: Prompt) -> Generator[str, None, Reply]:
        try:
            return self._reply(prompt, (yield from stream(self._call(prompt))))
        except CallFailedError as error:
            if not self._gives_up_schema(prompt, error):
                raise self._failure(error) from error
        return (yield from self._streamed(prompt))

    def _call(self, prompt: Prompt) -> Call:
        if prompt.schema is not None and not self._is_looked_up:
            self._by_schema, self._is_looked_up = takes_schema(self._name), True
        asked = prompt if self._by_schema or prompt.schema is None else with_schema_in_words(prompt)
        system = (("system", asked.system),) if asked.system else ()
        return Call(
            model=self._name,
            messages=(*system, *((said.side.value, said.text) for said in asked.messages)),
            schema=_strict(prompt.schema) if self._by_schema and prompt.schema is not None else None,
            base_url=self._settings.base_url,
            key=self._key,
            timeout=self._settings.timeout_seconds,
            temperature=self._settings.temperature,
            max_tokens=min(prompt.max_tokens or self._settings.max_tokens, self._settings.max_tokens),
        )

    def _gives_up_schema(self, prompt: Prompt, error: CallFailedError) -> bool:
        if error.trouble is not CallTrouble.NO_SCHEMA or prompt.schema is None or not self._by_schema:
            return False
        if self._settings.schema != "auto":
            return False
        self._by_schema = False
        return True

    def _reply(self, prompt: Prompt, done: Completed) -> Reply:
        return Reply(
            text=done.text,
            input_tokens=prompt_tokens(prompt) if done.input_tokens is None else done.input_tokens,
            output_tokens=estimated_tokens(done.text) if done.output_tokens is None else done.output_tokens,
            model=self._name,
            cost=done.cost,
            truncated=done.finish in _CUT_OFF,
        )

    def _failure(self, error: CallFailedError) -> ModelCallError:
        return ModelCallError(
            f"model {self._name}: {_TOLD[error.trouble]}: {error.reason}",
            trouble=error.trouble,
            passing=error.passing,
            retry_after=error.retry_after,
            place=host(self._settings.base_url),
            advice=self._advice(error.trouble),
        )

    def _advice(self, trouble: CallTrouble) -> str:
        own = provider_variable(self._name.partition("/")[0])
        key = KEY_VARIABLE if self._settings.base_url else f"{own} (or {KEY_VARIABLE})"
        return _ADVICE[trouble].format(key=key, seconds=f"{self._settings.timeout_seconds:g}")


_TOLD: Mapping[CallTrouble, str] = {
    CallTrouble.UNREACHABLE: "it cannot be reached",
    CallTrouble.TIMEOUT: "it did not answer in time",
    CallTrouble.KEY: "the key is missing or was refused",
    CallTrouble.NOT_FOUND: "there is no such model, or no such address",
    CallTrouble.BUSY: "it is busy, or the quota is used up",
    CallTrouble.BROKEN: "it failed",
    CallTrouble.TOO_LONG: "the text is longer than it can read at once",
    CallTrouble.NO_SCHEMA: "it takes no JSON schema",
    CallTrouble.REQUEST: "it refused the request",
    CallTrouble.FOREIGN: "what answered is no language model, or the name is not one litellm knows",
}
_ADVICE: Mapping[CallTrouble, str] = {
    CallTrouble.UNREACHABLE: "Is the server running? Check model.base_url, and the network.",
    CallTrouble.TIMEOUT: "It had {seconds} seconds. Allow more with model.timeout_seconds, or take a smaller model.",
    CallTrouble.KEY: "Put the key in the environment: {key}.",
    CallTrouble.NOT_FOUND: "Check model.name (provider/model) and model.base_url (often it ends in /v1).",
    CallTrouble.BUSY: "Wait a while, or look at your account there.",
    CallTrouble.BROKEN: "Try again later, and look at the server's own log.",
    CallTrouble.TOO_LONG: "Give the server a larger context, or use another model.",
    CallTrouble.NO_SCHEMA: "Ask in words instead: soulmem config set model.schema auto",
    CallTrouble.REQUEST: "Check model.name, model.temperature and model.max_tokens.",
    CallTrouble.FOREIGN: "Check model.name (openai/… for any server that speaks OpenAI's protocol) and model.base_url.",
}


def _strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """``schema`` as strict providers want it: every object closed, and all its properties required."""

    def closed(part: Any) -> Any:
        if isinstance(part, Mapping):
            inner = {name: closed(value) for name, value in part.items() if name not in _DROPPED or isinstance(value, Mapping)}
            if isinstance(inner.get("properties"), dict):
                inner |= {"additionalProperties": False, "required": list(inner["properties"])}
            return inner
        return [closed(item) for item in part] if isinstance(part, list) else part

    found: dict[str, Any] = closed(schema)
    return found

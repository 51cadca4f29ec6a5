"""A model that gives the same answer to the same prompt, and is asked for it once: for what is planned first and done after."""

from __future__ import annotations

from soulmem.llm.contract import Model, Pieces, Prompt, Reply


class RepeatingModel:
    """``model``, asked for each prompt once. Failures are not kept; streams are passed through."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._answers: dict[tuple[object, ...], Reply] = {}

    @property
    def name(self) -> str:
        return self._model.name

    def answer(self, prompt: Prompt) -> Reply:
        """As ``model`` answered this prompt the first time."""
        asked = (prompt.purpose, prompt.system, prompt.messages)
        if asked not in self._answers:
            self._answers[asked] = self._model.answer(prompt)
        return self._answers[asked]

    def stream(self, prompt: Prompt) -> Pieces:
        return self._model.stream(prompt)

"""The tags of characters that stand in no word of the dictionary: jieba's hidden Markov model, walked with arrays.

jieba walks it with a Python dict for every state of every character, up to ten milliseconds a character. Answers are the same to
the last bit: sums are taken in its order, and of equal ones the last state wins (``tests/text/test_cut.py`` compares them).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

#: Where in a word a character stands (B, M, E or S), and the tag of the word.
State = tuple[str, str]

_NEVER = -np.inf
#: What jieba gives a character that a state is not known to write.
_HARDLY = -3.14e100


class Model:
    """``states``: character → states it may have; ``start``, ``moves`` and ``writes``: logarithms of probabilities."""

    def __init__(
        self,
        states: Mapping[str, Sequence[State]],
        start: Mapping[State, float],
        moves: Mapping[State, Mapping[State, float]],
        writes: Mapping[State, Mapping[str, float]],
    ) -> None:
        self._names = sorted(moves)
        self._number = {name: number for number, name in enumerate(self._names)}
        self._states = states
        self._writes = writes
        self._start = np.array([start[name] for name in self._names])
        self._moves = np.full((len(self._names), len(self._names)), _NEVER)
        for name, to in moves.items():
            for other, chance in to.items():
                self._moves[self._number[name], self._number[other]] = chance
        self._leads: NDArray[np.bool_] = np.asarray(self._moves > _NEVER)
        self._goes_on: NDArray[np.bool_] = np.asarray(self._leads.any(axis=1))
        self._known = frozenset(character for written in writes.values() for character in written)
        self._written = lru_cache(maxsize=8192)(self._known_states)

    def best(self, run: str) -> tuple[State, ...]:
        """The likeliest states of the characters of ``run`` (not empty), one for each."""
        layer, chances = self._written(run[0])
        chances = self._start[layer] + chances
        layers, origins = [layer], list[NDArray[np.intp]]()
        for character in run[1:]:
            layer, chances, origin = self._step(character, layer, chances)
            layers.append(layer)
            origins.append(origin)
        place = _last_best(chances[:, np.newaxis])[0]
        path = [layer[place]]
        for layer, origin in zip(reversed(layers[:-1]), reversed(origins), strict=True):
            place = origin[place]
            path.append(layer[place])
        return tuple(self._names[number] for number in reversed(path))

    def _step(
        self, character: str, layer: NDArray[np.intp], chances: NDArray[np.float64]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.intp]]:
        """States of the next character, how likely each is, and for each the place in ``layer`` it comes from."""
        alive = np.flatnonzero(self._goes_on[layer])
        if not len(alive):
            alive = np.arange(len(layer))
        before = layer[alive]
        possible: NDArray[np.bool_] = np.asarray(self._leads[before].any(axis=0))
        after, written = self._written(character)
        kept = possible[after]
        after, written = after[kept], written[kept]
        if not len(after):
            after = np.flatnonzero(possible) if possible.any() else np.arange(len(self._names))
            written = self._emissions(character, after)
        sums = chances[alive, np.newaxis] + self._moves[before[:, np.newaxis], after] + written
        best = _last_best(sums)
        return after, sums[best, np.arange(len(after))], alive[best]

    def _known_states(self, character: str) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        names = self._states.get(character, self._names)
        numbers = np.array(sorted(self._number[name] for name in names), dtype=np.intp)
        return numbers, self._emissions(character, numbers)

    def _emissions(self, character: str, numbers: NDArray[np.intp]) -> NDArray[np.float64]:
        if character not in self._known:
            return np.full(len(numbers), _HARDLY)
        return np.array([self._writes[self._names[number]].get(character, _HARDLY) for number in numbers])


def _last_best(sums: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each column the last row that holds its maximum."""
    last: NDArray[np.intp] = len(sums) - 1 - sums[::-1].argmax(axis=0)
    return last

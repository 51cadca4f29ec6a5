"""One error tree, as its module draws it."""

from __future__ import annotations

import inspect
import re
from functools import partial
from typing import Any

import pytest

from soulmem import errors
from soulmem.errors import FormatError, SoulmemError

CLASSES = [
    cls
    for _, cls in inspect.getmembers(errors, inspect.isclass)
    if cls.__module__ == errors.__name__ and issubclass(cls, Exception)
]
#: What some errors must be told besides.
MORE: dict[type[SoulmemError], dict[str, Any]] = {
    errors.ModelAnswerError: {"trouble": errors.AnswerTrouble.EMPTY},
    errors.ModelCallError: {"trouble": errors.CallTrouble.BUSY},
}


def drawn() -> dict[str, str]:
    """Child → parent, from the drawing in the docstring of the module."""
    parents: dict[str, str] = {}
    path: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"\s*(?:[│├└─]\s*)*(\w+Error)\b", line)
        if not match or "SoulmemError``" in line:
            continue
        depth, name = match.start(1), match[1]
        path = [(there, above) for there, above in path if there < depth]
        if path:
            parents[name] = path[-1][1]
        path.append((depth, name))
    return parents


def test_the_drawing_is_the_tree() -> None:
    tree = {cls.__name__: cls.__base__.__name__ for cls in CLASSES if cls is not SoulmemError and cls.__base__}
    assert drawn() == tree
    assert len(tree) > 5


@pytest.mark.parametrize("cls", CLASSES)
def test_every_error_says_what_where_and_what_to_do(cls: type[SoulmemError]) -> None:
    assert issubclass(cls, SoulmemError) and cls.__doc__
    make = partial(cls, **MORE.get(cls, {}))
    error = make("no name", place="a.json:3", advice="Give it a name.")
    assert str(error) == "a.json:3: no name\n  Give it a name."
    assert (error.what, error.place, error.advice) == ("no name", "a.json:3", "Give it a name.")
    assert str(make("no name")) == "no name"


def test_no_name_hides_one_of_python() -> None:
    import builtins

    assert not {cls.__name__ for cls in CLASSES} & set(dir(builtins))
    assert not issubclass(FormatError, ValueError)

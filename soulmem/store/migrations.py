"""The schema of a mind: numbered steps, applied in order and recorded in the mind itself."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources.abc import Traversable
from pathlib import Path

from soulmem.errors import MindVersionError, StoreError
from soulmem.store._kuzu import Engine, Transaction
from soulmem.store.cypher import statements
from soulmem.store.queries import Library

#: What the names begin with under which ``Meta`` records the steps.
_RECORD = "schema/"
_STEP = re.compile(r"\d{3}_\w+\.cypher")


#: What the name of a copy of a mind has after the mind's.
_BEFORE = ".before-"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the schema. ``sha256`` is of its text with ``\\n`` line ends."""

    name: str
    text: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def number(self) -> str:
        return self.name[:3]


def steps(folder: Traversable) -> list[Step]:
    """The steps in ``folder``, in order."""
    files = sorted((file for file in folder.iterdir() if _STEP.fullmatch(file.name)), key=lambda file: file.name)
    return [Step(file.name.removesuffix(".cypher"), file.read_text(encoding="utf-8").replace("\r\n", "\n")) for file in files]


def vector_statements(folder: Traversable, dimension: int) -> list[str]:
    """The statements that add the vector columns, for vectors of ``dimension``."""
    text = (folder / "vectors.cypher").read_text(encoding="utf-8")
    return [re.sub(r"\bDIMENSION\b", str(int(dimension)), statement) for statement in statements(text)]


def apply_steps(transaction: Transaction, library: Library, missing: Sequence[Step], now: datetime) -> None:
    """Run ``missing`` steps and record them."""
    for step in missing:
        for statement in statements(step.text):
            transaction.copy(statement, {})
        value = json.dumps({"sha256": step.sha256, "applied_at": now.astimezone(UTC).isoformat()})
        transaction.run(library["store.create_meta"].text, {"name": f"{_RECORD}{step.name}", "value": value})


def missing_steps(engine: Engine, library: Library, known: Sequence[Step]) -> list[Step]:
    """The steps the mind has not had yet. Raises :class:`MindVersionError` for a mind of a newer or another soulmem."""
    place = str(engine.path)
    recorded = _recorded(engine, library)
    by_name = {step.name: step for step in known}
    newer = [name for name in recorded if name not in by_name]
    if newer:
        what = f"the mind was made by a newer soulmem (it has had the steps {', '.join(newer)})"
        raise MindVersionError(what, place=place, advice="Update soulmem: pip install --upgrade soulmem")
    other = [name for name, sha256 in recorded.items() if by_name[name].sha256 != sha256]
    if other:
        what = f"the mind was made with another text of the schema step {', '.join(other)}"
        raise MindVersionError(what, place=place, advice="Use the soulmem that made it to export it, and import that here.")
    return [step for step in known if step.name not in recorded]


def _recorded(engine: Engine, library: Library) -> dict[str, str]:
    tables = engine.read(library["store.tables"].text, {}).rows
    try:
        rows = engine.read(library["store.steps"].text, {}).rows if ["Meta"] in tables else []
        recorded = {name.removeprefix(_RECORD): str(json.loads(value)["sha256"]) for name, value in rows}
    except (StoreError, ValueError, TypeError, KeyError):
        recorded = {}
    if not recorded:
        what = "this is a database of the same engine, but not a mind"
        raise MindVersionError(what, place=str(engine.path), advice="Name another file.")
    return recorded


def migrate(engine: Engine, library: Library, missing: Sequence[Step], now: datetime) -> Path:
    """Apply ``missing`` steps in one transaction, after copying the mind. Gives the copy's path.

    The copy lies beside the mind (``NAME.before-002``). If a step fails, the mind is as it was and the copy is removed.
    """
    copy = _copy_of(engine.path, missing[0])
    engine.copy_to(copy)
    try:
        with engine.transaction() as transaction:
            apply_steps(transaction, library, missing, now)
        engine.settle()
    except StoreError as error:
        copy.unlink()
        what = f"the mind could not be brought to this version of soulmem: {error.what}"
        advice = "It is as it was. Use the soulmem that made it, and report this."
        raise MindVersionError(what, place=str(engine.path), advice=advice) from error
    return copy


def copies(path: Path) -> list[Path]:
    """The copies that were made of a mind before it was migrated."""
    return sorted(other for other in path.parent.iterdir() if other.name.startswith(f"{path.name}{_BEFORE}"))


def _copy_of(path: Path, step: Step) -> Path:
    copy = path.with_name(f"{path.name}{_BEFORE}{step.number}")
    number = 2
    while copy.exists():
        copy = path.with_name(f"{path.name}{_BEFORE}{step.number}-{number}")
        number += 1
    return copy

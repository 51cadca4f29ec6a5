"""Files that a command writes: refused, before any work is done, where that would harm what is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from soulmem.errors import InputError

#: ``--force``: overwrite.
force_option = click.option("--force", is_flag=True, help="Overwrite files that are there.")

_MIND = b"KUZU"


def check_outputs(*outputs: Path | None, force: bool, inputs: Sequence[Path] = ()) -> None:
    """Check the files (``None``: not asked for) before any work is done.

    Raises :class:`InputError` for a folder, one in a folder that is not there, two that are the same, one of the ``inputs``, a
    mind; and without ``force`` for any file that is there already.
    """
    files = [file for file in outputs if file is not None]
    read = {file.resolve() for file in inputs}
    written: set[Path] = set()
    for file in files:
        if file.is_dir() or not file.absolute().parent.is_dir():
            raise InputError(f"cannot write {file}: {'it is a folder' if file.is_dir() else 'its folder is not there'}")
        target = file.resolve()
        if target in written:
            raise InputError(f"cannot write {file} twice", advice="Give each file a name of its own.")
        if target in read:
            raise InputError(f"cannot write {file}: it is what is read", advice="Choose another name.")
        if _is_mind(target):
            raise InputError(f"cannot write {file}: there is a mind in it", advice="Choose another name.")
        written.add(target)
    taken = [str(file) for file in files if file.is_file()]
    if taken and not force:
        raise InputError(f"there already: {', '.join(taken)}", advice="Choose another name, or overwrite with --force.")


def _is_mind(file: Path) -> bool:
    if not file.is_file():
        return False
    try:
        with file.open("rb") as stream:
            return stream.read(len(_MIND)) == _MIND
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror or error}") from error

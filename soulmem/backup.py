"""Backups: a mind as one verified file, made while the mind is in use, and put back.

A backup is a zip of two members: ``manifest.json`` (what is in it, its hash, and when it was made) and ``mind`` (the database,
whole). The mind's own file is only read. It is read in a process of its own, as the system gives up a process's locks on a file
when any of its descriptors is closed. A copy counts if nothing was written to the mind's file meanwhile; then it is opened, what
its log holds is brought into it, and it is examined as ``doctor`` does.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Any

from soulmem._version import __version__
from soulmem.errors import (
    FormatError,
    InputError,
    MindDamagedError,
    MindVersionError,
    NotFoundError,
    SoulmemError,
    StoreError,
)
from soulmem.examination import Examination, examined
from soulmem.store.copying import chunks, copy_quiet
from soulmem.store.minds import SUFFIX, home_folder
from soulmem.store.recovery import held, leftovers, put
from soulmem.store.workplace import left_behind, remove_left_behind, workplace, workplaces

#: The version of the format; a newer one is refused.
FORMAT = 1
#: The member of a backup that is the mind.
MEMBER = "mind"
_MANIFEST = "manifest.json"
_MANIFEST_BYTES = 2**16


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """What a backup holds. ``operations``: the number of the last entry of its journal; ``mind``: the name of the file it is of;
    ``findings``: what ``doctor`` says of it, which was so in the mind; ``bytes``: of the mind, unpacked."""

    file: str
    mind: str
    made_at: datetime
    soulmem: str
    notes: int
    messages: int
    operations: int
    bytes: int
    sha256: str
    findings: tuple[str, ...] = ()


def backups_folder() -> Path:
    """Where backups are put that are given no file of their own."""
    return home_folder() / "backups"


def backup_path(mind: Path, at: datetime) -> Path:
    """The file of a backup of ``mind`` that is made ``at``, in :func:`backups_folder`."""
    return backups_folder() / f"{mind.name.removesuffix(SUFFIX)}-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}.zip"


def back_up(mind: Path, target: Path, at: datetime) -> Backup:
    """Write a backup of the mind at ``mind`` to ``target``, whole or not at all.

    Raises:
        NotFoundError: no such mind.
        InputError: something is at ``target`` already, or it cannot be written.
        StoreError: the mind is written to all the time.
        MindDamagedError: the engine cannot read it.
    """
    if not mind.exists():
        raise NotFoundError("there is no such mind", place=str(mind), advice="The minds you have: soulmem minds")
    if target.exists():
        raise InputError(f"there already: {target}", advice="Choose another name.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_left_behind({target.parent, *_work_folders(mind)})
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            return process.submit(_backed_up, mind.resolve(), target, at).result()
    except BrokenProcessPool as error:
        raise MindDamagedError("the engine crashes when it reads it", place=str(mind), advice="Run: soulmem doctor") from error
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror or error}") from error


def _backed_up(mind: Path, target: Path, at: datetime) -> Backup:
    with workplace(target.parent, target.name) as folder:
        copy = folder / MEMBER
        copy_quiet(mind, copy, time.sleep)
        counts, findings = _of_mind(mind, copy, at)
        backup = Backup(
            file=str(target),
            mind=mind.name.removesuffix(SUFFIX),
            made_at=at,
            soulmem=__version__,
            bytes=copy.stat().st_size,
            sha256=_hash(copy),
            findings=findings,
            **counts,
        )
        packed = folder / "packed"
        _pack(backup, copy, packed)
        os.link(packed, target)  # never over what is there
        return backup


def _of_mind(mind: Path, copy: Path, at: datetime) -> tuple[dict[str, int], tuple[str, ...]]:
    """As :func:`_settled`; what is wrong with the copy is said of the mind."""
    try:
        return _settled(copy, at)
    except SoulmemError as error:
        advice = _said_of(mind, copy, error.advice or "") or None
        raise type(error)(_said_of(mind, copy, error.what), place=str(mind), advice=advice) from error


def _said_of(mind: Path, copy: Path, what: str) -> str:
    return what.replace(str(copy), str(mind))


def _settled(copy: Path, at: datetime) -> tuple[dict[str, int], tuple[str, ...]]:
    """Bring what the log of ``copy`` holds into it. What it has of each, and what is wrong with it."""
    from soulmem.soul import Soul

    with Soul.open(copy, clock=lambda: at) as soul:
        stats, findings = soul.stats(), soul.check()
    counts = {
        "notes": sum(stats["notes"].values()),
        "messages": stats["messages"],
        "operations": stats["operations"],
    }
    if left := leftovers(copy):
        raise StoreError(f"the copy of the mind could not be closed: {left[0].name} is left", place=str(copy))
    return counts, tuple(findings)


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _pack(backup: Backup, copy: Path, packed: Path) -> None:
    manifest = {"format": FORMAT, **asdict(backup), "made_at": backup.made_at.astimezone(UTC).isoformat()}
    manifest.pop("file")
    with _new_zip(packed) as archive:
        archive.writestr(_MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
        archive.write(copy, MEMBER)


@contextmanager
def _new_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    """A new zip that only its owner may read, to be filled inside; on the disk afterwards."""
    with _new_file(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        yield archive


@contextmanager
def _new_file(path: Path) -> Iterator[IO[bytes]]:
    """A new file that only its owner may read, to be written inside; on the disk afterwards."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())


# -- putting back -------------------------------------------------------------------------------------------------------------


def read_backup(file: Path) -> Backup:
    """What the backup in ``file`` says it holds. Raises :class:`FormatError` for another file, or one of a newer soulmem."""
    with _opened(file) as archive:
        return _manifest(file, archive)


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except FileNotFoundError as error:
        raise InputError(f"cannot read {file}: there is no such file") from error
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    except _DAMAGES as error:
        raise FormatError(f"not a backup, or a damaged one: {error}", place=str(file), advice=_OTHER) from error


#: What reading a zip raises that is none, or is damaged, encrypted, or packed in a way that is not known here.
_DAMAGES = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    OverflowError,
)
_OTHER = "Take another backup. Nothing was changed."


def _manifest(file: Path, archive: zipfile.ZipFile) -> Backup:
    names = archive.namelist()
    if sorted(names) != [_MANIFEST, MEMBER]:
        raise FormatError("not a backup made by soulmem", place=str(file), advice=_OTHER)
    if archive.getinfo(_MANIFEST).file_size > _MANIFEST_BYTES:
        raise FormatError("its manifest is too long", place=str(file), advice=_OTHER)
    values = json.loads(archive.read(_MANIFEST))
    if not isinstance(values, dict) or type(values.get("format")) is not int:
        raise FormatError("its manifest is not one", place=str(file), advice=_OTHER)
    if values["format"] > FORMAT:
        raise FormatError("made by a newer soulmem", place=str(file), advice="Install that one, and restore it there.")
    backup = _of_values(file, values)
    if archive.getinfo(MEMBER).file_size != backup.bytes:
        raise FormatError("the mind in it is not as long as its manifest says", place=str(file), advice=_OTHER)
    return backup


def _of_values(file: Path, values: Mapping[str, Any]) -> Backup:
    try:
        return Backup(
            file=str(file),
            mind=str(values["mind"]),
            made_at=datetime.fromisoformat(values["made_at"]).astimezone(UTC),
            soulmem=str(values["soulmem"]),
            notes=int(values["notes"]),
            messages=int(values["messages"]),
            operations=int(values["operations"]),
            bytes=int(values["bytes"]),
            sha256=str(values["sha256"]),
            findings=tuple(map(str, values.get("findings", ()))),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"its manifest lacks or mistakes {error}", place=str(file), advice=_OTHER) from error


def restore(file: Path, mind: Path, at: datetime, *, replaces: bool = False) -> tuple[Backup, Path | None]:
    """Make the mind at ``mind`` of the backup in ``file``. What the backup holds, and where a mind that was there is kept now.

    ``replaces``: a mind that is there is backed up itself first, and then replaced; one that cannot be read is kept byte for
    byte, in a zip whose name ends in ``-damaged``. The mind comes whole or not at all.

    Raises:
        FormatError: not a backup, or a damaged one.
        InputError: a mind is there, and not to be replaced; the file cannot be read.
        MindLockedError: a process holds the mind that is to be replaced.
        MindDamagedError: what is in the backup is no mind that can be read.
    """
    if mind.exists() and not replaces:
        advice = "Restore it under another name with --as, or replace that one with --force: it is backed up first."
        raise InputError(f"there already: {mind}", advice=advice)
    mind.parent.mkdir(parents=True, exist_ok=True)
    remove_left_behind(_work_folders(mind))
    with workplace(mind.parent, mind.name) as folder:
        new = folder / mind.name
        backup = _unpacked(file, new)
        found = _examined(new, file, at)
        if set(found.findings) - set(backup.findings):
            raise MindDamagedError(f"the mind in it is damaged: {found.findings[0]}", place=str(file), advice=_OTHER)
        kept = _put(new, mind, at)
    return backup, kept


def _unpacked(file: Path, new: Path) -> Backup:
    with _opened(file) as archive:
        backup = _manifest(file, archive)
        if shutil.disk_usage(new.parent).free < backup.bytes:
            what = f"the mind in it takes {backup.bytes / 2**20:.0f} MiB, and there is no room for it"
            raise StoreError(what, place=str(new.parent), advice="Make room, and try again.")
        with _new_file(new) as out, archive.open(MEMBER) as stream:
            for chunk in chunks(stream, backup.bytes):
                out.write(chunk)
    if _hash(new) != backup.sha256:
        raise FormatError("the mind in it is not what was backed up: its hash differs", place=str(file), advice=_OTHER)
    return backup


def _put(new: Path, mind: Path, at: datetime) -> Path | None:
    if not mind.exists():
        if left := leftovers(mind):
            what = f"what belonged to a mind that was here is left: {left[0].name}"
            raise StoreError(what, place=str(mind), advice="Move it away, or choose another name.")
        put(new, mind)
        return None
    with held(mind):  # from here on nobody writes to it
        kept = _kept(mind, at)
        # The log first: left beside another mind it would break that.
        for file in leftovers(mind):
            file.unlink()
        new.replace(mind)
    return kept


def _examined(new: Path, file: Path, at: datetime) -> Examination:
    """What is wrong with the mind; one that an older soulmem made is of this version afterwards."""
    try:
        try:
            return examined(new)
        except MindVersionError:
            _bring_up(new, at)
            return examined(new)
    except SoulmemError as error:
        raise MindDamagedError(f"the mind in it: {_said_of(file, new, error.what)}", place=str(file), advice=_OTHER) from error


def _bring_up(new: Path, at: datetime) -> None:
    """Bring what was unpacked to this version, without the copy that is made of minds: the backup is one. Raises
    :class:`MindVersionError` for what another engine, or a newer soulmem, made."""
    from soulmem.store import open_store
    from soulmem.store.migrations import copies

    open_store(new, now=at).close()
    for copy in copies(new):
        copy.unlink()


def _kept(mind: Path, at: datetime) -> Path:
    """Back up a mind that is going to be replaced; one that cannot be read, byte for byte."""
    kept = free_path(backup_path(mind, at))
    try:
        back_up(mind, kept, at)
    except (MindDamagedError, MindVersionError, StoreError):
        kept = free_path(kept.with_stem(f"{kept.stem}-damaged"))
        kept.parent.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            process.submit(_packed_as_it_is, mind, kept).result()
    return kept


def _packed_as_it_is(mind: Path, target: Path) -> None:
    """A zip of the files of a mind, whatever they hold."""
    with workplace(target.parent, target.name) as folder:
        packed = folder / "packed"
        with _new_zip(packed) as archive:
            for file in (mind, *leftovers(mind)):
                archive.write(file, file.name)
        os.link(packed, target)


def free_path(path: Path) -> Path:
    """``path``, or one like it where nothing is."""
    number, found = 2, path
    while found.exists():
        found, number = path.with_stem(f"{path.stem}-{number}"), number + 1
    return found


def backups_of(mind: Path) -> list[Path]:
    """The backups of ``mind`` in :func:`backups_folder`, oldest first."""
    folder = backups_folder()
    name = mind.name.removesuffix(SUFFIX)
    found = []
    for file in sorted(folder.glob("*.zip")) if folder.is_dir() else []:
        try:
            backup = read_backup(file)
        except (FormatError, InputError):
            continue
        if backup.mind == name:
            found.append((backup.made_at, file))
    return [file for _, file in sorted(found)]


def forgotten_since(mind: Path, backup: Backup) -> int:
    """How often something was forgotten for good in the mind at ``mind`` after ``backup`` was made, which still has it; 0 where
    there is no such mind, or none that can be read now."""
    from soulmem.soul import Soul
    from soulmem.store.undo import MOST

    if not mind.exists():
        return 0
    try:
        with Soul.open(mind, read_only=True) as soul:
            heads = soul.store.query("store.operation_heads", limit=MOST)
    except SoulmemError:
        return 0
    return sum(row["command"] == "forget" and row["at"] > backup.made_at for row in heads)


# -- what was cut off ---------------------------------------------------------------------------------------------------------


def _work_folders(mind: Path) -> list[Path]:
    """Where copies of ``mind`` are made that get no place of somebody's choice."""
    return [mind.parent, backups_folder()]


def _work_names(mind: Path) -> tuple[str, ...]:
    """How the names of what is made of ``mind`` begin: itself, and its backups."""
    return (mind.name, f"{mind.name.removesuffix(SUFFIX)}-")


def half_made(mind: Path) -> list[Path]:
    """Folders in which copies of ``mind`` are being made, or were when their process was killed."""
    return [place for folder in dict.fromkeys(_work_folders(mind)) for place in workplaces(folder, _work_names(mind))]


def cut_off_copies(mind: Path) -> list[Path]:
    """Those of :func:`half_made` whose process was killed: they hold the mind as it was, and go with the next backup, restoring
    or forgetting for good."""
    return left_behind(_work_folders(mind), _work_names(mind))


def remove_cut_off_copies(mind: Path) -> None:
    """Remove what killed processes left in the folders where copies of ``mind`` are made."""
    remove_left_behind(_work_folders(mind))

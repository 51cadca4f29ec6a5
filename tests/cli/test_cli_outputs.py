"""Where a command may write."""

from __future__ import annotations

from pathlib import Path

import pytest

from soulmem.errors import InputError
from soulmem.soul import Soul
from soulmem_cli.outputs import check_outputs


def test_what_is_there_is_overwritten_only_by_force(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    check_outputs(file, None, tmp_path / "report.csv", force=False)
    file.write_text("mine")
    with pytest.raises(InputError, match=r"there already: .*report\.html"):
        check_outputs(file, force=False)
    check_outputs(file, force=True)


@pytest.mark.parametrize("force", [False, True])
def test_a_mind_is_never_overwritten(tmp_path: Path, force: bool) -> None:
    Soul.create(tmp_path / "a.mind", embedder="hashing").close()
    (tmp_path / "link").symlink_to(tmp_path / "a.mind")
    for file in (tmp_path / "a.mind", tmp_path / "link"):
        with pytest.raises(InputError, match="there is a mind in it"):
            check_outputs(file, force=force)


def test_what_is_read_and_what_is_written_are_different_files(tmp_path: Path) -> None:
    questions = tmp_path / "q.json"
    questions.write_text("{}")
    with pytest.raises(InputError, match="it is what is read"):
        check_outputs(tmp_path / "." / "q.json", force=True, inputs=[questions])
    (tmp_path / "b").mkdir()
    with pytest.raises(InputError, match="twice"):
        check_outputs(tmp_path / "a", tmp_path / "b" / ".." / "a", force=True)


def test_folders_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a folder"):
        check_outputs(tmp_path, force=True)
    with pytest.raises(InputError, match="its folder is not there"):
        check_outputs(tmp_path / "gone" / "a", force=True)

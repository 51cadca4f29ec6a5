"""The package as a user gets it: built as sdist and wheel, installed into an empty environment, and run there."""

from __future__ import annotations

import email
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from soulmem import __version__

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of this tree and the wheel made from that sdist. Needs no network."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder)
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts' folder of an environment with nothing in it but the wheel; dependencies are borrowed from this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    into = ["--python", str(scripts / "python")]
    run([sys.executable, "-m", "pip", *into, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], folder)
    site = run([str(scripts / "python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder)
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(site.strip()) / "borrowed.pth").write_text("\n".join(sorted(borrowed)), encoding="utf-8")
    return scripts


def run(command: list[str], folder: Path) -> str:
    """Standard output of ``command`` run in ``folder``, away from the checkout."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "SOULMEM"))}
    done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def shipped(kind: str) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / kind).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("kind", ["schema", "queries", "fixtures"])
def test_the_wheel_holds_all_data(wheel: Path, kind: str) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = shipped(kind)
    assert expected
    assert {f"soulmem/_data/{name}" for name in expected} == {name for name in names if name.startswith(f"soulmem/_data/{kind}/")}


def test_the_wheel_holds_all_modules_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    modules = shipped("soulmem") | {name.removeprefix("cli/") for name in shipped("cli/soulmem_cli")}
    assert {"soulmem/py.typed", "soulmem_cli/py.typed", "soulmem/embed/unrelated.txt"} <= names
    assert {name for name in names if not name.startswith((f"soulmem-{__version__}.dist-info/", "soulmem/_data/"))} == modules


def test_the_wheels_metadata(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    metadata = email.message_from_bytes(archive.read(f"soulmem-{__version__}.dist-info/METADATA"))
    assert metadata["Name"] == "soulmem"
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == "<3.14,>=3.11"
    assert metadata.get_all("Provides-Extra") == ["bge", "notebooks"]
    assert f"soulmem-{__version__}.dist-info/licenses/LICENSE" in archive.namelist()
    assert b"soulmem_cli.main:main" in archive.read(f"soulmem-{__version__}.dist-info/entry_points.txt")


def test_the_sdist_holds_what_the_wheel_is_made_of(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for kind in ("soulmem", "cli", "schema", "queries", "fixtures", "tests"):
        assert shipped(kind) <= names
    assert {"LICENSE", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "pyproject.toml"} <= names
    assert not [name for name in names if name.startswith((".venv", ".git/", "dist", "build"))]


def test_the_installed_package_is_not_the_checkout(installed: Path, tmp_path: Path) -> None:
    code = "import soulmem, soulmem_cli; print(soulmem.__file__); print(soulmem_cli.__file__)"
    for line in run([str(installed / "python"), "-c", code], tmp_path).splitlines():
        assert Path(line).is_relative_to(installed.parent)


def test_the_installed_program_tells_its_version(installed: Path, tmp_path: Path) -> None:
    assert __version__ in run([str(installed / "soulmem"), "--version"], tmp_path)


def test_the_installed_program_shows_its_demo(installed: Path, tmp_path: Path) -> None:
    told = run([str(installed / "soulmem"), "demo", "--embedder", "hashing"], tmp_path)
    assert len(told.splitlines()) > 10
    assert not list(tmp_path.iterdir()), "the demo leaves nothing behind"

"""Distributions built from a clean copy, environments that they are installed in, and a cup. Made once a test run.

Under xdist every worker has its own session, so what takes long is made by the first that needs it, behind a lock.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.support.environments import Environment, make_environment, succeeds

ROOT = Path(__file__).resolve().parents[2]

Once: TypeAlias = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Makes a folder of that name by calling `make` with it, unless another worker of this run has."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "packaging"
    shared.mkdir(exist_ok=True)

    def make_once(name: str, make: Callable[[Path], object]) -> Path:
        folder = shared / name
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (done := shared / f"{name}.done").exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                make(folder)
                done.touch()
        return folder

    return make_once


@pytest.fixture(scope="session")
def source(once: Once) -> Path:
    """A copy of what is committed, and of nothing else."""

    def copy(folder: Path) -> None:
        names = succeeds("git", "-C", ROOT, "ls-files", "-z").stdout.rstrip("\0").split("\0")
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)

    return once("source", copy)


@pytest.fixture(scope="session")
def sdist(once: Once, source: Path) -> Path:
    """The source distribution."""
    return next(once("sdist", lambda folder: hatch(source, "sdist", folder)).glob("*.tar.gz"))


@pytest.fixture(scope="session")
def wheel(once: Once, source: Path, sdist: Path) -> Path:  # after the sdist: both builds write into one tree
    """The wheel, built from the tree."""
    return next(once("wheel", lambda folder: hatch(source, "wheel", folder)).glob("*.whl"))


@pytest.fixture(scope="session")
def wheel_from_sdist(once: Once, sdist: Path) -> Path:
    """The wheel as pip builds it: in an environment with what `build-system` names and nothing else."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    folder = once("again", lambda folder: succeeds(*pip, "wheel", "--quiet", "--no-deps", "-w", folder, sdist))
    return next(folder.glob("*.whl"))


def hatch(source: Path, target: str, folder: Path) -> None:
    """Builds with the tools of this environment, which are those of `build-system` (see test_pins.py)."""
    succeeds(sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder, cwd=source)


@pytest.fixture(scope="session")
def bare(once: Once, wheel: Path) -> Environment:
    """An environment with the wheel and what it needs."""
    return Environment(once("bare", lambda folder: make_environment(folder, f"croupier @ {wheel.as_uri()}")))


@pytest.fixture(scope="session")
def full(once: Once, wheel: Path) -> Environment:
    """An environment with the wheel, its server and its tournament."""
    return Environment(once("full", lambda folder: make_environment(folder, f"croupier[arena] @ {wheel.as_uri()}")))


CUP = """\
[cup]
name = "packaged"
game = "jekyll"
blocks = 1

[[entrant]]
name = "bare"
command = ["{bare}", "{source}/examples/random_bot.py"]

[[entrant]]
name = "full"
command = ["{{python}}", "{source}/examples/raw_bot.py"]
"""


@pytest.fixture(scope="session")
def cup(once: Once, source: Path, bare: Environment, full: Environment) -> Path:
    """The folder of a cup that the full environment has played, with a bot from the bare one in it."""

    def play(folder: Path) -> None:
        file = folder / "cup.toml"
        file.write_text(CUP.format(bare=bare.python, source=source), encoding="utf-8")
        succeeds(full.croupier, "cup", "run", file, "--folder", folder / "cup", "--strict", cwd=folder)
        succeeds(full.croupier, "cup", "export", folder / "cup", cwd=folder)

    return once("cup", play) / "cup"

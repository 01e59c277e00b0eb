"""What is in the distributions, and that both say the same."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(300)]

PACKAGES = {"croupier", "croupier_server", "croupier_tournament"}


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_from_the_sdist_is_the_wheel_from_the_tree(wheel: Path, wheel_from_sdist: Path) -> None:
    assert contents(wheel_from_sdist) == contents(wheel)


def test_the_wheel_holds_three_typed_packages_with_the_generated_code_and_nothing_else(
    wheel: Path, source: Path
) -> None:
    names = {PurePosixPath(name) for name in contents(wheel)}
    tops = {path.parts[0] for path in names if not path.parts[0].endswith(".dist-info")}
    assert tops == PACKAGES
    assert {PurePosixPath(package, "py.typed") for package in PACKAGES} <= names
    protos = [path.relative_to(source / "proto").with_suffix("") for path in (source / "proto").rglob("*.proto")]
    generated = {PurePosixPath(f"{path}_pb2{end}") for path in protos for end in (".py", ".pyi")}
    assert generated <= names
    assert {path.suffix for path in names if path.parts[0] in PACKAGES} <= {".py", ".pyi", ".typed"}


def test_the_wheel_has_every_module_that_is_committed(wheel: Path, source: Path) -> None:
    roots = ("clients/python", "server", "tournament")
    committed = {path.relative_to(source / root).as_posix() for root in roots for path in (source / root).rglob("*.py")}
    assert committed <= set(contents(wheel))


def test_the_sdist_holds_the_protos_and_the_licence(sdist: Path, source: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {PurePosixPath(*PurePosixPath(name).parts[1:]).as_posix() for name in archive.getnames()}
    assert {"LICENSE", "README.md", "hatch_build.py", "scripts/gen_python.py"} <= names
    assert {path.relative_to(source).as_posix() for path in (source / "proto").rglob("*.proto")} <= names

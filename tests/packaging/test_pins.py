"""Versions that stand in more than one place, and generated code that must belong to the protos. Builds nothing."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

import croupier.control.v1
import croupier.v1
from croupier import VERSION

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(requirements: list[str]) -> dict[str, str]:
    """Exact versions by name."""
    return {name: version for name, _, version in (line.partition("==") for line in requirements) if version}


def floors(requirements: list[str]) -> dict[str, str]:
    """Lowest versions by name."""
    found = (re.match(r"([A-Za-z0-9-]+)>=([0-9.]+)", line) for line in requirements)
    return {match[1]: match[2] for match in found if match}


def generated(pattern: str) -> set[str]:
    """What a pattern's groups, joined by points, find in the generated code."""
    texts = (path.read_text(encoding="utf-8") for path in Path(*croupier.v1.__path__).glob("*_pb2*.py"))
    return {
        ".".join(match) if isinstance(match, tuple) else match for text in texts for match in re.findall(pattern, text)
    }


def test_what_builds_the_package_is_pinned_alike_for_builds_and_developers(project: dict[str, Any]) -> None:
    build = pins(project["build-system"]["requires"])
    developers = pins(project["project"]["optional-dependencies"]["dev"])
    assert len(build) == len(project["build-system"]["requires"]), "something that builds is not pinned"
    assert build == {name: developers.get(name) for name in build}


def test_the_floors_are_the_versions_that_the_generated_code_asks_for(project: dict[str, Any]) -> None:
    lowest = floors(project["project"]["dependencies"])
    assert generated(r"GRPC_GENERATED_VERSION = '([0-9.]+)'") == {lowest["grpcio"]}
    assert generated(r"Domain\.PUBLIC,\s+(\d+),\s+(\d+),\s+(\d+),") == {lowest["protobuf"]}


def test_everything_of_grpc_has_the_floor_of_grpc(project: dict[str, Any]) -> None:
    lowest = floors(project["project"]["dependencies"])["grpcio"]
    of_arena = floors(project["project"]["optional-dependencies"]["arena"])
    assert {name: floor for name, floor in of_arena.items() if name.startswith("grpcio")} == {
        "grpcio-health-checking": lowest,
        "grpcio-reflection": lowest,
    }


@pytest.mark.parametrize("package", [croupier.v1, croupier.control.v1], ids=lambda package: package.__name__)
def test_the_generated_code_belongs_to_the_protos(package: Any) -> None:
    digest = runpy.run_path(str(ROOT / "scripts" / "gen_python.py"))["digest"]
    assert digest(ROOT) == package.PROTO_SHA256, "the protos have changed: run `make proto`"


def test_the_newest_version_in_the_changelog_is_that_of_the_package() -> None:
    versions = re.findall(r"^## \[([0-9.]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[:1] == [VERSION]

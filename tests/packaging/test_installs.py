"""A bare install runs bots and reads records; a full one runs cups. From wheels, in environments of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.environments import Environment, run, succeeds

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(300)]


def test_a_bare_install_brings_grpc_and_protobuf_alone(bare: Environment) -> None:
    assert bare.packages == {"croupier", "grpcio", "protobuf", "typing_extensions"}  # the last is grpcio's need


@pytest.mark.parametrize("kind", ["bare", "full"])
def test_what_is_installed_fits_together(kind: str, request: pytest.FixtureRequest) -> None:
    environment: Environment = request.getfixturevalue(kind)
    assert "No broken requirements found." in environment.pip("check")


def test_a_bare_install_lists_every_command(bare: Environment) -> None:
    lines = succeeds(bare.croupier, "--help").stdout.splitlines()
    commands = [line.split()[0] for line in lines[lines.index("commands:") + 1 :]]
    assert commands == ["cup", "games", "play", "replay", "serve", "verify"]


@pytest.mark.parametrize("command", [["cup", "run", "cup.toml"], ["serve"]])
def test_a_command_whose_needs_are_missing_says_which_extra_to_install(bare: Environment, command: list[str]) -> None:
    done = run(bare.croupier, *command)
    assert done.returncode == 2
    assert f"croupier: {command[0]} needs the extra 'arena': pip install 'croupier[arena]'" in done.stderr


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_bare_install_reads_records_from_files_alone_and_says_so(bare: Environment, command: str) -> None:
    done = run(bare.croupier, command, "--store", "sqlite:///store.sqlite", "match")
    assert done.returncode == 2
    assert done.stderr == (
        f"croupier {command}: match: --store needs the extra 'arena': pip install 'croupier[arena]'\n"
    )


def test_a_full_install_runs_a_cup_with_a_bot_of_a_bare_one(cup: Path) -> None:
    results = json.loads((cup / "results.json").read_text(encoding="utf-8"))
    assert results["cup"]["matches_over"] == results["cup"]["matches_scheduled"] == 2
    assert {row["bot"]: row["forfeits"] for row in results["standings"]} == {"bare": 0, "full": 0}


def test_a_bare_install_verifies_and_replays_the_records_of_a_cup(bare: Environment, cup: Path) -> None:
    records = sorted((cup / "records").iterdir())
    assert len(records) == 2
    for record in records:
        assert "outcome: normal" in succeeds(bare.croupier, "verify", record).stdout
        assert "Jekyll vs. Hyde" in succeeds(bare.croupier, "replay", record).stdout

"""Whole games with scripted luck, step by step. VECTORS_DIR names another folder of them than the project's own."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from croupier_server.games import GAMES
from croupier_server.rules import ScriptedChance, Seat, Table, read_options

OWN = Path(__file__).resolve().parents[1] / "vectors" / "games"
FOLDER = Path(os.environ.get("VECTORS_DIR") or OWN)
FILES = sorted(FOLDER.glob("*.json"))


def test_the_vector_folder_holds_vectors() -> None:
    assert FOLDER.is_dir(), f"VECTORS_DIR names {FOLDER}, which is no folder"
    assert FILES, f"{FOLDER} holds no vectors (*.json)"


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_game_agrees_with_vector(path: Path) -> None:
    vector = json.loads(path.read_text())
    if vector["game"] not in GAMES:
        pytest.skip(f"{vector['game']} is not in the catalogue yet")
    game, seats = GAMES[vector["game"]], vector["players"]
    chance = ScriptedChance(vector["chance"], game.item_text)
    table: Table[Any] = Table(chance)
    state = game.deal(read_options(game, vector["options"], seats), seats, table)
    chosen: dict[Seat, Any] = {}
    for number, step in enumerate(vector["steps"], 1):
        place, seat = f"{path.name}, step {number}", step["seat"]
        assert [asked for asked in state.to_act() if asked not in chosen] == step["asked"], place
        assert seat in step["asked"], place
        assert [game.action_text(action) for action in state.legal(seat)] == step["legal"], place
        assert step["action"] in step["legal"], place
        chosen[seat] = game.parse_action(step["action"])
        if len(chosen) == len(state.to_act()):
            state = state.play(chosen, table)
            chosen = {}
    assert state.to_act() == ()
    outcome = state.outcome()
    assert outcome is not None
    assert [list(outcome.scores), list(outcome.places)] == [vector["outcome"]["scores"], vector["outcome"]["places"]]
    assert chance.left == 0, f"{path.name}: {chance.left} draws are left over"

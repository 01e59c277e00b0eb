"""The kernel: what a game is. No clock, no I/O, no luck but what is handed in."""

from croupier_server.rules.chance import (
    Chance,
    ChanceError,
    Draw,
    KeyedChance,
    NumberDraw,
    RecordedChance,
    Recorder,
    ScriptedChance,
    ShuffleDraw,
)
from croupier_server.rules.codes import Codes
from croupier_server.rules.game import AnyGame, AnyState, Game, Outcome, Seat, State
from croupier_server.rules.hidden import deal_out, viewer_of
from croupier_server.rules.options import OptionsError, check_within, nearest, options_values, read_options, seats_for
from croupier_server.rules.table import Entry, Table
from croupier_server.rules.tuples import replaced, without

__all__ = [
    "AnyGame",
    "AnyState",
    "Chance",
    "ChanceError",
    "Codes",
    "Draw",
    "Entry",
    "Game",
    "KeyedChance",
    "NumberDraw",
    "OptionsError",
    "Outcome",
    "RecordedChance",
    "Recorder",
    "ScriptedChance",
    "Seat",
    "ShuffleDraw",
    "State",
    "Table",
    "check_within",
    "deal_out",
    "nearest",
    "options_values",
    "read_options",
    "replaced",
    "seats_for",
    "viewer_of",
    "without",
]

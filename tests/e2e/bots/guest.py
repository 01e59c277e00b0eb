"""A bot of the SDK for the tests of remote entrants: argv[1] matches at a time; a file in argv[2] for each match."""

import sys
from pathlib import Path

import croupier


class Guest(croupier.Bot):
    def start(self, match: croupier.Match) -> None:
        (Path(sys.argv[2]) / match.match_id).touch()

    def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
        return self.luck.choice(turn.legal)


croupier.play(Guest, max_matches=int(sys.argv[1]))

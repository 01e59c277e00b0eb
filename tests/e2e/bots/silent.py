"""Is there and ready, and never answers."""

from tests.e2e.bots.stub import play

play(lambda stream, turn: None)

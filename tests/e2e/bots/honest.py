"""Plays the first legal action, at once."""

from tests.e2e.bots.stub import Stream, play

play(Stream.answer)

"""A bot for every game: it plays uniformly at random. Any other bot should beat it."""

from __future__ import annotations

import croupier


class RandomBot(croupier.Bot):
    """Takes any legal action."""

    def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
        """One of the legal actions, all equally likely."""
        return self.luck.choice(turn.legal)


if __name__ == "__main__":
    croupier.play(RandomBot)

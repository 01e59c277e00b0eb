"""The house's own bot, which takes the seats that nobody else wants: `python -m croupier_tournament.house`.

It plays every game, uniformly at random, with the luck that the match gives it.
"""

from __future__ import annotations

import croupier


class RandomBot(croupier.Bot):
    """Takes any legal action."""

    def act(self, turn: croupier.AnyTurn) -> croupier.Choice:
        """One of the legal actions, all equally likely."""
        return self.luck.choice(turn.legal)


if __name__ == "__main__":
    croupier.play(RandomBot)

"""The catalogue of games. An explicit list: importing a game registers nothing."""

from croupier_server.games.brujas import GAME as BRUJAS
from croupier_server.games.jekyll import GAME as JEKYLL
from croupier_server.games.luther import GAME as LUTHER
from croupier_server.games.midnight import GAME as MIDNIGHT
from croupier_server.games.witch21 import GAME as WITCH21
from croupier_server.rules import AnyGame, nearest

GAMES: dict[str, AnyGame] = {game.id: game for game in (BRUJAS, JEKYLL, LUTHER, MIDNIGHT, WITCH21)}


def find_game(name: str) -> AnyGame:
    """The game of that id; raises ValueError with the nearest name."""
    try:
        return GAMES[name]
    except KeyError:
        raise ValueError(f"there is no game {name!r}; {nearest(name, GAMES)}") from None


__all__ = ["GAMES", "find_game"]

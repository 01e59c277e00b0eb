"""The speed of the rules alone: decisions a second of random playouts, for each game.

A decision is a legal list, a choice and its play, and now and then an outcome; "with views" adds the acting seat's
view. Processor time of one thread, the best of several runs; choices come from a cheap generator of their own.
"""

from __future__ import annotations

import argparse
import random
import time

from croupier_server.games import GAMES
from croupier_server.rules import AnyGame, KeyedChance, Table, seats_for


def decisions_per_second(game: AnyGame, variant: str, seats: int, *, views: bool, seconds: float) -> float:
    """Plays whole games for about so long; decisions of players count, chance and deals only take their time."""
    options, pick = game.variants[variant], random.Random(7)
    decisions = played = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds or not decisions:
        table = Table[object](KeyedChance(played.to_bytes(8, "big")))
        state = game.deal(options, seats, table)
        while acting := state.to_act():
            table.news.clear()
            choices = {}
            for seat in acting:
                if views:
                    state.view(seat)
                legal = state.legal(seat)
                choices[seat] = legal[int(pick.random() * len(legal))]
            decisions += len(acting)
            state = state.play(choices, table)
        assert state.outcome() is not None
        played += 1
    return decisions / spent


def main() -> None:
    """Prints one line for each game, variant and number of seats."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games; all by default")
    parser.add_argument("--all", action="store_true", help="every variant and number of seats, not only the first")
    parser.add_argument("--seconds", type=float, default=0.5, help="processor time of one run")
    parser.add_argument("--repeat", type=int, default=3, help="runs, of which the best counts")
    args = parser.parse_args()
    print(f"{'game':10} {'variant':24} {'seats':>5} {'decisions/s':>12} {'with views':>12}")
    for name in args.games or sorted(GAMES):
        game = GAMES[name]
        cases = [(variant, seats) for variant, options in game.variants.items() for seats in seats_for(game, options)]
        for variant, seats in cases if args.all else cases[:1]:
            bare, seen = (
                max(
                    decisions_per_second(game, variant, seats, views=views, seconds=args.seconds)
                    for _ in range(args.repeat)
                )
                for views in (False, True)
            )
            print(f"{name:10} {variant:24} {seats:5} {bare:12,.0f} {seen:12,.0f}", flush=True)


if __name__ == "__main__":
    main()

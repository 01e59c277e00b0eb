"""`croupier games`: which games there are, and what there is to know of one before playing it.

Nothing is written here a second time: what is told of a game is read from its entry in the catalogue, from the words of
its classes, and from games played for their notation. The rules themselves are in docs/rules.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import io
import shutil
import sys
import textwrap
import tokenize
import types
import typing
from collections.abc import Iterator, Sequence
from enum import Enum
from random import Random
from typing import Any

from croupier_server.games import GAMES, find_game
from croupier_server.rules import AnyGame, Codes, KeyedChance, Table, options_values, seats_for

BAD_INPUT = 2
_PLAYOUTS = 20  # at most, for one example of every action
_WIDTH = 24  # of the first column


def games(argv: Sequence[str]) -> int:
    """Lists the games, or explains one: players, options, variants, actions and notation."""
    parser = argparse.ArgumentParser(prog="croupier games", description=games.__doc__)
    parser.add_argument("game", metavar="GAME", nargs="?", help="the id of a game, to have it explained")
    args = parser.parse_args(argv)
    try:
        lines = _catalogue() if args.game is None else _explained(find_game(args.game))
    except ValueError as error:
        print(f"croupier games: {error}", file=sys.stderr)
        return BAD_INPUT
    print(*lines, sep="\n")
    return 0


def _catalogue() -> Iterator[str]:
    id_width, title_width = max(map(len, GAMES)), max(len(game.title) for game in GAMES.values())
    for game in sorted(GAMES.values(), key=lambda game: game.id):
        yield f"{game.id:{id_width}}  {game.title:{title_width}}  {_counts(game.seats)} players"


def _explained(game: AnyGame) -> Iterator[str]:
    module = inspect.getmodule(game.deal)
    about = inspect.getdoc(module) or ""
    yield f"{game.id}: {game.title}"
    yield from _filled(about.partition("\n\n")[0])
    yield ""
    yield from _row("players", _counts(game.seats) + ", who may have to decide at once" * game.simultaneous)
    yield from _row("rules", f"docs/rules/{game.id}.md")
    yield from ("", "options")
    yield from _options(game)
    yield from ("", "variants")
    for name, options in game.variants.items():
        yield from _row(name, _variant(game, options))
    yield from ("", "actions, as they are written")
    yield from _actions(game)


def _options(game: AnyGame) -> Iterator[str]:
    hints = typing.get_type_hints(game.options, include_extras=True)
    defaults = options_values(game.options())
    fields = {field.name: field.metadata for field in dataclasses.fields(game.options)}
    comments = _comments(game.options)
    for key, hint in hints.items():
        default = f"; default {_written(defaults[key])}" if key in defaults else "; absent by default"
        yield from _row(key, _possible(hint, tuple(fields.get(key, ()))) + default)
        if key in comments:
            yield from _row("", comments[key])


def _possible(hint: Any, names: Sequence[str]) -> str:
    """What people write for an option, in words."""
    if isinstance(hint, dataclasses.InitVar):
        hint = hint.type
    if isinstance(hint, types.UnionType):
        hint = next(kind for kind in typing.get_args(hint) if kind is not types.NoneType)
    if typing.get_origin(hint) is tuple:
        (codes,) = _codes(hint)
        return _either([*names, f"a list of {codes.name} texts"])
    if issubclass(hint, Enum):
        return _either([member.name.lower() for member in hint])
    if dataclasses.is_dataclass(hint):
        return f"a table of {', '.join(field.name for field in dataclasses.fields(hint))}"
    return "true or false" if hint is bool else "a number"


def _comments(options: type[Any]) -> dict[str, str]:
    """What stands behind the fields of a class in its source, by name."""
    comments: dict[str, str] = {}
    names: dict[int, str] = {}  # by line: its first word
    for token in tokenize.generate_tokens(io.StringIO(inspect.getsource(options)).readline):
        if token.type == tokenize.NAME:
            names.setdefault(token.start[0], token.string)
        elif token.type == tokenize.COMMENT and token.start[0] in names:
            text = token.string.removeprefix("#").strip()
            comments.setdefault(names[token.start[0]], text.replace("None:", "absent:"))
    return comments


def _variant(game: AnyGame, options: Any) -> str:
    defaults = options_values(game.options())
    changes = [
        f"{key}={_written(value)}" for key, value in options_values(options).items() if value != defaults.get(key)
    ]
    fitting = seats_for(game, options)
    only = "" if fitting == game.seats else f"  (for {_counts(fitting)} players)"
    return (", ".join(changes) or "all defaults") + only


def _actions(game: AnyGame) -> Iterator[str]:
    examples = _examples(game)
    try:
        game.parse_action("")
    except ValueError as error:  # which is how a game says what it expects
        yield from _filled("  " + str(error).rpartition("expected ")[2])
    for kind in game.actions:
        yield from _row(kind.__name__, inspect.getdoc(kind) or "")
        if kind in examples:
            yield from _row("", f"for example: {examples[kind]}")
    for codes in dict.fromkeys(codes for kind in game.actions for codes in _codes_of(kind)):
        yield from _row(codes.name, " ".join(codes.texts))


def _examples(game: AnyGame) -> dict[type[Any], str]:
    """A legal action of every kind that comes up when games are played at random, always the same ones."""
    luck, found = Random(game.id), dict[type[Any], str]()
    for number in range(_PLAYOUTS):
        table: Table[Any] = Table(KeyedChance(luck.randbytes(32)))
        state = game.deal(game.options(), game.seats[number % len(game.seats)], table)
        while (asked := state.to_act()) and len(found) < len(game.actions):
            chosen = {seat: luck.choice(state.legal(seat)) for seat in asked}
            for action in chosen.values():
                found.setdefault(type(action), game.action_text(action))
            state = state.play(chosen, table)
    return found


def _codes_of(kind: type[Any]) -> Iterator[Codes]:
    for hint in typing.get_type_hints(kind, include_extras=True).values():
        yield from _codes(hint)


def _codes(hint: Any) -> Iterator[Codes]:
    """The codes that a type is annotated with, wherever in it."""
    if isinstance(hint, Codes):
        yield hint
    for inner in typing.get_args(hint):
        yield from _codes(inner)


def _either(words: Sequence[Any]) -> str:
    *most, last = map(str, words)
    return f"{', '.join(most)} or {last}" if most else last


def _counts(seats: Sequence[int]) -> str:
    lowest, highest = seats[0], seats[-1]
    return f"{lowest} to {highest}" if len(seats) == highest - lowest + 1 > 2 else _either(seats)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _row(name: str, text: str) -> Iterator[str]:
    first = f"  {name:{_WIDTH}}" if len(name) <= _WIDTH else f"  {name}  "
    return _filled(text, first, " " * (_WIDTH + 2))


def _filled(text: str, first: str = "", later: str = "") -> Iterator[str]:
    width = min(shutil.get_terminal_size().columns, 100)
    yield from textwrap.wrap(text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)

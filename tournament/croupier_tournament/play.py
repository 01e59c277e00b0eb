"""`croupier play`: one match in the terminal. Reads its arguments, has the match played, and prints what came of it.

It stands outside of `commands`, so that listing commands need not import what running cups takes. Exit codes: 0 played,
1 the host failed, 2 bad input, 3 see --strict.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import os
import re
import secrets
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

from croupier_server.games import find_game
from croupier_server.launcher.client import LauncherLostError, LaunchError
from croupier_server.match.keys import SECRET_BYTES, block_key, bot_seed
from croupier_server.match.playthrough import playthrough
from croupier_server.match.spec import Clock, MatchSpec, Policy, ScheduleIdentity, SeatSpec
from croupier_server.match.verify import Verified, verify
from croupier_server.rules import AnyGame, OptionsError, nearest, options_values, read_options
from croupier_server.store import StoreError
from croupier_tournament.cupfile_on_disk import ready_command
from croupier_tournament.engines.local import MatchOrder, Program
from croupier_tournament.engines.server_line import ServerError
from croupier_tournament.person import Keyboard, Person
from croupier_tournament.single_match import SingleMatch, play_single_match, stderr_of

FAILED, BAD_INPUT, FORFEITED, INTERRUPTED = 1, 2, 3, 130
RANDOM = "random"  # the house's own bot
HOUSE = Program((sys.executable, "-P", "-m", "croupier_tournament.house"), {})
PERSON = "human"
_DAY_MS = 86_400_000
_FOR_PEOPLE = Clock(bank_ms=_DAY_MS, turn_cap_ms=_DAY_MS)
_CLOCK = {field.name.removesuffix("_ms"): field.name for field in dataclasses.fields(Clock)}
_SHOWN_LINES = 20  # of what a bot that forfeited wrote


class PlayError(ValueError):
    """A match cannot be played like this; nothing was started."""


def play(argv: Sequence[str]) -> int:
    """Plays one match in the terminal, between bots and, if you like, yourself."""
    args = _parser().parse_args(argv)
    try:
        secret = _secret(args.seed)
        match = _match(args, secret)
        _check_saving(args.save)
    except (PlayError, OptionsError) as error:
        print(f"croupier play: {error}", file=sys.stderr)
        return BAD_INPUT
    with tempfile.TemporaryDirectory(prefix="croupier-play-") as folder:
        try:
            record = asyncio.run(play_single_match(match, Path(folder)))
        except asyncio.CancelledError:
            return INTERRUPTED
        except (ServerError, LaunchError, LauncherLostError, StoreError) as error:
            print(f"croupier play: {error}", file=sys.stderr)
            return FAILED
        data = record.SerializeToString(deterministic=True)
        verified = verify(data)
        print(*playthrough(verified), f"seed: {secret.hex()}", sep="\n")
        _show_errors(match, verified, Path(folder))
    if args.save is not None:
        try:
            args.save.write_bytes(data)
        except OSError as error:
            print(f"croupier play: {args.save}: {error.strerror}", file=sys.stderr)
            return FAILED
        print(f"record: {args.save}")
    return FORFEITED if args.strict and verified.play.result.forfeits else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="croupier play", description=play.__doc__)
    parser.add_argument("game", metavar="GAME", help="see: croupier games")
    about = f"who takes the next seat: a command, such as '{{python}} my_bot.py', or {RANDOM}, which takes all others"
    parser.add_argument("--bot", metavar="CMD", dest="seats", action="append", help=about)
    about = "you take the next seat, at the keyboard"
    parser.add_argument("--human", dest="seats", action="append_const", const=None, help=about)
    parser.add_argument("--players", metavar="N", type=int, help="how many seats; the fewest that do by default")
    parser.add_argument("--variant", metavar="NAME", help="options that go together")
    parser.add_argument("--options", metavar="KEY=VALUE", nargs="+", action="extend", default=[], help="of the game")
    about = f"of all seats: {', '.join(_CLOCK)}; a day for everything with --human"
    parser.add_argument("--clock", metavar="KEY=SECONDS", nargs="+", action="extend", default=[], help=about)
    about = f"where all luck comes from: up to {2 * SECRET_BYTES} hexadecimal digits; random by default"
    parser.add_argument("--seed", metavar="HEX", help=about)
    parser.add_argument("--save", metavar="FILE", type=Path, help="where to write the record, for verify and replay")
    parser.add_argument("--strict", action="store_true", help="exit with 3 when anybody forfeited")
    return parser


def _match(args: argparse.Namespace, secret: bytes) -> SingleMatch:
    """All that the arguments ask for; raises PlayError."""
    try:
        game = find_game(args.game)
    except ValueError as error:
        raise PlayError(str(error)) from None
    taken: list[str | None] = args.seats or []
    if taken.count(None) > 1:
        raise PlayError(f"found --human {taken.count(None)} times; expected one person at the keyboard")
    if None in taken and not sys.stdin.isatty():
        raise PlayError("--human is for a terminal; expected one as the standard input")
    options, players = _rules(game, args, len(taken))
    programs: dict[str, Program] = {}
    entrants: list[str] = []
    for seat in [*taken, *[RANDOM] * (players - len(taken))]:
        name, program = _seat(seat)
        entrants.append(_unlike(name, entrants))
        if program is not None:
            programs[entrants[-1]] = program
    person = None
    if None in taken:
        person = entrants[taken.index(None)], lambda: Person(game, Keyboard(sys.stdin.fileno()), _show)
    # No names go into the luck: with one seed the cards are the same, whoever plays.
    seats = tuple([SeatSpec(name, bot_seed(secret, (), 0, 0, seat)) for seat, name in enumerate(entrants)])
    clock = _clock(_FOR_PEOPLE if person else Clock(), args.clock)
    identity = ScheduleIdentity(cup="play", block=0, seating=0)
    spec = MatchSpec(game, options, game.behavior, seats, identity, clock, Policy())
    key = block_key(secret, game.id, (), 0, redraw=0)
    return SingleMatch(MatchOrder(secrets.token_hex(16), 1, 1, spec, key), programs, person)


def _rules(game: AnyGame, args: argparse.Namespace, taken: int) -> tuple[Any, int]:
    """The options, and the number of seats: as asked, or else the fewest that the options fit."""
    values: dict[str, Any] = {}
    if args.variant is not None:
        if args.variant not in game.variants:
            raise PlayError(f"{game.id} has no variant {args.variant!r}; {nearest(args.variant, game.variants)}")
        values = options_values(game.variants[args.variant])
    values |= {key: _value(text) for key, text in _pairs("--options", args.options)}
    counts = [count for count in game.seats if count >= taken] if args.players is None else [args.players]
    if not counts or counts[0] < taken:
        raise PlayError(f"found {taken} seats taken; expected at most {args.players or game.seats[-1]}")
    refusals: list[OptionsError] = []
    for count in counts:
        try:
            return read_options(game, values, count), count
        except OptionsError as error:
            refusals.append(error)
    raise refusals[0]


def _pairs(option: str, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or key in seen:
            raise PlayError(f"{option}: found {word!r}; expected KEY=VALUE, with every key once")
        seen.add(key)
        yield key, text


def _value(text: str) -> Any:
    """An option's value as in a cup file; a bare word is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _clock(clock: Clock, words: Sequence[str]) -> Clock:
    changes: dict[str, int] = {}
    for key, text in _pairs("--clock", words):
        if key not in _CLOCK:
            raise PlayError(f"--clock: there is no {key!r}; {nearest(key, _CLOCK)}")
        if not re.fullmatch(r"\d{1,5}(\.\d{1,3})?", text, re.ASCII) or float(text) * 1000 > _DAY_MS:
            raise PlayError(f"--clock: {key}: found {text!r}; expected seconds, from 0 to {_DAY_MS // 1000}")
        changes[_CLOCK[key]] = round(float(text) * 1000)
    changed = dataclasses.replace(clock, **changes)
    if not changed.turn_cap_ms or not changed.bank_ms + changed.increment_ms:
        raise PlayError("--clock: found no time to think; expected a turn_cap, and a bank or an increment")
    return changed


def _secret(seed: str | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(SECRET_BYTES)
    if not re.fullmatch(rf"[0-9A-Fa-f]{{1,{2 * SECRET_BYTES}}}", seed):
        raise PlayError(f"--seed: found {seed!r}; expected 1 to {2 * SECRET_BYTES} hexadecimal digits")
    return bytes.fromhex(seed.zfill(2 * SECRET_BYTES))


def _seat(command: str | None) -> tuple[str, Program | None]:
    """The name of whoever takes a seat, and its program unless it is the person."""
    if command is None:
        return PERSON, None
    if command == RANDOM:
        return RANDOM, HOUSE
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PlayError(f"--bot {command!r}: {error}") from None
    if not words:
        raise PlayError(f"--bot: found no command; expected one, or {RANDOM}")
    try:
        ready = ready_command(words, Path.cwd())
    except FileNotFoundError as error:
        raise PlayError(f"--bot {command!r}: {error}") from None
    script = next((word for word in words if word.endswith(".py")), words[0])
    name = re.sub(r"[^a-z0-9_.-]+", "-", PurePath(script).stem.lower())[:48].strip("-_.")
    return name or "bot", Program(ready, {})


def _unlike(name: str, others: Sequence[str]) -> str:
    """The name, with a number when others have it."""
    unlike, number = name, 1
    while unlike in others:
        number += 1
        unlike = f"{name}-{number}"
    return unlike


def _check_saving(path: Path | None) -> None:
    if path is not None and (path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK)):
        raise PlayError(f"--save: cannot write {path}; expected a file in a folder that exists and can be written to")


def _show(text: str) -> None:
    print(text, end="", flush=True)


def _show_errors(match: SingleMatch, verified: Verified, folder: Path) -> None:
    """What bots that forfeited wrote to their standard error, which is gone with the folder."""
    for forfeit in verified.play.result.forfeits:
        name = match.order.spec.seats[forfeit.seat].entrant
        if written := stderr_of(match, name, folder):
            print(f"seat {forfeit.seat}, {name}, wrote to its standard error:", file=sys.stderr)
            print(*written.splitlines()[-_SHOWN_LINES:], sep="\n", file=sys.stderr)

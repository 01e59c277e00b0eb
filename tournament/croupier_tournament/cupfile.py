"""The cup file: TOML in, a CupFile out, or a list of everything that is wrong with it. Pure; it looks at no disk.

Whether the bots' programs exist is the business of cupfile_on_disk.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from croupier_server.match.spec import Clock, Policy
from croupier_server.rules import AnyGame, OptionsError, nearest, read_options
from croupier_tournament.pairing import match_count
from croupier_tournament.toml_reading import Document, Problem, Table, shown

MAX_BYTES = 1 << 20
MAX_ENTRANTS = 1000
MAX_BLOCKS = 100_000
MAX_MATCHES = 1_000_000
MAX_PARALLEL = 256
MAX_PLAYERS = 64
MAX_PORT = 65_535
PYTHON = "{python}"  # in a command: the interpreter that runs the cup

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
_NAME_EXPECTED = "1 to 64 of a-z, 0-9, '-', '_' and '.', the first a letter or digit"
_ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+):[0-9]{1,5}")
_WORD = re.compile(r".+", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{[A-Za-z_]+\}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OWN_VARIABLES = "CROUPIER_"  # the runner's
_CLOCK_SECONDS = {  # the fields of Clock, and from how many to how many seconds
    "start_up": (0.1, 3600),
    "bank": (0, 86_400),
    "increment": (0, 3600),
    "turn_cap": (0.01, 86_400),
    "disconnect_grace": (0, 3600),
}


class Deals(Enum):
    """Whether the seatings of a block share one deal."""

    DUPLICATE = 1
    INDEPENDENT = 2


class Isolation(Enum):
    """What keeps the bots of one match from those of the next."""

    SESSION = 1  # nothing: processes are kept alive, which is for one's own experiments
    PROCESS = 2  # a fresh process for every match


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot's entry. A remote one has no command."""

    name: str
    remote: bool
    command: tuple[str, ...]  # as written in the file
    env: Mapping[str, str]  # beside the runner's own variables
    line: int | None = field(default=None, compare=False)  # of the cup file; of the command when it has one


@dataclass(frozen=True, slots=True)
class CupFile:
    """A cup as it was ordered, whole and checked, every absent key at its default."""

    name: str
    game: AnyGame
    players: int  # seats at a table
    options: Any  # of the game's options class
    blocks: int  # for each table
    deals: Deals
    isolation: Isolation
    seed: int  # drives the order of the schedule and nothing else
    parallel: int  # matches at a time
    listen: str  # host:port
    join_ms: int  # how long remote entrants are waited for
    clock: Clock
    policy: Policy
    entrants: tuple[Entrant, ...]  # in the order of the file

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names in the order of the file."""
        return tuple(entrant.name for entrant in self.entrants)


class CupFileError(ValueError):
    """Everything that is wrong with a cup file; a line each: `file:line: key: found, expected`."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line or 0))
        super().__init__("\n".join(_sentence(file, problem) for problem in self.problems))


def parse_cup_file(data: bytes, file: str, games: Mapping[str, AnyGame], cores: int) -> CupFile:
    """Reads a cup file for a machine with so many cores, which only the default of `parallel` depends on.

    `file` is its name in error messages. Raises CupFileError with all problems, whatever the bytes.
    """
    document = _document(data, file)
    document.refuse_others(("cup", "options", "clock", "policy", "entrant"))
    table = document.table("cup", required=True)
    name = table.text("name", _NAME, _NAME_EXPECTED)
    game = _game(table, games)
    players = _players(table, game)
    options = None if game is None else _options(document, game, players)
    thinkers = players if game is not None and game.simultaneous else 1
    entrants = _entrants(document)
    blocks = table.integer("blocks", 1, MAX_BLOCKS)
    if len(entrants) < players:
        document.wrong(("entrant",), f"found {len(entrants)}; expected at least {players}, to fill a table")
    elif (matches := match_count(len(entrants), players, blocks)) > MAX_MATCHES:
        table.wrong("blocks", f"found {blocks}, which makes {matches:,} matches; expected at most {MAX_MATCHES:,}")
    deals = _deals(table, entrants)
    isolation = table.choice("isolation", Isolation, Isolation.PROCESS, later=("sandbox",))
    seed = table.integer("seed", 0, 2**63 - 1, default=0)
    parallel = table.integer("parallel", 1, MAX_PARALLEL, default=min(MAX_PARALLEL, max(1, cores // thinkers)))
    listen = _address(table)
    join_ms = table.milliseconds("join_seconds", 0, 86_400, default_ms=60_000)
    clock, policy = _clock(document), _policy(document)
    table.close()
    if game is None or document.problems:
        raise CupFileError(file, document.problems)
    return CupFile(
        name, game, players, options, blocks, deals, isolation, seed, parallel, listen, join_ms, clock, policy, entrants
    )


def _sentence(file: str, problem: Problem) -> str:
    place = file if problem.line is None else f"{file}:{problem.line}"
    return ": ".join(part for part in (place, problem.key, problem.message) if part)


def _document(data: bytes, file: str) -> Document:
    if len(data) > MAX_BYTES:
        raise CupFileError(file, [Problem(None, "", f"{len(data):,} bytes; expected at most {MAX_BYTES:,}")])
    try:
        return Document(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CupFileError(file, [Problem(line, "", "this is no UTF-8; expected TOML, which is UTF-8")]) from None
    except ValueError as error:
        at = re.search(r"at line (\d+)", str(error))
        raise CupFileError(file, [Problem(int(at[1]) if at else None, "", f"not readable: {error}")]) from None


def _game(table: Table, games: Mapping[str, AnyGame]) -> AnyGame | None:
    word = table.text("game", _WORD, f"a game; {nearest('', games)}")
    if word and word not in games:
        table.wrong("game", f"there is no game {shown(word)}; {nearest(word, games)}")
    return games.get(word)


def _players(table: Table, game: AnyGame | None) -> int:
    counts = (2,) if game is None else game.seats
    players = table.integer("players", counts[0], MAX_PLAYERS if game is None else counts[-1], default=counts[0])
    if game is None or players in counts:
        return players
    table.wrong("players", f"found {players}; {game.id} is for {' or '.join(map(str, counts))}")
    return counts[0]


def _options(document: Document, game: AnyGame, players: int) -> Any:
    table = document.table("options")
    values = dict(table.values)
    while True:  # one round for each option that is wrong
        try:
            return read_options(game, values, players)
        except OptionsError as error:
            table.wrong(error.key, str(error))
            if values.pop(error.key, None) is None:
                return None


def _deals(table: Table, entrants: tuple[Entrant, ...]) -> Deals:
    remote = [entrant.name for entrant in entrants if entrant.remote]
    deals = table.choice("deals", Deals, Deals.INDEPENDENT if remote else Deals.DUPLICATE)
    if remote and deals is Deals.DUPLICATE:
        table.wrong("deals", f"found 'duplicate'; expected 'independent', since {remote[0]} is remote and can remember")
    return deals


def _address(table: Table) -> str:
    expected = 'an address, such as "127.0.0.1:0"'
    address = table.text("listen", _ADDRESS, expected, default="127.0.0.1:0")
    if address and int(address.rpartition(":")[2]) > MAX_PORT:
        table.wrong("listen", f"found {address!r}; expected a port up to {MAX_PORT}")
    return address


def _clock(document: Document) -> Clock:
    table, default = document.table("clock"), Clock()
    read = {
        f"{name}_ms": table.milliseconds(f"{name}_seconds", low, high, getattr(default, f"{name}_ms"))
        for name, (low, high) in _CLOCK_SECONDS.items()
    }
    table.close()
    clock = Clock(**read)
    if clock.bank_ms + clock.increment_ms == 0:
        table.wrong("bank_seconds", "found neither bank nor increment; expected time to think")
    return clock


def _policy(document: Document) -> Policy:
    table = document.table("policy")
    policy = Policy(strikes=table.integer("strikes", 1, 1000, default=Policy().strikes))
    table.close()
    return policy


def _entrants(document: Document) -> tuple[Entrant, ...]:
    tables = document.tables("entrant")
    if len(tables) > MAX_ENTRANTS:
        document.wrong(("entrant",), f"found {len(tables)}; expected at most {MAX_ENTRANTS}")
        tables = tables[:MAX_ENTRANTS]
    entrants = tuple(_entrant(table) for table in tables)
    lines: dict[str, int | None] = {}
    for table, entrant in zip(tables, entrants, strict=True):
        if entrant.name in lines:
            table.wrong(
                "name", f"found {entrant.name!r} again, as on line {lines[entrant.name]}; expected another name"
            )
        elif entrant.name:
            lines[entrant.name] = table.line("name")
    return entrants


def _entrant(table: Table) -> Entrant:
    name = table.text("name", _NAME, _NAME_EXPECTED)
    remote = table.flag("remote")
    if remote:
        for key in ("command", "env"):
            if table.has(key):
                table.wrong(key, f"found for a remote entrant; expected no {key}, since its owner starts it")
    command = () if remote else table.strings("command", 'a command, such as ["./bot", "--fast"], or remote = true')
    for word in command:
        if _PLACEHOLDER.fullmatch(word) and word != PYTHON:
            table.wrong("command", f"there is no placeholder {word}; {nearest(word, [PYTHON])}")
    env = {} if remote else _env(table)
    table.close()
    return Entrant(name, remote, command, env, table.line("name" if remote else "command"))


def _env(table: Table) -> dict[str, str]:
    inner = table.table("env")
    for key, value in inner.values.items():
        if not _VARIABLE.fullmatch(key) or key.startswith(_OWN_VARIABLES):
            inner.wrong(
                key, f"expected a variable of letters, digits and '_' that does not begin with {_OWN_VARIABLES}"
            )
        if type(value) is not str or "\0" in value:
            inner.wrong(key, f"found {shown(value)}; expected a string")
    return dict(inner.values)

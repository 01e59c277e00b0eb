"""The referee's speed beside bare gRPC: turns a second and the server's processor time a turn, as ratios.

The real side is `croupier serve` as a cup runner starts it, playing whole matches of jekyll with their records, against
bots over loopback. The bare side is a grpc.aio ping-pong with the same settings, messages of the sizes that the real
side was just seen to have, and as many turns in flight. Both are measured in turn, a pair at a time, the server on one
core and the load on another; what counts are ratios and processor time, since other work on the machine spoils rates.
All processes inherit the event-engine switch that the import of croupier_server.service has set here. See
docs/performance.md.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import json
import os
import platform
import secrets
import socket
import statistics
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from croupier_server.games import GAMES
from croupier_server.match.codec import spec_message
from croupier_server.match.spec import Clock, MatchSpec, Policy, ScheduleIdentity, SeatSpec
from croupier_server.service.session import credential_hash
from croupier_tournament.engines.server_line import ServerError, ServerLine
from load import Measured
from processes import cores, line_of, on_core, running, script

_START_SECONDS = 30.0
_AHEAD = 2  # matches ordered for each pair of bots, so that one begins when the other ends
_SEATS = 2  # of jekyll


@dataclass(frozen=True, slots=True)
class Setting:
    """How long and where to measure."""

    warm_up: float
    seconds: float
    server_core: int | None
    load_core: int | None


@dataclass(frozen=True, slots=True)
class Pair:
    """One measurement of each side, the one right after the other."""

    real: Measured
    bare: Measured

    @property
    def rate_ratio(self) -> float:
        """Turns a second, real to bare."""
        return rate(self.real) / rate(self.bare)

    @property
    def cpu_ratio(self) -> float:
        """The server's processor time a turn, real to bare."""
        return server_us(self.real) / server_us(self.bare)


def rate(measured: Measured) -> float:
    """Turns a second."""
    return measured.turns / measured.seconds


def server_us(measured: Measured) -> float:
    """The server's processor time a turn, in microseconds."""
    return measured.server_cpu_us / measured.turns


def load_us(measured: Measured) -> float:
    """The bots' processor time a turn, all bots together, in microseconds."""
    return measured.load_cpu_us / measured.turns


# -- the two sides


async def measure_real(turns: int, setting: Setting) -> Measured:
    """The real server with `turns` matches at a time: one turn each in flight, two where both seats are asked."""
    ours, theirs = socket.socketpair()
    serve = [sys.executable, "-P", "-m", "croupier", "serve", "--listen", "127.0.0.1:0"]
    serve += ["--control-fd", str(theirs.fileno())]
    with theirs:
        async with running(serve, setting.server_core, pass_fds=(theirs.fileno(),)) as server:
            line = ServerLine(*await asyncio.open_connection(sock=ours))
            async with asyncio.timeout(_START_SECONDS):
                await line.listen()
            for bot in range(_SEATS * turns):
                line.admit(str(bot), f"bot-{bot}", credential_hash(str(bot)), one_time=True)
            async with _matches(line, turns):
                return await _measure(line.address, server.pid, _SEATS * turns, setting)


@contextlib.asynccontextmanager
async def _matches(line: ServerLine, tables: int) -> AsyncIterator[None]:
    """Keeps a match going at every table for the block; at its end the line is closed, and so is the server."""
    playing = [asyncio.create_task(_play_on(line, table)) for table in range(tables) for _ in range(_AHEAD)]
    try:
        yield
    finally:
        await line.close()
        for result in await asyncio.gather(*playing, return_exceptions=True):
            if not isinstance(result, ServerError):  # which is how every one of them ends
                raise RuntimeError("a match could not be played on") from result


async def _play_on(line: ServerLine, table: int) -> None:
    """Plays match after match until the line is closed; raises ServerError then."""
    game, bots = GAMES["jekyll"], range(_SEATS * table, _SEATS * (table + 1))
    spec = MatchSpec(
        game=game,
        options=game.options(),
        behavior=game.behavior,
        seats=tuple([SeatSpec(f"bot-{bot}", bot) for bot in bots]),
        identity=ScheduleIdentity("bench", 0, 0),
        clock=Clock(),
        policy=Policy(),
    )
    message, slots = spec_message(spec), [str(bot) for bot in bots]
    while True:
        key = secrets.token_bytes(32)
        await line.play(match_id=secrets.token_hex(8), attempt=1, spec=message, block_key=key, slots=slots)


async def measure_bare(turns: int, like: Measured, setting: Setting) -> Measured:
    """The bare server with one turn in flight on each of `turns` streams, and messages of the sizes given."""
    command = script("bare_server.py", "--response-bytes", str(like.response_bytes))
    async with running(command, setting.server_core) as server:
        address = await line_of(server, "the bare server", _START_SECONDS)
        return await _measure(address, server.pid, turns, setting, "--bare-request-bytes", str(like.request_bytes))


async def _measure(address: str, pid: int, streams: int, setting: Setting, *more: str) -> Measured:
    arguments = [address, "--pid", str(pid), "--streams", str(streams), *more]
    arguments += ["--warm-up", str(setting.warm_up), "--seconds", str(setting.seconds)]
    async with running(script("load.py", *arguments), setting.load_core) as load:
        seconds = setting.warm_up + setting.seconds + 3 * _START_SECONDS
        return Measured(**json.loads(await line_of(load, "the load", seconds)))


# -- the report


def table(results: dict[int, list[Pair]]) -> str:
    """The figures for people: medians, ratios pair by pair."""
    lines = [
        "turns in |        turns/s        | server CPU µs a turn  | load CPU µs | bytes a turn | other",
        "  flight |   bare    real  ratio |   bare    real  ratio | bare   real |   in     out | cores",
        "---------+-----------------------+-----------------------+-------------+--------------+------",
    ]
    for turns, pairs in results.items():
        reals, bares = [pair.real for pair in pairs], [pair.bare for pair in pairs]
        median = statistics.median
        lines.append(
            f"{turns:8} | {median(map(rate, bares)):6.0f}  {median(map(rate, reals)):6.0f}"
            f"  {median([pair.rate_ratio for pair in pairs]):5.2f}"
            f" | {median(map(server_us, bares)):6.1f}  {median(map(server_us, reals)):6.1f}"
            f"  {median([pair.cpu_ratio for pair in pairs]):5.2f}"
            f" | {median(map(load_us, bares)):4.0f}   {median(map(load_us, reals)):4.0f}"
            f" | {median([real.request_bytes for real in reals]):4.0f}"
            f"    {median([real.response_bytes for real in reals]):4.0f}"
            f" | {median([side.other_cores for side in reals + bares]):5.2f}"
        )
    return "\n".join(lines)


def document(results: dict[int, list[Pair]], setting: Setting) -> str:
    """The same for programs, with every single measurement, as JSON."""
    rows = [
        {
            "turns_in_flight": turns,
            "rate_ratio": statistics.median([pair.rate_ratio for pair in pairs]),
            "cpu_ratio": statistics.median([pair.cpu_ratio for pair in pairs]),
            "pairs": [dataclasses.asdict(pair) for pair in pairs],
        }
        for turns, pairs in results.items()
    ]
    whole = {"machine": machine(), "setting": dataclasses.asdict(setting), "results": rows}
    return json.dumps(whole, indent=2) + "\n"


def machine() -> dict[str, str | int | None]:
    """What the figures depend on."""
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "grpcio": version("grpcio"),
        "protobuf": version("protobuf"),
        "grpc_experiments": os.environ.get("GRPC_EXPERIMENTS"),
    }


async def measure_all(flights: Sequence[int], repeat: int, setting: Setting) -> dict[int, list[Pair]]:
    """Pairs by turns in flight. The repeats go round all of them, so that a noisy minute does not spoil one row."""
    results: dict[int, list[Pair]] = {turns: [] for turns in flights}
    for number in range(repeat):
        for turns in flights:
            real = await measure_real(turns, setting)
            pair = Pair(real, await measure_bare(turns, real, setting))
            results[turns].append(pair)
            text = f"turns {pair.rate_ratio:.2f}, CPU {pair.cpu_ratio:.2f} of bare"
            print(f"round {number + 1} of {repeat}, {turns} in flight: {text}", file=sys.stderr)
    return results


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, nargs="+", default=[1, 8, 64], metavar="N", help="turns in flight")
    parser.add_argument("--repeat", type=int, default=3, help="pairs for each of them; the median is shown")
    parser.add_argument("--warm-up", type=float, default=0.5, metavar="SECONDS")
    parser.add_argument("--seconds", type=float, default=1.5, help="measured on each side of a pair")
    parser.add_argument("--json", type=Path, metavar="FILE", help="writes every measurement there as well")
    args = parser.parse_args()
    server_core, load_core = cores() or (None, None)
    setting = Setting(args.warm_up, args.seconds, server_core, load_core)
    with on_core(load_core):
        results = asyncio.run(measure_all(args.turns, args.repeat, setting))
    pinned = "not pinned" if server_core is None else f"server on core {server_core}, load on core {load_core}"
    print(f"jekyll with records, median of {args.repeat} pairs of {args.seconds:g} s, {pinned}")
    print(table(results))
    if args.json is not None:
        args.json.write_text(document(results, setting), encoding="utf-8")


if __name__ == "__main__":
    main()

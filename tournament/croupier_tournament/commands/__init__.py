"""The sub-commands of `croupier cup`. Exit codes: 0 done, 1 the host failed (resume), 2 bad input, 3 see --strict."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from croupier_server.store import StoreError
from croupier_tournament.commands.reading import export, standings, status
from croupier_tournament.commands.running import RunError, resume, run
from croupier_tournament.cupfile import CupFileError
from croupier_tournament.place import PlaceError

BAD_INPUT = 2


def cup(argv: Sequence[str]) -> int:
    """Runs cups and shows them: run, resume, status, standings, export."""
    args = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = args.command
    try:
        return command(args)
    except (CupFileError, PlaceError, StoreError, RunError) as error:
        print(f"croupier cup: {error}", file=sys.stderr)
        return BAD_INPUT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="croupier cup", description=cup.__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (run, resume):
        sub = _add(commands, command)
        sub.add_argument("file", metavar="FILE", type=Path, help="the cup file")
        sub.add_argument("--strict", action="store_true", help="exit with 3 when anybody forfeited")
        sub.add_argument("--plain", action="store_true", help="plain lines instead of a live table")
        if command is run:
            about = "a file with the cup's secret, 64 hexadecimal digits, instead of a random one"
            sub.add_argument("--secret-file", metavar="FILE", type=Path, help=about)
    for command in (status, standings, export):
        sub = _add(commands, command)
        sub.add_argument("cup", metavar="CUP", help="the cup's name, its file or its folder")
        if command is export:
            sub.add_argument("--to", metavar="FOLDER", type=Path, help="where to write; the cup's folder by default")
    return parser


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], command: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    about = (command.__doc__ or "").partition("\n")[0]
    sub = commands.add_parser(command.__name__, help=about, description=about)
    sub.add_argument("--folder", metavar="FOLDER", type=Path, help="the cup's folder; cups/NAME by default")
    sub.add_argument("--store", metavar="URL", help="the store; store.sqlite in the cup's folder by default")
    sub.set_defaults(command=command)
    return sub


__all__ = ["cup"]

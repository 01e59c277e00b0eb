"""The command `croupier`: finds sub-commands and hands over to them. It has none of its own.

A sub-command is an entry point in the group `croupier.commands`: a callable that takes the arguments behind its name
and returns an exit code. Its help in the list is the first line of its docstring, read from the source: listing
commands imports none of them, so the list works, and is quick, where what they need is not installed.
"""

from __future__ import annotations

import ast
import difflib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from croupier._version import VERSION

GROUP = "croupier.commands"
EXTRA = "arena"  # brings whatever a command may need beyond grpcio and protobuf
USAGE = "usage: croupier COMMAND [ARGUMENTS] | --help | --version"

USAGE_ERROR = 2
INTERRUPTED = 130  # 128 + SIGINT, as a shell has it
BROKEN_PIPE = 141  # 128 + SIGPIPE

Command: TypeAlias = Callable[[Sequence[str]], int]


class _UsageError(Exception):
    """Nothing was done, because of how the command was called or what is not installed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line (sys.argv when none is given) and returns the exit code.

    2: unknown command, or one whose needs are not installed. 130: Ctrl-C. 141: whoever read the output has gone.
    Otherwise the sub-command's own.
    """
    try:
        code = _dispatch(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except _UsageError as error:
        print(f"croupier: {error}", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the flush at exit cannot fail again
        return BROKEN_PIPE
    return code


def _dispatch(argv: Sequence[str]) -> int:
    if not argv:
        raise _UsageError(f"no command given\n{USAGE}")
    name, *arguments = argv
    match name:
        case "--version":
            print(f"croupier {VERSION}")
            return 0
        case "--help" | "-h" | "help":
            print(_help(_commands()))
            return 0
        case _:
            return _load(name, _commands())(arguments)


def _commands() -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}


def _load(name: str, commands: Mapping[str, EntryPoint]) -> Command:
    if name not in commands:
        close = difflib.get_close_matches(name, commands, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(commands) or 'none'}"
        raise _UsageError(f"no command {name!r}; {hint}")
    try:
        command: Command = commands[name].load()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0].startswith("croupier"):
            raise  # a fault of our own, which must not pass for a missing extra
        need = f"{name} needs the extra '{EXTRA}': pip install 'croupier[{EXTRA}]'"
        raise _UsageError(f"{need} (there is no {error.name!r})") from error
    return command


def _help(commands: Mapping[str, EntryPoint]) -> str:
    width = max(map(len, commands), default=0)
    lines = [f"  {name:{width}}  {_summary(entry)}".rstrip() for name, entry in commands.items()]
    return "\n".join([USAGE, "", "commands:", *lines])


def _summary(entry: EntryPoint) -> str:
    """The first line of a command's docstring, without running its module; "" when it cannot be read."""
    try:
        spec = find_spec(entry.module)
    except ModuleNotFoundError:  # not even its package is there
        return ""
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return ""
    tree = ast.parse(Path(spec.origin).read_bytes())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == entry.attr:
            return (ast.get_docstring(node) or "").partition("\n")[0]
    return ""

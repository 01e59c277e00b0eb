"""What a cup file has to do with this machine: the file itself, and the programs that it names. Starts nothing."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath

from croupier_server.rules import AnyGame
from croupier_tournament.cupfile import MAX_BYTES, PYTHON, CupFile, CupFileError, parse_cup_file
from croupier_tournament.toml_reading import Problem

_HERE = ("./", "../")


def load_cup_file(path: Path, games: Mapping[str, AnyGame], cores: int) -> CupFile:
    """Reads and checks a cup file; raises CupFileError when that fails, for whatever reason."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CupFileError(str(path), [Problem(None, "", f"{error.strerror}; expected a cup file")]) from None
    return parse_cup_file(data, str(path), games, cores)


def check_commands(
    cup: CupFile, path: Path, *, python: str = sys.executable, which: Callable[[str], str | None] = shutil.which
) -> dict[str, tuple[str, ...]]:
    """The command line of each entrant that is not remote, by name, as `ready_command` makes it.

    `path` is the cup file; its folder is where relative paths begin. Raises CupFileError with all commands that cannot
    be started.
    """
    folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - resolve() would follow links out of the folder
    commands: dict[str, tuple[str, ...]] = {}
    problems: list[Problem] = []
    for number, entrant in enumerate(cup.entrants, 1):
        if entrant.remote:
            continue
        try:
            commands[entrant.name] = ready_command(entrant.command, folder, python=python, which=which)
        except FileNotFoundError as error:
            problems.append(Problem(entrant.line, f"entrant {number}.command", str(error)))
    if problems:
        raise CupFileError(str(path), problems)
    return commands


def ready_command(
    words: Sequence[str],
    folder: Path,
    *,
    python: str = sys.executable,
    which: Callable[[str], str | None] = shutil.which,
) -> tuple[str, ...]:
    """The words of a command, ready to be started in any folder; raises FileNotFoundError.

    `folder` is where relative paths begin. The first word is `{python}`, which stands for `python`; or, with a slash
    in it, the path of a program; or the name of a program that `which` finds. Any further word becomes an absolute
    path when it names a file that exists, or begins with `./` or `../`; all others stay as they are. A word that
    begins with `./` or `../` must exist, and so must the script of a Python command (its second word, unless it begins
    with `-`).
    """
    program = _program(words[0], folder, python, which)
    arguments = []
    for at, word in enumerate(words[1:]):
        is_script = at == 0 and PurePath(program).name.startswith("python") and not word.startswith("-")
        arguments.append(_argument(word, folder, python, must_exist=is_script or word.startswith(_HERE)))
    return (program, *arguments)


def _program(word: str, folder: Path, python: str, which: Callable[[str], str | None]) -> str:
    """Where the program is; raises FileNotFoundError."""
    if word == PYTHON:
        return python
    if found := which(str(folder / word) if "/" in word else word):
        return os.path.abspath(found)  # noqa: PTH100
    where = f"seen from {folder}" if "/" in word else "on the PATH"
    hint = f"; did you mean './{word}'?" if which(str(folder / word)) else ""
    raise FileNotFoundError(f"found {word!r}; expected a program that can be run, {where}{hint}")


def _argument(word: str, folder: Path, python: str, *, must_exist: bool) -> str:
    """The word as the program gets it; raises FileNotFoundError for a file that is not there."""
    if word == PYTHON:
        return python
    path = folder / word
    if _exists(path) and (must_exist or path.is_file()):
        return os.path.abspath(path)  # noqa: PTH100
    if must_exist:
        raise FileNotFoundError(f"found {word!r}; expected a file that exists, seen from {folder}")
    return word


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # too long for a path, say: then it is none
        return False

"""The command `croupier`, run as a program, with sub-commands of a distribution made for the test."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from croupier import VERSION

ROOT = Path(__file__).resolve().parents[2]

COMMANDS = '''
import sys
from pathlib import Path

Path(__file__).with_name("loaded").touch()


def echo(argv):
    """Prints its arguments.

    And nothing else.
    """
    print(" ".join(argv))
    return 7


def pour(argv):
    """Prints without end."""
    while True:
        print("x" * 4096)


def wait(argv):
    """Waits for Ctrl-C."""
    print("waiting", flush=True)
    while True:
        sys.stdin.read()
'''

NEEDY = '''
import a_package_that_is_not_there


def needy(argv):
    """Needs what is not there."""
'''


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with an installed distribution that brings commands."""
    (tmp_path / "probe_commands.py").write_text(COMMANDS)
    (tmp_path / "probe_needy.py").write_text(
        'import a_package_that_is_not_there\n\n\ndef needy(argv):\n    """Needs."""\n'
    )
    (tmp_path / "probe_broken.py").write_text("import croupier.no_such_module\n")
    metadata = tmp_path / "probe-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: probe\nVersion: 1.0\n")
    entries = """
        [croupier.commands]
        wait-for-it = probe_commands:wait
        echo = probe_commands:echo
        pour = probe_commands:pour
        needy = probe_needy:needy
        broken = probe_broken:broken
        absent = not_even_the_package.commands:absent
    """
    (metadata / "entry_points.txt").write_text(textwrap.dedent(entries))
    return tmp_path


def command(site: Path) -> tuple[list[str], dict[str, str]]:
    path = os.pathsep.join([str(site), str(ROOT / "clients/python"), os.environ.get("PYTHONPATH", "")])
    return [sys.executable, "-m", "croupier"], os.environ | {"PYTHONPATH": path}


def croupier(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program, env = command(site)
    return subprocess.run([*program, *arguments], env=env, capture_output=True, text=True, timeout=30, check=False)


def test_a_sub_command_gets_the_arguments_behind_its_name_and_gives_the_exit_code(site: Path) -> None:
    done = croupier(site, "echo", "--loud", "a", "b")
    assert (done.returncode, done.stdout, done.stderr) == (7, "--loud a b\n", "")


def test_help_lists_the_commands_with_their_first_lines_and_loads_none(site: Path) -> None:
    done = croupier(site, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for line in [
        "  echo         Prints its arguments.",
        "  wait-for-it  Waits for Ctrl-C.",
        "  needy        Needs.",
        "  absent",
    ]:
        assert line in done.stdout.splitlines()
    assert not (site / "loaded").exists()


def test_version_is_that_of_the_distribution(site: Path) -> None:
    done = croupier(site, "--version")
    assert (done.returncode, done.stdout) == (0, f"croupier {VERSION}\n")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


def test_an_unknown_command_gets_the_nearest_name_and_2(site: Path) -> None:
    done = croupier(site, "ecko")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "croupier: no command 'ecko'; did you mean 'echo'?\n"


def test_an_unknown_command_that_is_near_to_nothing_gets_the_list(site: Path) -> None:
    done = croupier(site, "zzz")
    assert done.returncode == 2
    assert re.fullmatch(r"croupier: no command 'zzz'; there are absent, broken, .*wait-for-it\n", done.stderr)


def test_no_command_at_all_is_answered_with_the_usage_and_2(site: Path) -> None:
    done = croupier(site)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("croupier: no command given\nusage: croupier COMMAND")


def test_a_command_whose_extra_is_missing_says_which_one_to_install(site: Path) -> None:
    done = croupier(site, "needy")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "croupier: needy needs the extra 'arena': pip install 'croupier[arena]' "
        "(there is no 'a_package_that_is_not_there')\n"
    )


def test_a_fault_of_our_own_does_not_pass_for_a_missing_extra(site: Path) -> None:
    done = croupier(site, "broken")
    assert done.returncode == 1
    assert "ModuleNotFoundError: No module named 'croupier.no_such_module'" in done.stderr


def test_ctrl_c_ends_a_command_with_130_and_no_traceback(site: Path) -> None:
    program, env = command(site)
    pipe = subprocess.PIPE
    with subprocess.Popen([*program, "wait-for-it"], env=env, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"waiting\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert (process.returncode, stderr) == (130, b"")


def test_a_reader_that_goes_away_ends_a_command_with_141_and_no_traceback(site: Path) -> None:
    program, env = command(site)
    with subprocess.Popen([*program, "pour"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        stderr = process.stderr.read()
        assert process.wait(timeout=30) == 141
    assert stderr == b""

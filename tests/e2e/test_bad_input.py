"""Bad input is found before anything starts: exit 2, words that name place, found and expected, and nothing written."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from tests.e2e.support import BOTS, Cup, Running, bot, until


@pytest.fixture
def cup(tmp_path: Path) -> Cup:
    return Cup(tmp_path, {"ann": bot("honest"), "bob": bot("honest")})


WORKING_FILES = (".out", ".err", ".lock", "-shm", "-wal")  # of these tests, of the store


def everything_in(folder: Path) -> dict[str, bytes | None]:
    """Every file with its bytes and every folder below a folder, working files aside."""
    paths = [path for path in sorted(folder.rglob("*")) if not path.name.endswith(WORKING_FILES)]
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in paths}


def refused(cup: Cup, command: str, *arguments: str) -> str:
    """What `croupier cup COMMAND` says when it refuses and leaves everything as it was."""
    before = everything_in(cup.folder)
    done = cup.do(command, *arguments)
    assert (done.code, done.out) == (2, ""), done
    assert everything_in(cup.folder) == before
    assert "Traceback" not in done.err
    return done.err


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"blocks = 1": "blocks = 1.5\nbloks = 1", "[clock]": "[options]\ngreed = 3\n[clock]"},
            [
                "cup.toml:4: cup.blocks: found 1.5; expected a whole number",
                "cup.toml:5: cup.bloks: there is no such key; did you mean 'blocks'?",
                "cup.toml:7: options.greed: ",
            ],
        ),
        ({'"jekyll"': '"jeckyll"'}, ["cup.toml:3: cup.game: there is no game 'jeckyll'; did you mean 'jekyll'?"]),
        ({"blocks = 1": "blocks = "}, ["cup.toml:4: not readable: Invalid value (at line 4, column 10)"]),
        (
            {'"{python}"': '"./no-such-bot"', str(BOTS / "honest.py"): "no_such_bot.py"},
            ["entrant 1.command: found './no-such-bot'; expected a program that can be run, seen from "],
        ),
        (
            {str(BOTS / "honest.py"): "no_such_bot.py"},
            ["entrant 1.command: found 'no_such_bot.py'; expected a file that exists, seen from "],
        ),
    ],
    ids=["keys", "game", "toml", "program", "script"],
)
def test_mistakes_in_the_cup_file_are_told_with_their_places(
    cup: Cup, changes: dict[str, str], expected: list[str]
) -> None:
    text = cup.text
    for found, written in changes.items():
        assert found in text
        text = text.replace(found, written, 1)
    cup.file.write_text(text)
    said = refused(cup, "run")
    assert said.startswith("croupier cup: cup.toml:")
    assert [line in said for line in expected] == [True] * len(expected), said


def test_a_cup_file_that_is_not_there_is_told(cup: Cup) -> None:
    cup.file.unlink()
    assert refused(cup, "run") == "croupier cup: cup.toml: No such file or directory; expected a cup file\n"


def test_a_port_that_somebody_listens_on_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        cup = Cup(tmp_path, {"ann": bot("honest"), "bob": bot("honest")}, {"listen": address})
        expected = f"croupier cup: cup.toml: cup.listen: cannot listen on {address}: Address already in use\n"
        assert refused(cup, "run") == expected


@pytest.mark.parametrize(
    ("secret", "expected"),
    [
        ("twelve", "expected 64 hexadecimal digits"),
        ("ab" * 31, "31 bytes; expected 32, as 64 hexadecimal digits"),
    ],
)
def test_a_secret_that_is_none_is_told_but_not_repeated(cup: Cup, secret: str, expected: str) -> None:
    (cup.folder / "wrong").write_text(secret)
    said = refused(cup, "run", "--secret-file", "wrong")
    assert said.startswith("croupier cup: wrong: ")
    assert expected in said
    assert secret not in said


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--store", "postgres://elsewhere/cups"), "this release keeps stores in SQLite only; expected sqlite:///PATH"),
        (("--store", "sqlite:///no/such/folder/store.sqlite"), "there is no folder "),
        (("--folder", "cup.toml"), "cup.toml: File exists; expected a folder, or a place for one"),
        (("--folder", "cup.toml/deeper"), "cup.toml/deeper: Not a directory; expected a folder, or a place for one"),
    ],
)
def test_a_place_that_cannot_be_is_told(cup: Cup, arguments: tuple[str, ...], expected: str) -> None:
    assert expected in refused(cup, "run", *arguments)


def test_a_cup_that_was_begun_is_not_run_again(cup: Cup) -> None:
    cup.play()
    assert refused(cup, "run").endswith("a cup of that name in the store; go on with: croupier cup resume cup.toml\n")


def test_results_are_not_written_where_there_is_no_folder(cup: Cup) -> None:
    cup.play()
    said = refused(cup, "export", "--to", "cup.toml")
    assert said == "croupier cup: cup.toml: File exists; expected a folder that can be written to\n"


def test_a_cup_file_that_has_changed_since_the_cup_began_is_not_resumed(cup: Cup) -> None:
    cup.play()
    cup.file.write_text(cup.text.replace("strikes = 3", "strikes = 4"))
    said = refused(cup, "resume")
    assert said.startswith("croupier cup: the cup file has changed since the cup began:\n")
    assert "-strikes = 3\n+strikes = 4\n" in said


def test_a_cup_that_is_being_run_is_neither_run_nor_resumed_by_another(tmp_path: Path) -> None:
    cup = Cup(tmp_path, {"ann": bot("sleeps"), "bob": bot("sleeps")}, clock={"start_up": 600})
    first = cup.begin("run")
    until(lambda: cup.exists)
    for command in ("run", "resume"):
        done = cup.do(command)
        assert (done.code, done.out) == (2, "")
        assert f"is being run already, by process {first.process.pid}\n" in done.err
    first.process.terminate()
    assert first.ended().code == 130


def test_only_a_cup_that_was_begun_can_be_resumed_or_shown(cup: Cup) -> None:
    for command in ("resume", "status", "standings", "export"):
        assert refused(cup, command) == "croupier cup: there is no cup 'small' in cups/small\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["cup", "start"], "invalid choice: 'start' (choose from "),
        (["cup", "run"], "the following arguments are required: FILE"),
        (["cup", "run", "cup.toml", "--quick"], "unrecognized arguments: --quick"),
        (["cupp"], "croupier: no command 'cupp'; did you mean 'cup'?"),
    ],
)
def test_a_command_that_is_none_is_told(tmp_path: Path, arguments: list[str], expected: str) -> None:
    done = Running(arguments, tmp_path, "command").ended()
    assert (done.code, done.out) == (2, "")
    assert expected in done.err


def test_a_record_that_is_cut_short_or_altered_is_told_by_replay_and_verify(cup: Cup) -> None:
    cup.play()
    assert cup.do("export").code == 0
    whole = next((cup.home / "records").iterdir())
    data = whole.read_bytes()
    middle = len(data) // 2
    wrong = {
        "cut": data[:middle],
        "flipped": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
    }
    for name, content in wrong.items():
        path = cup.folder / f"{name}.record"
        path.write_bytes(content)
        for command in ("replay", "verify"):
            done = Running([command, path.name], cup.folder, f"{command}-{name}").ended()
            assert (done.code, done.out) == (2, ""), done
            assert done.err.startswith(f"croupier {command}: {path.name}: ")
            assert len(done.err.splitlines()) == 1
    assert Running(["verify", str(whole)], cup.folder, "verify").ended().code == 0

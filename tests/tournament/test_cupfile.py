"""The cup file: what is read, and what each mistake is told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier_server.games import GAMES
from croupier_server.match.spec import Clock, Policy
from croupier_server.rules import AnyGame
from croupier_tournament.cupfile import MAX_BYTES, CupFile, CupFileError, Deals, Isolation, parse_cup_file
from croupier_tournament.cupfile_on_disk import check_commands, load_cup_file

SMALLEST = """\
[cup]
name = "small"
game = "pick"
blocks = 1
[[entrant]]
name = "ann"
command = ["./ann"]
[[entrant]]
name = "bob"
command = ["./bob"]
"""

WHOLE = """\
[cup]
name = "first-cup"
game = "pick"
blocks = 10
deals = "independent"
isolation = "session"
seed = 7
parallel = 3
listen = "0.0.0.0:5000"
join_seconds = 1.5
players = 4

[options]
rounds = 5
deck = "long"

[clock]
start_up_seconds = 5
bank_seconds = 20
increment_seconds = 0.25
turn_cap_seconds = 2
disconnect_grace_seconds = 0

[policy]
strikes = 2

[[entrant]]
name = "ann"
command = ["{python}", "ann.py", "--fast"]
env = { LEVEL = "3" }
[[entrant]]
name = "bob"
remote = true
[[entrant]]
name = "cid"
command = ["./cid"]
[[entrant]]
name = "dan"
remote = false
command = ["dan"]
"""

Games = dict[str, AnyGame]


def read(text: str, games: Games, cores: int = 8) -> CupFile:
    return parse_cup_file(text.encode(), "cup.toml", games, cores)


def problems(text: str, games: Games) -> list[str]:
    with pytest.raises(CupFileError) as raised:
        read(text, games)
    return str(raised.value).split("\n")


def mistake_in(data: bytes, games: Games) -> CupFileError | None:
    """What is wrong with a file, if anything; any other exception is a failure of the test."""
    try:
        parse_cup_file(data, "cup.toml", games, 2)
    except CupFileError as error:
        return error
    return None


def test_a_whole_file_is_read(games: Games) -> None:
    cup = read(WHOLE, games)
    assert (cup.name, cup.game.id, cup.players, cup.blocks, cup.seed, cup.parallel) == (
        "first-cup",
        "pick",
        4,
        10,
        7,
        3,
    )
    assert (cup.deals, cup.isolation) == (Deals.INDEPENDENT, Isolation.SESSION)
    assert (cup.listen, cup.join_ms) == ("0.0.0.0:5000", 1500)
    assert cup.clock == Clock(5000, 20_000, 250, 2000, 0)
    assert cup.policy == Policy(strikes=2)
    assert (cup.options.rounds, cup.options.deck.name, cup.options.open_hands) == (5, "LONG", False)
    assert cup.names == ("ann", "bob", "cid", "dan")
    assert cup.entrants[0].command == ("{python}", "ann.py", "--fast")
    assert cup.entrants[0].env == {"LEVEL": "3"}
    assert [entrant.remote for entrant in cup.entrants] == [False, True, False, False]


def test_what_is_absent_has_its_default(games: Games) -> None:
    cup = read(SMALLEST, games)
    assert (cup.players, cup.seed, cup.listen, cup.join_ms) == (2, 0, "127.0.0.1:0", 60_000)
    assert (cup.deals, cup.isolation) == (Deals.DUPLICATE, Isolation.PROCESS)
    assert (cup.clock, cup.policy, cup.options) == (Clock(), Policy(), games["pick"].options())


@pytest.mark.parametrize(("cores", "parallel"), [(1, 1), (2, 1), (4, 2), (9, 4), (4096, 256)])
def test_by_default_no_more_seats_think_than_there_are_cores(games: Games, cores: int, parallel: int) -> None:
    assert read(SMALLEST, games, cores).parallel == parallel


def test_deals_are_independent_by_default_when_somebody_is_remote(games: Games) -> None:
    assert read(SMALLEST.replace('command = ["./bob"]', "remote = true"), games).deals is Deals.INDEPENDENT


def test_windows_line_ends_and_a_byte_order_mark_are_fine(games: Games) -> None:
    data = b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode()
    assert parse_cup_file(data, "cup.toml", games, 8) == read(WHOLE, games)


MISTAKES = {
    "unknown game": ('"pick"', '"pikc"', "cup.toml:3: cup.game: there is no game 'pikc'; did you mean 'pick'?"),
    "no game": (
        'game = "pick"\n',
        "",
        "cup.toml:1: cup.game: missing; expected a game; there are: pick",
    ),
    "unknown key": (
        "seed = 7",
        "sede = 7",
        "cup.toml:7: cup.sede: there is no such key; did you mean 'seed'?",
    ),
    "unknown table": ("[clock]", "[cloak]", "cup.toml:17: cloak: there is no table 'cloak'; did you mean 'clock'?"),
    "unknown option": (
        "rounds = 5",
        "round = 5",
        "cup.toml:14: options.round: pick has no option 'round'; did you mean 'rounds'?",
    ),
    "option of a wrong type": (
        "rounds = 5",
        "rounds = true",
        "cup.toml:14: options.rounds: pick: rounds = True is not possible; expected a whole number",
    ),
    "option out of range": (
        "rounds = 5",
        "rounds = 50",
        "cup.toml:14: options.rounds: pick: found rounds = 50; expected at most 9",
    ),
    "option that is a table": (
        "rounds = 5",
        "rounds = {}",
        "cup.toml:14: options.rounds: pick: rounds = {} is not possible; expected a whole number",
    ),
    "true is no number": (
        "blocks = 10",
        "blocks = true",
        "cup.toml:4: cup.blocks: found true; expected a whole number from 1 to 100000",
    ),
    "number out of range": (
        "blocks = 10",
        "blocks = 0",
        "cup.toml:4: cup.blocks: found 0; expected a whole number from 1 to 100000",
    ),
    "players between": ("players = 4", "players = 3", "cup.toml:11: cup.players: found 3; pick is for 2 or 4"),
    "players outside": (
        "players = 4",
        "players = 5",
        "cup.toml:11: cup.players: found 5; expected a whole number from 2 to 4",
    ),
    "no number of seconds": (
        "join_seconds = 1.5",
        "join_seconds = nan",
        "cup.toml:10: cup.join_seconds: found nan; expected seconds from 0 to 86400",
    ),
    "endless clock": (
        "bank_seconds = 20",
        "bank_seconds = inf",
        "cup.toml:19: clock.bank_seconds: found inf; expected seconds from 0 to 86400",
    ),
    "no time at all": (
        "bank_seconds = 20\nincrement_seconds = 0.25",
        "bank_seconds = 0\nincrement_seconds = 0",
        "cup.toml:19: clock.bank_seconds: found neither bank nor increment; expected time to think",
    ),
    "sandbox": (
        '"session"',
        '"sandbox"',
        "cup.toml:6: cup.isolation: 'sandbox' is not in this release; there are: session, process",
    ),
    "unknown isolation": (
        '"session"',
        '"proces"',
        "cup.toml:6: cup.isolation: found 'proces'; did you mean 'process'?",
    ),
    "duplicate deals for a remote bot": (
        '"independent"',
        '"duplicate"',
        "cup.toml:5: cup.deals: found 'duplicate'; expected 'independent', since bob is remote and can remember",
    ),
    "no port": (
        '"0.0.0.0:5000"',
        '"0.0.0.0"',
        "cup.toml:9: cup.listen: found '0.0.0.0'; expected an address, such as \"127.0.0.1:0\"",
    ),
    "port out of range": (
        '"0.0.0.0:5000"',
        '"[::1]:70000"',
        "cup.toml:9: cup.listen: found '[::1]:70000'; expected a port up to 65535",
    ),
    "a name twice": (
        'name = "cid"',
        'name = "ann"',
        "cup.toml:35: entrant 3.name: found 'ann' again, as on line 28; expected another name",
    ),
    "a name that is a path": (
        'name = "cid"',
        'name = "../cid"',
        "cup.toml:35: entrant 3.name: found '../cid'; expected 1 to 64 of a-z, 0-9, '-', '_' and '.', "
        "the first a letter or digit",
    ),
    "no command": (
        'command = ["./cid"]\n',
        "",
        'cup.toml:34: entrant 3.command: missing; expected a command, such as ["./bot", "--fast"], or remote = true',
    ),
    "a command that is one text": (
        '["./cid"]',
        '"./cid --fast"',
        "cup.toml:36: entrant 3.command: found './cid --fast'; "
        'expected a command, such as ["./bot", "--fast"], or remote = true',
    ),
    "an empty command": (
        '["./cid"]',
        "[]",
        'cup.toml:36: entrant 3.command: found []; expected a command, such as ["./bot", "--fast"], or remote = true',
    ),
    "a command for a remote bot": (
        "remote = true",
        'remote = true\ncommand = ["./bob"]',
        "cup.toml:34: entrant 2.command: found for a remote entrant; expected no command, since its owner starts it",
    ),
    "an unknown placeholder": (
        "{python}",
        "{pyhton}",
        "cup.toml:29: entrant 1.command: there is no placeholder {pyhton}; did you mean '{python}'?",
    ),
    "a variable of the runner's": (
        "LEVEL",
        "CROUPIER_TOKEN",
        "cup.toml:30: entrant 1.env.CROUPIER_TOKEN: expected a variable of letters, digits and '_' "
        "that does not begin with CROUPIER_",
    ),
    "a variable that is no text": ('"3"', "3", "cup.toml:30: entrant 1.env.LEVEL: found 3; expected a string"),
    "strikes": (
        "strikes = 2",
        "strikes = 0",
        "cup.toml:25: policy.strikes: found 0; expected a whole number from 1 to 1000",
    ),
    "broken text": (
        "seed = 7",
        "seed =",
        "cup.toml:7: not readable: Invalid value (at line 7, column 7)",
    ),
    "a number that is too long": (
        "seed = 7",
        "seed = 0x" + "f" * 5000,
        "cup.toml: not readable: a whole number that does not fit in 64 bits; expected smaller ones",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_with_its_place(name: str, games: Games) -> None:
    right, wrong, message = MISTAKES[name]
    assert WHOLE.count(right) >= 1
    assert problems(WHOLE.replace(right, wrong, 1), games) == [message]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_the_catalogue_can_be_ordered_with_its_defaults(game: str) -> None:
    more = "".join(f'[[entrant]]\nname = "bot{i}"\ncommand = ["./bot"]\n' for i in range(GAMES[game].seats[0] - 2))
    cup = read(SMALLEST.replace('"pick"', f'"{game}"') + more, GAMES)
    assert (cup.game.id, cup.players) == (game, GAMES[game].seats[0])
    assert cup.options == GAMES[game].variants["standard"]


def test_every_mistake_of_a_file_is_told_in_order_of_lines(games: Games) -> None:
    text = (
        WHOLE.replace("blocks = 10", "blocks = 1.5").replace('"long"', '"lnog"').replace('name = "dan"', 'nmae = "dan"')
    )
    assert problems(text, games) == [
        "cup.toml:4: cup.blocks: found 1.5; expected a whole number from 1 to 100000",
        "cup.toml:15: options.deck: pick: deck = 'lnog' is not possible; did you mean 'long'?",
        "cup.toml:37: entrant 4.name: missing; expected 1 to 64 of a-z, 0-9, '-', '_' and '.', "
        "the first a letter or digit",
        "cup.toml:38: entrant 4.nmae: there is no such key; did you mean 'name'?",
    ]


def test_a_cup_of_one_is_refused(games: Games) -> None:
    text = SMALLEST[: SMALLEST.rindex("[[entrant]]")]
    assert problems(text, games) == ["cup.toml:5: entrant: found 1; expected at least 2, to fill a table"]


def test_a_cup_of_more_matches_than_anybody_plays_is_refused(games: Games) -> None:
    bots = "".join(f'[[entrant]]\nname = "bot{i}"\ncommand = ["./bot"]\n' for i in range(11))
    text = SMALLEST.replace("blocks = 1", "blocks = 100_000") + bots
    assert problems(text, games) == [
        "cup.toml:4: cup.blocks: found 100000, which makes 15,600,000 matches; expected at most 1,000,000"
    ]


def test_an_empty_file_lacks_a_cup(games: Games) -> None:
    assert problems("", games)[0] == "cup.toml: cup: missing; expected a table [cup]"


def test_a_file_that_is_no_text_is_refused(games: Games) -> None:
    with pytest.raises(CupFileError, match=r"^cup\.toml:2: this is no UTF-8"):
        parse_cup_file(b"[cup]\nname = '\xff'", "cup.toml", games, 2)


def test_a_huge_file_is_refused_unread(games: Games) -> None:
    with pytest.raises(CupFileError, match="expected at most"):
        parse_cup_file(b"#" * (MAX_BYTES + 1), "cup.toml", games, 2)


@pytest.mark.parametrize("text", ["a = " + "[" * 20_000, "a = " + "[" * 50 + "]" * 50, "a" + ".a" * 2000 + " = 1"])
def test_deep_nesting_is_refused(text: str, games: Games) -> None:
    assert problems(text, games) == ["cup.toml: not readable: nested too deeply; expected at most 8 levels"]


def test_lines_are_found_around_strings_and_arrays_over_several_lines(games: Games) -> None:
    text = SMALLEST.replace('["./bob"]', '[\n  "./bob",\n  """\nblocks = 3\n[cup]\n""",\n]\nhost = 1')
    assert problems(text, games)[0].startswith("cup.toml:17: entrant 2.host: there is no such key")


toml_values: st.SearchStrategy[Any] = st.one_of(
    st.integers(),
    st.floats(),
    st.booleans(),
    st.text(max_size=9).map(repr),
    st.sampled_from(["[]", "{}", "[[1]]", "1979-05-27"]),
)
lines = st.one_of(
    st.sampled_from(WHOLE.split("\n")),
    st.tuples(st.sampled_from([line.split(" = ")[0] for line in WHOLE.split("\n")]), toml_values).map(
        lambda pair: f"{pair[0]} = {str(pair[1]).lower()}"
    ),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.one_of(st.binary(max_size=200), st.lists(lines, max_size=40).map(lambda some: "\n".join(some).encode())))
def test_any_bytes_are_a_cup_file_or_a_cup_file_error(data: bytes, games: Games) -> None:
    error = mistake_in(data, games)
    assert error is None or (error.problems and str(error).startswith("cup.toml"))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(WHOLE.split("\n")) - 1), value=toml_values)
def test_a_whole_file_with_any_one_value_is_read_or_told(at: int, value: object, games: Games) -> None:
    text: list[str] = [*WHOLE.split("\n")]
    text[at] = f"{text[at].split(' = ')[0]} = {str(value).lower()}"
    error = mistake_in("\n".join(text).encode(), games)
    assert error is None or error.problems


def test_the_commands_of_a_file_are_made_ready(tmp_path: Path, games: Games) -> None:
    (tmp_path / "cid").write_text("#!/bin/sh\n")
    (tmp_path / "cid").chmod(0o755)
    (tmp_path / "ann.py").touch()
    (tmp_path / "cup.toml").write_text(WHOLE.replace('["dan"]', '["sh", "-c", "exec ./cid", "ann.py", "{python}"]'))
    cup = load_cup_file(tmp_path / "cup.toml", games, cores=2)
    commands = check_commands(cup, tmp_path / "cup.toml", which=lambda word: f"/bin/{word}" if word == "sh" else word)
    assert commands == {
        "ann": (sys.executable, str(tmp_path / "ann.py"), "--fast"),
        "cid": (str(tmp_path / "cid"),),
        "dan": ("/bin/sh", "-c", "exec ./cid", str(tmp_path / "ann.py"), sys.executable),
    }


def test_every_command_that_cannot_be_started_is_told(tmp_path: Path, games: Games) -> None:
    file = tmp_path / "cup.toml"
    (tmp_path / "dan").touch(mode=0o755)
    (tmp_path / "cid").touch(mode=0o644)
    cup = parse_cup_file(WHOLE.encode(), str(file), games, cores=2)
    with pytest.raises(CupFileError) as raised:
        check_commands(cup, file)
    assert str(raised.value).split("\n") == [
        f"{file}:29: entrant 1.command: found 'ann.py'; expected a file that exists, seen from {tmp_path}",
        f"{file}:36: entrant 3.command: found './cid'; expected a program that can be run, seen from {tmp_path}",
        f"{file}:40: entrant 4.command: found 'dan'; expected a program that can be run, on the PATH; "
        "did you mean './dan'?",
    ]


@pytest.mark.parametrize("word", ["./gone.txt", "../gone.txt"])
def test_a_word_that_is_written_as_a_path_must_exist(tmp_path: Path, games: Games, word: str) -> None:
    cup = read(SMALLEST.replace('["./ann"]', f'["sh", "{word}"]').replace('["./bob"]', '["sh"]'), games)
    with pytest.raises(CupFileError, match="expected a file that exists"):
        check_commands(cup, tmp_path / "cup.toml")


@pytest.mark.parametrize("word", ["x" * 5000, "--model=gone.bin", "gone.bin", "", ".", "{}"])
def test_any_other_word_stays_as_it_is(tmp_path: Path, games: Games, word: str) -> None:
    cup = read(SMALLEST.replace('["./ann"]', f'["sh", "{word}"]').replace('["./bob"]', '["sh"]'), games)
    assert check_commands(cup, tmp_path / "cup.toml")["ann"][1] == word


@pytest.mark.parametrize(("name", "said"), [("gone.toml", "No such file"), (".", "Is a directory")])
def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path, games: Games, name: str, said: str) -> None:
    with pytest.raises(CupFileError, match=said):
        load_cup_file(tmp_path / name, games, cores=2)


def test_options_may_be_lists_and_tables() -> None:
    text = SMALLEST.replace('"pick"', '"witch21"') + '[[entrant]]\nname = "cat"\ncommand = ["./cat"]\n'
    listed = read(text + '[options]\ndeck = ["G1", "R1", "hush"]\n', GAMES)
    counted = read(text + "[options.strategy]\nalibi = 0\ntrade = 0\nhush = 1\n", GAMES)
    assert (len(listed.options.deck), len(counted.options.deck)) == (3, 31)


def test_a_mistake_in_a_list_or_table_of_options_is_told_with_its_line() -> None:
    text = SMALLEST.replace('"pick"', '"witch21"') + '[[entrant]]\nname = "cat"\ncommand = ["./cat"]\n'
    found = problems(text + '[options]\ndeck = ["G6"]\nstrategy = {alibi = 1}\n', GAMES)
    assert [problem.partition(" is no")[0] for problem in found] == [
        "cup.toml:15: options.deck: witch21: deck: 'G6'",
        "cup.toml:16: options.strategy: witch21: strategy = {'alibi': 1}",
    ]

"""What results.json, results.csv and the table say."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from croupier_server.match.spec import Forfeit, ForfeitReason, MatchResult, Termination
from croupier_server.rules import AnyGame
from croupier_tournament.cupfile import CupFile, parse_cup_file
from croupier_tournament.pairing import schedule
from croupier_tournament.played import Played
from croupier_tournament.results import CSV_COLUMNS, CupResults, results_csv, results_json, write_results
from croupier_tournament.standings import Standings, compute_standings
from croupier_tournament.table import print_standings

CUP = """\
[cup]
name = "small"
game = "pick"
blocks = 2
[[entrant]]
name = "ann"
command = ["./ann"]
[[entrant]]
name = "bob"
command = ["./bob"]
"""


@pytest.fixture
def cup(games: dict[str, AnyGame]) -> CupFile:
    return parse_cup_file(CUP.encode(), "cup.toml", games, cores=2)


def results(cup: CupFile, *, over: int = 4, slow: int = 1) -> CupResults:
    """Ann wins every match that is over, the fourth since bob crashed."""
    matches = list(schedule(cup.names, cup.players, cup.blocks, cup.seed))
    crash = Forfeit(0, ForfeitReason.CRASH, 3, 1, was_ready=True)
    results = [
        MatchResult(Termination.NORMAL, (1, 2), (2, 1)),
        MatchResult(Termination.NORMAL, (2, 1), (1, 2)),
        MatchResult(Termination.NORMAL, (1, 2), (2, 1)),
        MatchResult(Termination.FORFEIT, (2, 1), forfeits=(crash,)),
    ]
    effective = {
        match.number: Played(result, (10 * slow, 25 * slow), (10, 10), f"{match.number:064x}")
        for match, result in zip(matches[:over], results, strict=False)
    }
    return CupResults(cup, matches, effective, {}, compute_standings(cup.names, matches, effective))


def test_the_csv_has_a_row_for_each_match_that_is_over(cup: CupFile) -> None:
    rows = results_csv(results(cup)).split("\n")
    assert rows[0] == ",".join(CSV_COLUMNS)
    assert rows[1] == f"1,1,0,ann bob,1 2,2 1,normal,,true,{1:064x},10 10,10 25"
    assert rows[4] == f"4,2,1,bob ann,2 1,,forfeit,0:crash,true,{4:064x},10 10,10 25"
    assert rows[5:] == [""]


def test_nothing_of_the_play_is_told_before_a_block_is_over(cup: CupFile) -> None:
    rows = list(csv.DictReader(results_csv(results(cup, over=3)).splitlines()))
    assert [(row["counted"], row["play_hash"]) for row in rows] == [
        ("true", f"{1:064x}"),
        ("true", f"{2:064x}"),
        ("false", ""),
    ]


def test_an_aborted_block_is_over_but_does_not_count(cup: CupFile) -> None:
    some = results(cup, over=2)
    aborted = Played(MatchResult(Termination.ABORTED), (0, 0), (0, 0), "ff" * 32)
    some = replace(some, effective={1: some.effective[1], 2: aborted})
    rows = list(csv.DictReader(results_csv(some).splitlines()))
    assert [(row["places"], row["termination"], row["counted"]) for row in rows] == [
        ("1 2", "normal", "false"),
        ("", "aborted", "false"),
    ]
    assert all(row["play_hash"] for row in rows)


def test_the_json_holds_cup_standings_and_matches(cup: CupFile) -> None:
    document = json.loads(results_json(results(cup)))
    assert list(document) == ["format", "cup", "standings", "matches", "time"]
    assert document["cup"]["options"] == {"rounds": 3, "open_hands": False, "deck": "short"}
    assert (document["cup"]["matches_over"], document["cup"]["blocks_counted"]) == (4, 2)
    assert document["cup"]["entrants"][1] == {"name": "bob", "remote": False, "withdrawn_after": None}
    assert document["standings"][0] | {"elo": 0, "elo_margin": 0, "sequential_elo": 0} == {
        "rank": 1,
        "bot": "ann",
        "elo": 0,
        "elo_margin": 0,
        "sequential_elo": 0,
        "matches": 4,
        "wins": 4,
        "draws": 0,
        "losses": 0,
        "forfeits": 0,
    }
    assert document["matches"][3]["forfeits"] == [
        {"seat": 0, "reason": "crash", "decisions_before": 3, "instant": 1, "was_ready": True}
    ]
    assert document["time"]["standings"][1] == {"bot": "bob", "thinking_ms": 70, "turns": 40, "ms_per_turn": 1.75}
    assert document["time"]["matches"][0] == {"number": 1, "thinking_ms": [10, 25], "turns": [10, 10]}


def test_two_runs_differ_in_nothing_but_time(cup: CupFile) -> None:
    one, two = results_json(results(cup)), results_json(results(cup, slow=9))
    assert one != two
    assert one.split('"time"')[0] == two.split('"time"')[0]
    csv_one, csv_two = results_csv(results(cup)), results_csv(results(cup, slow=9))
    assert [row.split(",")[:-1] for row in csv_one.split()] == [row.split(",")[:-1] for row in csv_two.split()]


def test_files_are_written_whole_and_nothing_else_is_left(cup: CupFile, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    write_results(results(cup, over=1), folder)
    paths = write_results(results(cup), folder)
    assert sorted(folder.iterdir()) == sorted(paths)
    assert paths[0].read_bytes().decode() == results_json(results(cup))
    assert paths[1].read_bytes().decode() == results_csv(results(cup))


def test_the_documentation_names_every_column() -> None:
    text = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
    for column in CSV_COLUMNS:
        assert f"| `{column}` |" in text


def printed(cup: CupFile, standings: Standings, *, width: int = 80) -> list[str]:
    console = Console(width=width, force_terminal=False)
    with console.capture() as capture:
        print_standings(console, cup, standings)
    return [line.rstrip() for line in capture.get().splitlines()]


def test_the_table_is_aligned_and_says_what_it_rests_on(cup: CupFile) -> None:
    assert printed(cup, results(cup).standings) == [
        "#  bot   Elo  ±  seq.  matches  wins  draws  losses  forf.  ms/turn",
        "───────────────────────────────────────────────────────────────────",
        "1  ann  1723  0  1530        4     4      0       0      0      1.8",
        "2  bob  1277  0  1470        4     0      0       4      1      1.8",
        "2 complete blocks, duplicate deals; isolation process: a fresh process for every",
        "match; trusted: bots were not locked in",
    ]


def test_before_two_blocks_there_is_no_margin_and_before_a_turn_no_time(cup: CupFile) -> None:
    lines = printed(cup, results(cup, over=0).standings)
    assert lines[2].split() == ["1", "ann", "1500", "-", "1500", "0", "0", "0", "0", "0", "-"]


def test_only_long_names_give_way_where_80_columns_are_too_few(cup: CupFile) -> None:
    standings = results(cup).standings
    large = [
        replace(
            row, bot=letter * 64, elo=2345.6, elo_margin=123.4, matches=9999, wins=9999, draws=9999, thinking_ms=10**7
        )
        for letter, row in zip("xy", standings.rows, strict=True)
    ]
    lines = printed(cup, replace(standings, rows=tuple(large)))
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == [
        "#",
        "bot",
        "Elo",
        "±",
        "seq.",
        "matches",
        "wins",
        "draws",
        "losses",
        "forf.",
        "ms/turn",
    ]
    assert lines[2].split()[2:6] == ["2346", "123", "1530", "9999"]
    assert "".join(line.split()[0] for line in lines[3:]).startswith("x" * 50)

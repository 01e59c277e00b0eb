"""docs/cup-file.md against the parser: every key it knows, with its default; and every cup file on any page is one."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from tests.support.pages import ROOT, blocks, pages, rows, section, text_of

from croupier_server.games import GAMES
from croupier_server.match.spec import Clock, Policy
from croupier_tournament.cupfile import CupFile, CupFileError, parse_cup_file
from croupier_tournament.cupfile_on_disk import check_commands, load_cup_file

PAGE = text_of("docs/cup-file.md")
HEADINGS = {"cup": "`[cup]`", "clock": "`[clock]`", "policy": "`[policy]`", "entrant": "`[[entrant]]`"}
SMALLEST: dict[str, list[str]] = {
    "cup": ['name = "small"', 'game = "jekyll"', "blocks = 1"],
    "clock": [],
    "policy": [],
    "entrant": ['name = "ann"', 'command = ["ann"]'],
}


def parse(extra: dict[str, str], cores: int = 2) -> CupFile:
    """The smallest cup file with one more line in some of its tables."""
    lines = []
    for table, keys in SMALLEST.items():
        head = f"[[{table}]]" if table == "entrant" else f"[{table}]"
        lines += [head, *keys, extra.get(table, "")]
    lines += ["[[entrant]]", 'name = "bob"', 'command = ["bob"]']
    return parse_cup_file("\n".join(lines).encode(), "cup.toml", GAMES, cores)


def keys_known(table: str) -> set[str]:
    """The keys of a table, from the parser's own answer to one that nothing resembles."""
    with pytest.raises(CupFileError) as raised:
        parse({table: '"?" = 1'})
    found = re.search(r"there are: (.+)$", str(raised.value), re.MULTILINE)
    assert found, str(raised.value)
    return set(found[1].split(", "))


def documented(table: str) -> dict[str, list[str]]:
    return {row[0].strip("`"): row[1:] for row in rows(section(PAGE, HEADINGS[table])) if row[0].startswith("`")}


@pytest.mark.parametrize("table", HEADINGS)
def test_every_key_is_documented_and_no_other(table: str) -> None:
    assert set(documented(table)) == keys_known(table)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_a_game_is_on_its_page_of_rules(game: str) -> None:
    told = {row[0].strip("`") for row in rows(section(text_of(f"docs/rules/{game}.md"), "Options"))}
    assert {field.name for field in dataclasses.fields(GAMES[game].options)} <= told


def test_the_defaults_of_the_clock_and_the_policy_are_those_of_the_match() -> None:
    seconds = {key: float(default) for key, (_, default, _) in documented("clock").items()}
    names = {key: key.replace("_seconds", "_ms") for key in seconds}
    assert seconds == {key: getattr(Clock(), name) / 1000 for key, name in names.items()}
    assert int(documented("policy")["strikes"][1]) == Policy().strikes


def test_the_defaults_of_the_cup_are_those_of_the_parser() -> None:
    cup, table = parse({}), documented("cup")
    defaults: dict[str, Any] = {
        "deals": f'`"{cup.deals.name.lower()}"`',
        "isolation": f'`"{cup.isolation.name.lower()}"`',
        "seed": str(cup.seed),
        "listen": f'`"{cup.listen}"`',
        "join_seconds": f"{cup.join_ms // 1000}",
    }
    assert {key: table[key][1].partition(";")[0] for key in defaults} == defaults


def test_every_cup_file_on_any_page_is_one() -> None:
    found = [block for page in pages() for block in blocks(page.read_text(encoding="utf-8"), "toml")]
    cups = [block for block in found if "[cup]" in block]
    assert len(cups) >= 2
    for block in cups:
        parse_cup_file(block.encode(), "page.toml", GAMES, cores=2)


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "examples").glob("*.toml")))
def test_every_example_cup_could_begin(name: str) -> None:
    path = ROOT / "examples" / name
    cup = load_cup_file(path, GAMES, cores=2)
    assert set(check_commands(cup, path)) == {entrant.name for entrant in cup.entrants if not entrant.remote}

"""docs/play.md against the command itself."""

from __future__ import annotations

import dataclasses
import re

import pytest
from tests.support.pages import rows, section, text_of

from croupier_server.match.spec import Clock
from croupier_tournament.play import play

PAGE = text_of("docs/play.md")


def test_the_page_has_every_argument_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        play(["--help"])
    known = set(re.findall(r"^  (--\w+)", capsys.readouterr().out, re.MULTILINE))
    told = {row[0].strip("`").split()[0] for row in rows(section(PAGE, "Arguments"))}
    assert told - {"argument"} == known


def test_the_page_names_every_part_of_the_clock() -> None:
    told = next(row[1] for row in rows(PAGE) if row[0].startswith("`--clock"))
    assert {field.name.removesuffix("_ms") for field in dataclasses.fields(Clock)} <= set(re.findall(r"`(\w+)`", told))

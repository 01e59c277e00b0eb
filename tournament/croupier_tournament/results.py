"""The results of a cup as files for programs: results.json and results.csv, documented in docs/results.md.

Everything but what is about time follows from the play, so two runs of one cup with one secret give the same bytes
there. It computes no table and opens no store; the table for people is in table.py.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from croupier_server.match.spec import Forfeit
from croupier_server.rules import options_values
from croupier_tournament.cupfile import CupFile
from croupier_tournament.pairing import ScheduledMatch
from croupier_tournament.played import Played
from croupier_tournament.standings import Standings, complete_blocks

FORMAT = 1
CSV_COLUMNS = (
    *("number", "block", "seating", "entrants", "places", "scores", "termination", "forfeits", "counted", "play_hash"),
    *("turns", "thinking_ms"),
)
_OF_TIME = ("thinking_ms", "turns")


@dataclass(frozen=True)
class CupResults:
    """All that the files are made of."""

    cup: CupFile
    schedule: Sequence[ScheduledMatch]
    effective: Mapping[int, Played]  # what stands for each match that is over, by number
    withdrawn: Mapping[str, int]  # by entrant: the match after which it is
    standings: Standings

    @cached_property
    def counted(self) -> frozenset[int]:
        """The numbers of the blocks that count."""
        return complete_blocks(self.schedule, self.effective)

    @cached_property
    def going_on(self) -> frozenset[int]:
        """The numbers of the blocks that are not over, of whose play nothing may be told."""
        return frozenset(match.block_number for match in self.schedule if match.number not in self.effective)

    @property
    def over(self) -> Iterable[tuple[ScheduledMatch, Played]]:
        """The matches that are over, in schedule order."""
        return ((match, self.effective[match.number]) for match in self.schedule if match.number in self.effective)


def results_json(results: CupResults) -> str:
    """The text of results.json. Equal play gives equal bytes, the value of `time` aside."""
    document = {
        "format": FORMAT,
        "cup": _cup(results),
        "standings": standings_values(results.standings),
        "matches": [_match(results, match, played) for match, played in results.over],
        "time": {
            "standings": [
                {"bot": row.bot, **{key: getattr(row, key) for key in (*_OF_TIME, "ms_per_turn")}}
                for row in results.standings.rows
            ],
            "matches": [
                {"number": match.number, **{key: getattr(played, key) for key in _OF_TIME}}
                for match, played in results.over
            ],
        },
    }
    return json.dumps(document, indent=1) + "\n"


def standings_values(standings: Standings) -> list[dict[str, Any]]:
    """The table without what is about time: a function of the results of the matches that count."""
    return [{key: value for key, value in asdict(row).items() if key not in _OF_TIME} for row in standings.rows]


def results_csv(results: CupResults) -> str:
    """The text of results.csv: a row for each match that is over. The last two columns are about time."""
    text = io.StringIO()
    rows = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
    rows.writeheader()
    for match, played in results.over:
        values = _match(results, match, played) | {key: getattr(played, key) for key in _OF_TIME}
        values["forfeits"] = [f"{forfeit['seat']}:{forfeit['reason']}" for forfeit in values["forfeits"]]
        rows.writerow({key: _cell(value) for key, value in values.items()})
    return text.getvalue()


def write_results(results: CupResults, folder: Path) -> tuple[Path, Path]:
    """Writes results.json and results.csv, each whole or not at all; returns their paths. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "results.json", folder / "results.csv"
    for path, text in zip(paths, (results_json(results), results_csv(results)), strict=True):
        unfinished = path.with_name(f".{path.name}.unfinished")
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(path)
    return paths


def _cup(results: CupResults) -> dict[str, Any]:
    cup = results.cup
    return {
        "name": cup.name,
        "game": cup.game.id,
        "players": cup.players,
        "options": options_values(cup.options),
        "blocks": cup.blocks,
        "deals": cup.deals.name.lower(),
        "isolation": cup.isolation.name.lower(),
        "trusted": True,  # no isolation of this release locks a bot in
        "seed": cup.seed,
        "clock": asdict(cup.clock),
        "policy": asdict(cup.policy),
        "entrants": [
            {"name": entrant.name, "remote": entrant.remote, "withdrawn_after": results.withdrawn.get(entrant.name)}
            for entrant in cup.entrants
        ],
        "matches_scheduled": len(results.schedule),
        "matches_over": len(results.effective),
        "blocks_counted": results.standings.blocks,
    }


def _match(results: CupResults, match: ScheduledMatch, played: Played) -> dict[str, Any]:
    result, told = played.result, match.block_number not in results.going_on
    return {
        "number": match.number,
        "block": match.block_number,
        "seating": match.seating,
        "entrants": match.entrants,
        "places": result.places,
        "scores": result.scores,
        "termination": result.termination.name.lower(),
        "forfeits": [_forfeit(forfeit, told=told) for forfeit in result.forfeits],
        "counted": match.block_number in results.counted,
        "play_hash": played.play_hash if told else "",
    }


def _forfeit(forfeit: Forfeit, *, told: bool) -> dict[str, Any]:
    decisions = forfeit.decisions_before if told else 0  # how far a match of an open block came is not told
    return asdict(forfeit) | {"reason": forfeit.reason.name.lower(), "decisions_before": decisions}


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)

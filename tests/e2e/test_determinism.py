"""One cup file and one secret give the same cup, however many matches are played at a time."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.support import Cup, example

NO_HURRY = {"start_up": 600, "bank": 600, "increment": 10, "turn_cap": 300}
ENTRANTS = ("random_bot", "raw_bot", "jekyll_rules", "jekyll_search")


def test_a_cup_can_be_played_again_alike_with_one_and_with_eight_matches_at_a_time(tmp_path: Path) -> None:
    entrants = {name: example(name) for name in ENTRANTS}
    one, eight = (Cup(tmp_path / str(parallel), entrants, {"parallel": parallel}, NO_HURRY) for parallel in (1, 8))
    for cup in (one, eight):
        cup.play()
        assert len(cup.records()) == 12
    assert one.play_hashes() == eight.play_hashes()
    assert len(set(one.play_hashes().values())) == 12
    assert one.standings_bytes == eight.standings_bytes
    assert one.timeless_rows == eight.timeless_rows


def test_another_secret_is_another_luck(tmp_path: Path) -> None:
    entrants = {name: example(name) for name in ("random_bot", "raw_bot")}
    one, other = (Cup(tmp_path / name, entrants) for name in ("one", "other"))
    (other.folder / "secret").write_text("ab" * 32)
    for cup in (one, other):
        cup.play()
    assert not set(one.play_hashes().values()) & set(other.play_hashes().values())

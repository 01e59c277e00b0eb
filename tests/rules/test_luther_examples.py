"""Worked examples of The Church vs Martin Luther. Seat 0 leads unless something else is said."""

from __future__ import annotations

import pytest
from tests.rules.parish import Parish, cards, indulging, owned, scored, won

from croupier_server.games.luther import DECKS
from croupier_server.games.luther_cover import BLACK, RANK, Numbers, coverage, mask_of
from croupier_server.games.luther_words import INDULGENCES, IndulgenceTaker, Options, Phase, action_text
from croupier_server.rules import Outcome

STRONGEST_RED = Options(indulgence_taker=IndulgenceTaker.STRONGEST_RED)
ACE_HIGH = Options(ace_value=14)
WRAP = Options(run_wrap=True)


def can_use(indulgence: str, sins: str, options: Options | None = None) -> bool:
    """Whether seat 0 may cover exactly these cards, which are all that it has captured."""
    text = " ".join(["use", indulgence, *sins.split()])
    parish = indulging(sins, indulgence, options)
    if text not in parish.legal:
        assert parish.refusal(text).split(":")[0] in ("L14", "L16", "L17", "L18", "L20")
    return text in parish.legal


def test_luther_example_01_a_follower_plays_the_led_suit_or_trump() -> None:
    parish = Parish("S7 HA HQ", "S2 D3 HK", "C2 C3 C4", "C5 C6 C7")
    parish.trick("S7")
    assert parish.legal == ["play D3", "play S2"]


def test_luther_example_01_a_follower_without_both_plays_anything() -> None:
    parish = Parish("S7 HA", "HK CQ", "C2 C3", "C5 C6")
    parish.trick("S7")
    assert parish.legal == ["play CQ", "play HK"]


def test_luther_example_02_trump_wins_and_takes_when_black_is_led() -> None:
    assert won("S7 D3 SA HK") == (1, 1)


def test_luther_example_03_the_highest_card_of_a_led_red_suit_takes_not_a_higher_one_of_the_other() -> None:
    assert won("D10 DK S2 HA") == (2, 1)


def test_luther_example_04_the_leader_of_the_only_heart_takes() -> None:
    assert won("H3 CA C2 DK") == (1, 0)


def test_luther_example_05_without_trump_the_winner_of_a_black_lead_takes() -> None:
    assert won("C9 C4 DA CQ") == (3, 3)


def test_luther_example_05_the_strongest_red_card_takes_by_option() -> None:
    assert won("C9 C4 DA CQ", STRONGEST_RED) == (3, 2)


@pytest.mark.parametrize("options", [Options(), STRONGEST_RED])
def test_luther_example_06_without_a_red_card_the_winner_takes(options: Options) -> None:
    assert won("S5 S9 CK S2", options) == (1, 1)


@pytest.mark.parametrize(
    ("indulgence", "sins", "legal"),
    [
        ("sum14", "SA S6 S7 C7 C8 CK", True),
        ("sum14", "S7 CA", False),
        ("prime", "S2 CJ", True),
        ("prime", "SA", False),
        ("run", "SA S3 C2", True),
        ("run", "SA SQ SK", False),
        ("run", "S3 S4 C3", False),
        ("run", "S9", False),
        ("sum10", "S5 SK CQ", True),
        ("sum10", "S10", True),
        ("sum10", "S6 SK CQ", False),
        ("pairs", "S7 SK C7 CK", True),
        ("fib", "SA S5 C2 CK", True),
        ("nonprime", "SA S9 C4 CQ", True),
        ("even", "S2 S4 S6 S8 SQ", False),
    ],
)
def test_luther_example_07_what_indulgences_cover(indulgence: str, sins: str, legal: bool) -> None:
    assert can_use(indulgence, sins) == legal


def test_luther_example_08_without_a_luther_money_counts_and_uncovered_sins_cost() -> None:
    told, _ = scored((5, "S2 S3 S4", "run", 1), (1, "", "", 0), (0, "C2", "", 0))
    assert (told.luthers, told.scores) == ((), (2, 1, -1))


def test_luther_example_09_with_a_luther_money_and_indulgences_cost() -> None:
    told, outcome = scored((5, "S2 S3 S4", "run", 1), (0, "", "", 0), (0, "C2 C3", "", 0))
    assert (told.luthers, told.scores) == ((1,), (-7, 0, 0))
    assert outcome == Outcome(scores=(-7, 0, 0), places=(3, 1, 1))


def test_luther_example_10_three_players_have_32_cards_without_nines() -> None:
    assert len(DECKS[3]) == 32
    assert 9 not in {RANK[card] for card in DECKS[3]}


@pytest.mark.parametrize(("indulgence", "most"), [("big", "use big S8 C8"), ("sum14", "use sum14 S6 S7 S8 C6 C7 C8")])
def test_luther_example_10_three_players_cover_only_8s_as_big_and_6_to_8_as_fourteen(
    indulgence: str, most: str
) -> None:
    black = mask_of(BLACK.intersection(DECKS[3]))
    uses = coverage(INDULGENCES.parse(indulgence), Numbers(1, 2, run_wrap=False)).uses(black)
    assert most in [action_text(use) for use in uses]
    assert {card for use in uses for card in use.cards} == set(cards(most.split(" ", 2)[2]))


@pytest.mark.parametrize(
    ("options", "indulgence", "sins", "legal"),
    [
        (ACE_HIGH, "run", "SA SQ SK", True),
        (ACE_HIGH, "run", "SA C2", False),
        (ACE_HIGH, "sum10", "SA C6", True),
        (ACE_HIGH, "sum10", "SA C9", False),
        (ACE_HIGH, "sum14", "SA CK", False),
        (ACE_HIGH, "big", "SA", True),
        (ACE_HIGH, "small", "SA", False),
        (WRAP, "run", "SQ SK CA C2", True),
        (WRAP, "run", "SK C2", False),
        (Options(run_min=1), "run", "S9", True),
    ],
)
def test_luther_example_11_what_indulgences_cover_by_option(
    options: Options, indulgence: str, sins: str, legal: bool
) -> None:
    assert can_use(indulgence, sins, options) == legal


def test_luther_example_12_seats_indulge_in_order_from_the_leader_and_only_those_that_can() -> None:
    fitting, unfit = (0, "S2", "spade", 0), (0, "S2", "club", 0)
    parish = Parish(
        *("HA", "HK", "HQ", "HJ"),
        phase=Phase.TAKE,
        leader=2,
        winner=0,
        has=owned(fitting, fitting, unfit, fitting),
        display="prime run big",
    )
    parish.play("discard big")
    asked: list[int] = []
    while parish.state.phase is Phase.INDULGE:
        asked.extend(parish.state.to_act())
        parish.play("pass")
    assert asked == [3, 0, 1]
    assert (parish.state.phase, parish.state.to_act()) == (Phase.PLAY, (0,))


def test_luther_example_13_used_indulgences_are_free_by_option() -> None:
    options = Options(used_indulgence_costs=False)
    told, _ = scored((5, "S2 S3 S4", "run", 1), (0, "", "", 0), (0, "C2 C3", "", 0), options=options)
    assert (told.luthers, told.scores) == ((1,), (-6, 0, 0))

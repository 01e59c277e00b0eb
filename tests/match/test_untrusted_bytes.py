"""Messages from bots and strangers: what means nothing is a ValueError that says why, and nothing worse."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.message import DecodeError
from google.protobuf.text_format import Parse
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.worlds import at_random, luck, play

from croupier.v1 import games_pb2
from croupier_server.games import GAMES
from croupier_server.match.wire import wire_of

JEKYLL = GAMES["jekyll"]


def jekyll_action(text: str) -> games_pb2.Action:
    action: games_pb2.Action = Parse(text, games_pb2.Action())
    return action


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "Action is about no game, expected jekyll"),
        ("jekyll {}", "JekyllAction: none of give, play is set"),
        ("jekyll { play {} }", "JekyllCard: 0 is not a value"),
        ("jekyll { play { card: 26 } }", "JekyllCard: 26 is not a value"),
        ("jekyll { play { card: -1 } }", "JekyllCard: -1 is not a value"),
        ("jekyll { play { card: 22 colour: 0 } }", "JekyllColour: 0 is not a value"),
        ("jekyll { play { card: 22 colour: 9 } }", "JekyllColour: 9 is not a value"),
        ("jekyll { give { cards: [1, 99] } }", "JekyllCard: 99 is not a value"),
    ],
)
def test_an_action_that_means_nothing_is_a_value_error_that_says_why(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{error}$"):
        wire_of(JEKYLL).read_action(jekyll_action(text))


def test_an_action_without_cards_is_an_action_and_for_the_rules_to_refuse() -> None:
    action = wire_of(JEKYLL).read_action(jekyll_action("jekyll { give {} }"))
    (step, *_) = play(JEKYLL, JEKYLL.variants["standard"], 2, luck("none"), at_random("none"))
    assert step.state.broken_rule(0, action).startswith("J5: ")


@pytest.mark.parametrize(
    "read", [wire_of(JEKYLL).read_options, wire_of(JEKYLL).read_event, wire_of(JEKYLL).read_observation]
)
def test_a_message_about_no_game_is_a_value_error(read: Any) -> None:
    kinds = {"options": games_pb2.GameOptions, "event": games_pb2.Event, "observation": games_pb2.Observation}
    with pytest.raises(ValueError, match="is about no game, expected jekyll"):
        read(kinds[read.__name__.removeprefix("read_")]())


def test_options_with_an_unset_enum_are_a_value_error() -> None:
    options = wire_of(JEKYLL).options(JEKYLL.variants["standard"])
    options.jekyll.ClearField("greed_short")
    with pytest.raises(ValueError, match="JekyllGreedShort: 0 is not a value"):
        wire_of(JEKYLL).read_options(options)


ACTIONS = [JEKYLL.parse_action(text) for text in ("play R3", "play 2+ P", "give G1", "give P1 G1 2+")]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_bytes_of_an_action_are_an_action_or_a_value_error(data: st.DataObject) -> None:
    good = wire_of(JEKYLL).action(data.draw(st.sampled_from(ACTIONS))).SerializeToString()
    damaged = bytearray(good)
    for _ in range(data.draw(st.integers(0, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    damaged = damaged[: data.draw(st.integers(0, len(damaged)))] + data.draw(st.binary(max_size=6))
    try:
        message = games_pb2.Action.FromString(bytes(damaged))
    except DecodeError:
        return
    try:
        action = wire_of(JEKYLL).read_action(message)
    except ValueError:
        return
    assert type(action) in JEKYLL.actions
    hash(action)  # whatever was read can be looked up and refused by the rules
    (step, *_) = play(JEKYLL, JEKYLL.variants["standard"], 2, luck("damage"), at_random("damage"))
    assert action in step.state.legal(0) or step.state.broken_rule(0, action)

"""The oneofs over games agree with each other, with the catalogue, with the pages of rules, and with the notation."""

from __future__ import annotations

import inspect
import re

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from tests.support.descriptors import files, kind_of, reachable
from tests.support.pages import ROOT, links, rows, section, text_of
from tests.support.worlds import at_random, luck, play

from croupier.v1 import games_pb2, play_service_pb2, record_pb2
from croupier_server.games import GAMES
from croupier_server.match.wire import wire_of
from croupier_server.rules import seats_for

RULES = ROOT / "docs" / "rules"
OVER_GAMES = {
    "Options": games_pb2.GameOptions.DESCRIPTOR,
    "Observation": games_pb2.Observation.DESCRIPTOR,
    "Action": games_pb2.Action.DESCRIPTOR,
    "Event": games_pb2.Event.DESCRIPTOR,
}
FIRST_GAME = 16  # 1 to 15 are kept for what may be common to all games


def arms(message: Descriptor) -> dict[str, FieldDescriptor]:
    return {arm.name: arm for arm in message.oneofs_by_name["game"].fields}


def test_the_catalogue_the_oneofs_and_the_pages_of_rules_name_the_same_games() -> None:
    pages = {path.stem for path in RULES.glob("*.md")} - {"README"}
    for message in OVER_GAMES.values():
        assert set(arms(message)) == set(GAMES), message.name
    assert pages == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_one_number_in_all_four_messages(game: str) -> None:
    numbers = {arms(message)[game].number for message in OVER_GAMES.values()}
    assert len(numbers) == 1
    assert numbers.pop() >= FIRST_GAME


@pytest.mark.parametrize("game", GAMES)
def test_the_messages_of_a_game_carry_its_name(game: str) -> None:
    found = {kind_of(arms(message)[game]).name for message in OVER_GAMES.values()}
    assert found == {game.capitalize() + kind for kind in OVER_GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_a_number_belongs_to_one_game_alone(game: str) -> None:
    for message in OVER_GAMES.values():
        number = arms(message)[game].number
        assert [arm.name for arm in message.fields if arm.number == number] == [game]


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_is_linked_from_the_list_of_rules(game: str) -> None:
    listed = {row[0].strip("`"): links(row[-1]) for row in rows(text_of("docs/rules/README.md"))}
    assert listed[game] == [f"{game}.md"]


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_has_every_option_and_variant_and_no_other(game: str) -> None:
    tables = rows(section(text_of(f"docs/rules/{game}.md"), "Options"))
    options = [row[0].strip("`") for row in tables if len(row) == 4]
    variants = [name for row in tables if len(row) == 2 for name in re.findall(r"`([^`]+)`", row[0])]
    assert sorted(options) == sorted(inspect.signature(GAMES[game].options).parameters)
    assert sorted(variants) == sorted(GAMES[game].variants)


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_a_game_is_the_same_as_text_and_as_a_message(game: str) -> None:
    rules, wire = GAMES[game], wire_of(GAMES[game])
    for variant, options in rules.variants.items():
        for seats in seats_for(rules, options):
            for step in play(rules, options, seats, luck(f"{variant} {seats}"), at_random(f"{variant} {seats}")):
                for action in {action for seat in step.actions for action in step.state.legal(seat)}:
                    assert rules.parse_action(rules.action_text(action)) == action
                    assert wire.read_action(wire.action(action)) == action


def test_nothing_that_is_hashed_or_that_bots_read_has_a_form_that_languages_write_differently() -> None:
    inexact = {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT}
    play, record = play_service_pb2.DESCRIPTOR, record_pb2.DESCRIPTOR
    for message in reachable(*play.message_types_by_name.values(), *record.message_types_by_name.values()):
        assert message.file.package == "croupier.v1", f"{message.full_name} is not ours"
        assert not message.GetOptions().map_entry, f"{message.full_name}: the order of a map is not defined"
        wrong = [field.full_name for field in message.fields if field.type in inexact]
        assert not wrong, f"{wrong}: no floating-point numbers on the wire of a match"


def test_the_contract_does_not_depend_on_the_private_control_line() -> None:
    for file in files():
        if file.package == "croupier.v1":
            assert {needed.package for needed in file.dependencies} <= {"croupier.v1"}, file.name

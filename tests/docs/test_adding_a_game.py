"""docs/adding-a-game.md does what it says: its toy game passes what every game must, and its proto mirrors its code."""

from __future__ import annotations

import importlib.resources
import importlib.util
import inspect
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_tools import protoc
from tests.rules import invariants, test_playouts, test_worlds
from tests.secrecy import rightful
from tests.secrecy.checks import log_decides, nothing_interferes
from tests.support.pages import ROOT, blocks, rows, section, text_of
from tests.support.worlds import at_random, luck, play, viewers

from croupier import Bot
from croupier_server.games import GAMES
from croupier_server.match.mirror import mirror, union_mirror
from croupier_server.rules import AnyGame

PAGE = text_of("docs/adding-a-game.md")
MODULE, CATALOGUE, INVARIANTS, RIGHTFUL, BOT = blocks(PAGE, "python")
PROTO, ARMS = blocks(PAGE, "proto")
(RULES,) = blocks(PAGE, "markdown")
OVER_GAMES = ("GameOptions", "Observation", "Action", "Event")
CASES = [(variant, seats) for variant in ("standard", "long") for seats in (3, 4)]

of_every_case = pytest.mark.parametrize(("variant", "seats"), CASES)


def generic_checks() -> list[Any]:
    """What every game with secrets must pass, from the modules that ask it of the catalogue."""
    return [
        pytest.param(check, id=name)
        for module in (test_playouts, test_worlds)
        for name, check in vars(module).items()
        if name.startswith("test_")
        and list(inspect.signature(check).parameters) == ["game", "variant", "seats"]
        and check is not test_worlds.test_where_nothing_is_hidden_the_world_is_the_position
    ]


@pytest.fixture(scope="module")
def nerve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The module of the page, in the tests' lists for as long as these tests run."""
    folder = tmp_path_factory.mktemp("nerve")
    (folder / "nerve.py").write_text(MODULE, encoding="utf-8")
    (folder / "nerve.md").write_text(RULES, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        module = load(folder / "nerve.py", "croupier_server.games.nerve", patch)
        true = defined(INVARIANTS, invariants, module)
        known = defined(RIGHTFUL, rightful, module)
        patch.setitem(invariants.INVARIANTS, "nerve", true["_nerve"])
        patch.setitem(rightful.RIGHTFUL, "nerve", rightful.Rightful(known["_nerve_drawn"], known["_nerve_shown"]))
        patch.setattr(test_playouts, "RULES", folder)
        yield module


def load(path: Path, name: str, patch: pytest.MonkeyPatch) -> ModuleType:
    """A module under a name that is taken back with the patch."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    patch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


def defined(code: str, among: ModuleType, nerve: ModuleType) -> dict[str, Any]:
    """What a block defines when it stands in a module of the tests, which is left as it was."""
    names = {**vars(among), "nerve": nerve}
    exec(compile(code, "docs/adding-a-game.md", "exec"), names)
    return names


@pytest.mark.parametrize("check", generic_checks())
@of_every_case
def test_the_toy_passes_what_every_game_must(
    nerve: ModuleType, check: Callable[..., None], variant: str, seats: int
) -> None:
    check(nerve.GAME, variant, seats)


@pytest.mark.parametrize("check", [log_decides, nothing_interferes])
@of_every_case
def test_the_toy_keeps_its_secrets(nerve: ModuleType, check: Callable[..., None], variant: str, seats: int) -> None:
    check(nerve.GAME, variant, seats)


def test_the_cases_are_all_that_the_toy_has(nerve: ModuleType) -> None:
    assert [(variant, seats) for variant in nerve.GAME.variants for seats in nerve.GAME.seats] == CASES


def test_the_page_of_the_toy_has_its_options_and_variants(nerve: ModuleType) -> None:
    named = [row[0].strip("`") for row in rows(section(RULES, "Options"))]
    assert named == [*inspect.signature(nerve.Options).parameters, *nerve.GAME.variants]


def test_the_line_for_the_catalogue_imports_the_game(nerve: ModuleType) -> None:
    names: dict[str, Any] = {}
    exec(CATALOGUE, names)
    assert names["NERVE"] is nerve.GAME


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> DescriptorPool:
    """All messages, with the proto and the four arms of the page where it says that they belong."""
    folder = tmp_path_factory.mktemp("protos")
    shutil.copytree(ROOT / "proto" / "croupier" / "v1", folder / "croupier" / "v1")
    (folder / "croupier" / "v1" / "nerve.proto").write_text(PROTO, encoding="utf-8")
    games = folder / "croupier" / "v1" / "games.proto"
    games.write_text(with_arms(games.read_text(encoding="utf-8")), encoding="utf-8")
    include, out = importlib.resources.files("grpc_tools") / "_proto", folder / "all.binpb"
    arguments = [f"-I{folder}", f"-I{include}", f"--descriptor_set_out={out}", "--include_imports", str(games)]
    assert protoc.main(["protoc", *arguments]) == 0
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString(out.read_bytes()).file:
        pool.Add(file)
    return pool


def with_arms(games: str) -> str:
    """games.proto with the import and the arms of the toy, under the next free number."""
    number = 1 + max(map(int, re.findall(r" = (\d+);", games)))
    comment, *arms = ARMS.replace("NEXT", str(number)).splitlines()
    for message, arm in zip(OVER_GAMES, arms, strict=True):
        games, done = re.subn(
            rf"(^message {message} \{{.*?)(^  \}}$)",
            rf"\1    {comment}\n    {arm}\n\2",
            games,
            count=1,
            flags=re.M | re.S,
        )
        assert done
    return games.replace("\nimport ", '\nimport "croupier/v1/nerve.proto";\nimport ', 1)


def arm_of(messages: DescriptorPool, message: str) -> Descriptor:
    """The toy's message within one of the four."""
    arm = messages.FindMessageTypeByName(f"croupier.v1.{message}").fields_by_name["nerve"]
    assert arm.message_type is not None
    return arm.message_type


def test_the_four_arms_have_one_number(messages: DescriptorPool) -> None:
    four = [messages.FindMessageTypeByName(f"croupier.v1.{name}") for name in OVER_GAMES]
    assert len({message.fields_by_name["nerve"].number for message in four}) == 1
    assert all({field.name for field in message.fields} == {*GAMES, "nerve"} for message in four)


def test_the_proto_mirrors_the_module_and_gives_every_value_back(nerve: ModuleType, messages: DescriptorPool) -> None:
    game: AnyGame = nerve.GAME
    options = mirror(game.options, arm_of(messages, "GameOptions"))
    views = mirror(game.observation, arm_of(messages, "Observation"))
    actions = union_mirror(game.actions, arm_of(messages, "Action"))
    events = union_mirror(game.events, arm_of(messages, "Event"))
    for variant, seats in CASES:
        rules = game.variants[variant]
        assert options.decode(options.encode(rules)) == rules
        for step in play(game, rules, seats, luck("wire"), at_random("wire")):
            for viewer in viewers(seats):
                view = step.state.view(viewer)
                assert views.decode(views.encode(view)) == view
                assert all(events.decode(events.encode(event)) == event for event in step.told[viewer])
            assert all(actions.decode(actions.encode(action)) == action for action in step.actions.values())


def test_the_bot_is_one_for_the_game(nerve: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nerve.proto").write_text(PROTO, encoding="utf-8")
    (tmp_path / "nerve_rules.py").write_text(BOT, encoding="utf-8")
    assert protoc.main(["protoc", f"-I{tmp_path}", f"--python_out={tmp_path}", "nerve.proto"]) == 0
    load(tmp_path / "nerve_pb2.py", "croupier.v1.nerve_pb2", monkeypatch)
    bot = load(tmp_path / "nerve_rules.py", "examples.nerve_rules", monkeypatch).RulesBot
    assert issubclass(bot, Bot)
    assert bot.games == (nerve.GAME.id,)

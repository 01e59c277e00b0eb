"""Remote entrants: their bots are processes that somebody else starts, with nothing but an address and a token."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.e2e.proxy import proxy
from tests.e2e.support import BOTS, DEADLINE_SECONDS, Cup, Running, bot, until

from croupier_server.match.record import IncidentKind
from croupier_server.match.verify import Verified
from croupier_server.store import AttemptState

NO_HURRY = {"start_up": 60, "bank": 600, "turn_cap": 300, "disconnect_grace": 60}


class Invitation(NamedTuple):
    """What the owner of a remote bot is told."""

    address: str
    token: str


def invitation(running: Running, name: str = "eve") -> Invitation:
    """What the runner says about an entrant."""
    said = running.says(f"entrant {name} connects with ")
    found = re.search(rf"entrant {name} connects with CROUPIER_ADDRESS=(\S+) CROUPIER_TOKEN=(\S+)\n", said)
    assert found is not None, said
    return Invitation(found[1], found[2])


class Guests:
    """The remote bots of a test; none outlives it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []

    def come(self, address: str, token: str, *, max_matches: int = 1) -> subprocess.Popen[bytes]:
        """Starts one."""
        command = [sys.executable, str(BOTS / "guest.py"), str(max_matches), str(self.folder)]
        env = os.environ | {"CROUPIER_ADDRESS": address, "CROUPIER_TOKEN": token}
        self._processes.append(subprocess.Popen(command, env=env))
        return self._processes[-1]

    def matches(self) -> int:
        """How many matches have begun for them."""
        return len(list(self.folder.iterdir()))

    def leave(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


@pytest.fixture
def guests(tmp_path: Path) -> Iterator[Guests]:
    folder = tmp_path / "guests"
    folder.mkdir()
    guests = Guests(folder)
    yield guests
    guests.leave()


def at_a_time(records: Sequence[Verified]) -> int:
    """The most matches that ran at one moment."""
    spans = [(record.clock.opened_unix_ms, record.clock.over_us // 1000) for record in records]
    return max(sum(begin <= moment < begin + length for begin, length in spans) for moment, _ in spans)


@pytest.mark.parametrize("max_matches", [1, 4])
def test_a_remote_bot_plays_a_cup_over_one_session(tmp_path: Path, guests: Guests, max_matches: int) -> None:
    cup = Cup(tmp_path, {"ann": bot("honest"), "eve": None}, {"blocks": 4, "parallel": 4}, NO_HURRY)
    running = cup.begin("run")
    guest = guests.come(*invitation(running), max_matches=max_matches)
    assert running.ended().code == 0
    assert guest.wait(DEADLINE_SECONDS) == 0
    assert cup.forfeits("ann") == cup.forfeits("eve") == []
    records = cup.records()
    assert len(records) == 8
    assert len({record.play.block_key for record in records}) == 8  # a new deal for each of them
    assert at_a_time(records) == max_matches


def test_two_remote_bots_play_each_other(tmp_path: Path, guests: Guests) -> None:
    cup = Cup(tmp_path, {"dan": None, "eve": None}, {"blocks": 2}, NO_HURRY)
    running = cup.begin("run")
    for name in ("dan", "eve"):
        guests.come(*invitation(running, name))
    assert running.ended().code == 0
    assert cup.forfeits("dan") == cup.forfeits("eve") == []
    assert "remote bots live on" in running.out.read_text()


def test_a_token_is_shown_once_and_only_its_hash_is_kept(tmp_path: Path, guests: Guests) -> None:
    cup = Cup(tmp_path, {"ann": bot("peeks"), "eve": None}, {"blocks": 1}, NO_HURRY)
    running = cup.begin("run")
    address, token = invitation(running)
    guests.come(address, token)
    done = running.ended()
    assert done.code == 0
    assert (done.out + done.err).count(token) == 1
    for command in ("status", "standings", "export"):
        later = cup.do(command)
        assert later.code == 0
        assert token not in later.out + later.err
    files = [path for path in cup.home.rglob("*") if path.is_file()]
    assert {"server.log", "store.sqlite", "results.json", "stderr.log"} <= {path.name for path in files}
    assert [path for path in files if token.encode() in path.read_bytes()] == []
    assert hashlib.sha256(token.encode()).digest() in (cup.home / "store.sqlite").read_bytes()


def test_a_remote_bot_that_does_not_come_does_not_hold_up_the_cup(tmp_path: Path) -> None:
    keys = {"blocks": 3, "parallel": 6, "join_seconds": 0.5, "listen": "0.0.0.0:0"}
    cup = Cup(tmp_path, {"ann": bot("honest"), "eve": None}, keys, NO_HURRY | {"start_up": 8})
    done = cup.do("run")
    assert (done.code, done.err) == (0, "")
    assert f"CROUPIER_ADDRESS={socket.gethostname()}:" in done.out  # nobody can connect to 0.0.0.0 from elsewhere
    assert "not here after 0.5 seconds: eve; the cup begins\n" in done.out
    assert cup.forfeits("eve") == ["not_ready"] * 3 + ["withdrawn"] * 3
    assert cup.forfeits("ann") == []


def test_a_remote_bot_whose_connection_is_cut_takes_up_its_match(tmp_path: Path, guests: Guests) -> None:
    cup = Cup(tmp_path, {"ann": bot("waits", str(tmp_path)), "eve": None}, {"parallel": 1}, NO_HURRY)
    (tmp_path / "1").touch()
    running = cup.begin("run")
    address, token = invitation(running)
    with proxy(address) as network:
        guests.come(network.address, token)
        until(lambda: guests.matches() == 2)  # the second waits for ann
        network.cut()
        until(lambda: network.connections == 2)
        (tmp_path / "2").touch()
        assert running.ended().code == 0
    assert cup.forfeits("eve") == []
    incidents = [item.kind for item in cup.records()[1].clock.incidents]
    assert IncidentKind.DISCONNECTED in incidents
    assert IncidentKind.RESUMED in incidents


def test_a_resumed_cup_takes_the_same_token_and_draws_blocks_anew_that_a_remote_bot_has_seen(
    tmp_path: Path, guests: Guests
) -> None:
    cup = Cup(tmp_path, {"ann": bot("waits", str(tmp_path)), "eve": None}, {"blocks": 2, "parallel": 1}, NO_HURRY)
    for number in (1, 2, 3):
        (tmp_path / str(number)).touch()
    running = cup.begin("run")
    address, token = invitation(running)
    guests.come(address, token)
    until(lambda: (tmp_path / "4-is-there").exists())
    running.process.kill()
    running.process.wait()
    before = {row.number: row.match_id for row in cup.matches()}
    assert set(before) == {1, 2, 3}
    for number in (4, 5, 6, 7):  # by the dead runner, and by its successor
        (tmp_path / str(number)).touch()
    running = cup.begin("resume")
    line = next(line for line in running.says("entrant eve connects with ").splitlines() if "eve" in line)
    found = re.fullmatch(
        r"entrant eve connects with CROUPIER_ADDRESS=(\S+) and the token that was shown when the cup began", line
    )
    assert found is not None, line
    guests.come(found[1], token)
    assert running.ended().code == 0
    after = {row.number: row.match_id for row in cup.matches()}
    assert [after[number] == before[number] for number in (1, 2, 3)] == [True, True, False]
    states = [(attempt.number, attempt.redraw, attempt.state) for attempt in cup.attempts()]
    assert states == [
        (1, 0, AttemptState.COMMITTED),
        (2, 0, AttemptState.COMMITTED),
        (3, 0, AttemptState.COMMITTED),
        (3, 1, AttemptState.COMMITTED),
        (4, 0, AttemptState.INTERRUPTED),
        (4, 1, AttemptState.COMMITTED),
    ]
    assert len(cup.results["matches"]) == 4
    assert cup.forfeits("ann") == cup.forfeits("eve") == []

"""How a bot starts: environment, folder, descriptors, signals."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
from pathlib import Path

import pytest
from tests.launcher.support import launch, parent, shell, until

from croupier_server.launcher.client import Launch, Launcher

pytestmark = pytest.mark.asyncio

# Written in Python, since a shell would add variables and close descriptors of its own.
TELL_ENVIRONMENT = "import os; print(*(f'{name}={value}' for name, value in os.environ.items()), sep='\\n')"
TELL_DESCRIPTORS = "import os; print(sorted(int(name) for name in os.listdir('/proc/self/fd')))"
TELL_SIGNALS = "import signal; print([s.name for s in signal.Signals if signal.getsignal(s) == signal.SIG_IGN])"
TELL_MASK = "import signal; print(signal.pthread_sigmask(signal.SIG_BLOCK, []))"


async def output_of(launcher: Launcher, folder: Path, code: str, **env: str) -> str:
    bot = await launch(launcher, folder, sys.executable, "-SIc", code, env=env)
    assert await bot.exited() == "exit status 0"
    return bot.folder.stdout.read_text()


async def test_a_bot_sees_a_small_environment_and_nothing_else_of_the_runners(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "swordfish")
    printed = await output_of(launcher, tmp_path / "ann", TELL_ENVIRONMENT, CROUPIER_TOKEN="t0ken")
    assert dict(line.split("=", 1) for line in printed.splitlines()) == {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "ann" / "home"),
        "TMPDIR": str(tmp_path / "ann" / "tmp"),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "CROUPIER_TOKEN": "t0ken",
    }


async def test_the_callers_variables_win(launcher: Launcher, tmp_path: Path) -> None:
    printed = await output_of(launcher, tmp_path / "ann", TELL_ENVIRONMENT, LANG="de_DE.UTF-8")
    assert "LANG=de_DE.UTF-8" in printed.splitlines()


async def test_the_keeper_of_a_bot_knows_no_secret_of_the_runner_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "swordfish")
    async with Launcher.start() as launcher:
        bot = await shell(launcher, tmp_path / "ann", "sleep 100")
        keeper = parent(bot.pid)
        for pid in (keeper, parent(keeper)):
            assert b"swordfish" not in Path(f"/proc/{pid}/environ").read_bytes()


async def test_a_token_is_neither_in_a_command_line_nor_in_what_a_log_would_show(
    launcher: Launcher, tmp_path: Path
) -> None:
    order = Launch(name="ann", command=("sleep", "100"), env={"CROUPIER_TOKEN": "t0ken"}, folder=tmp_path / "ann")
    bot = await launcher.launch(order)
    assert "t0ken" not in repr(order)
    for pid in (bot.pid, parent(bot.pid)):
        assert b"t0ken" not in Path(f"/proc/{pid}/cmdline").read_bytes()


async def test_a_bot_starts_in_an_empty_home_that_is_closed_to_others(launcher: Launcher, tmp_path: Path) -> None:
    printed = await output_of(launcher, tmp_path / "ann", "import os; print(os.getcwd(), os.listdir())")
    assert printed == f"{tmp_path / 'ann' / 'home'} []\n"
    for folder in (tmp_path / "ann", tmp_path / "ann" / "home", tmp_path / "ann" / "tmp"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_a_relative_folder_counts_from_where_the_runner_is(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = await shell(launcher, Path("cup") / "ann", "pwd")
    await bot.exited()
    assert (tmp_path / "cup" / "ann" / "stdout.log").read_text() == f"{tmp_path}/cup/ann/home\n"


async def test_no_descriptor_leaks_into_a_bot(launcher: Launcher, tmp_path: Path) -> None:
    for name in ("first", "second", "third"):  # the one more is the listed folder itself
        assert await output_of(launcher, tmp_path / name, TELL_DESCRIPTORS) == "[0, 1, 2, 3]\n"


async def test_standard_input_is_empty(launcher: Launcher, tmp_path: Path) -> None:
    assert await output_of(launcher, tmp_path / "ann", "import sys; print(repr(sys.stdin.read()))") == "''\n"


async def test_a_bot_has_the_usual_signals_whatever_the_runner_ignores(tmp_path: Path) -> None:
    ignored = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
    before = [signal.signal(signum, signal.SIG_IGN) for signum in ignored]
    try:
        async with Launcher.start() as launcher:
            told = await output_of(launcher, tmp_path / "ann", TELL_SIGNALS)
            mask = await output_of(launcher, tmp_path / "bob", TELL_MASK)
    finally:
        for signum, handler in zip(ignored, before, strict=True):
            signal.signal(signum, handler)
    assert told == "['SIGPIPE', 'SIGXFSZ']\n"  # which Python itself ignores
    assert mask == "set()\n"


async def test_each_bot_leads_a_session_of_its_own(launcher: Launcher, tmp_path: Path) -> None:
    bots = [await shell(launcher, tmp_path / name, "sleep 100") for name in ("ann", "bob")]
    for bot in bots:
        assert os.getsid(bot.pid) == os.getpgid(bot.pid) == bot.pid


async def test_the_warden_is_out_of_reach_of_signals_to_the_runners_group(launcher: Launcher, tmp_path: Path) -> None:
    bot = await shell(launcher, tmp_path / "ann", "sleep 100")
    keeper = parent(bot.pid)
    assert {os.getsid(keeper), os.getsid(parent(keeper))}.isdisjoint({os.getsid(0)})


def descriptors_of(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def test_fifty_starts_and_stops_leave_no_zombie_no_process_and_no_descriptor(
    launcher: Launcher, tmp_path: Path
) -> None:
    first = await shell(launcher, tmp_path / "first", "sleep 100")
    warden = parent(parent(first.pid))
    await first.stop(0)
    before = (descriptors_of(os.getpid()), descriptors_of(warden))
    for number in range(50):
        bot = await shell(launcher, tmp_path / str(number), "sleep 100")
        assert await bot.stop(grace_seconds=10) == "killed by SIGTERM"
    await until(lambda: not Path(f"/proc/{warden}/task/{warden}/children").read_text())  # zombies would be in there
    assert (descriptors_of(os.getpid()), descriptors_of(warden)) == before


async def test_fifty_bots_at_a_time(launcher: Launcher, tmp_path: Path) -> None:
    bots = await asyncio.gather(*(shell(launcher, tmp_path / str(number), "sleep 100") for number in range(50)))
    assert len({bot.pid for bot in bots}) == 50
    assert set(await asyncio.gather(*(bot.stop(grace_seconds=10) for bot in bots))) == {"killed by SIGTERM"}

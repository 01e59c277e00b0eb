"""What a launch gets that cannot succeed: an error that names the bot, the command and the reason."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.launcher.support import launch, shell

from croupier_server.launcher.client import Launch, Launcher, LaunchError

pytestmark = pytest.mark.asyncio


async def error_of(launcher: Launcher, folder: Path, *command: str, **env: str) -> str:
    with pytest.raises(LaunchError) as error:
        await launch(launcher, folder, *command, env=env)
    return str(error.value)


async def test_a_command_that_is_not_on_the_path(launcher: Launcher, tmp_path: Path) -> None:
    text = await error_of(launcher, tmp_path / "ann", "pyton", "bot.py", PATH="/usr/bin:/bin")
    assert text == "bot 'ann' did not start: command 'pyton' not found on the PATH '/usr/bin:/bin'"


async def test_a_program_that_does_not_exist(launcher: Launcher, tmp_path: Path) -> None:
    text = await error_of(launcher, tmp_path / "ann", "/nowhere/bot")
    assert text == (
        "bot 'ann' did not start: command '/nowhere/bot' not found, or the interpreter that its first line names"
    )


async def test_a_file_that_is_not_executable(launcher: Launcher, tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text("print()")
    text = await error_of(launcher, tmp_path / "ann", str(program))
    assert text == f"bot 'ann' did not start: command '{program}': Permission denied"


async def test_a_file_that_no_kernel_can_run(launcher: Launcher, tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_bytes(b"\0\0\0\0")
    program.chmod(0o700)
    text = await error_of(launcher, tmp_path / "ann", str(program))
    assert text == f"bot 'ann' did not start: command '{program}': Exec format error"


async def test_a_variable_that_cannot_be(launcher: Launcher, tmp_path: Path) -> None:
    text = await error_of(launcher, tmp_path / "ann", "true", **{"A=B": "c"})
    assert text == "bot 'ann' did not start: command 'true': illegal environment variable name"


async def test_a_folder_that_another_bot_had(launcher: Launcher, tmp_path: Path) -> None:
    await (await shell(launcher, tmp_path / "ann", "true")).exited()
    text = await error_of(launcher, tmp_path / "ann", "true")
    assert text == f"bot 'ann' did not start: its folder: File exists: '{tmp_path / 'ann'}'"


async def test_a_folder_where_a_file_is(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    text = await error_of(launcher, tmp_path / "file" / "ann", "true")
    assert text.startswith("bot 'ann' did not start: its folder: ")
    assert str(tmp_path / "file") in text


async def test_a_command_line_that_is_too_long(launcher: Launcher, tmp_path: Path) -> None:
    text = await error_of(launcher, tmp_path / "ann", "true", "x" * (1 << 20))
    assert text.startswith("bot 'ann': command and environment take 10")
    assert text.endswith("limit 1048576")


async def test_an_argument_that_is_too_long_for_the_kernel(launcher: Launcher, tmp_path: Path) -> None:
    text = await error_of(launcher, tmp_path / "ann", "true", "x" * (1 << 18))
    assert text == "bot 'ann' did not start: command 'true': Argument list too long"


async def test_the_arguments_of_a_command_that_fails_are_not_shown(launcher: Launcher, tmp_path: Path) -> None:
    assert "s3cret" not in await error_of(launcher, tmp_path / "ann", "pyton", "--password=s3cret")


async def test_an_empty_command(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="bot 'ann': an empty command, expected a program and its arguments"):
        Launch(name="ann", command=(), folder=tmp_path / "ann")


async def test_a_failed_start_does_not_harm_the_next(launcher: Launcher, tmp_path: Path) -> None:
    await error_of(launcher, tmp_path / "ann", "pyton")
    bot = await shell(launcher, tmp_path / "bob", "exit 3")
    assert await bot.exited() == "exit status 3"


async def test_a_system_that_is_not_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "plan9")
    with pytest.raises(LaunchError, match=r"launching bots needs Linux \(prctl, /proc\), and this is plan9"):
        await Launcher.start().__aenter__()

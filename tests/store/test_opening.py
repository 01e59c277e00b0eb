"""How a store is opened, and what those get who open something else."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.store.processes import Program
from tests.store.samples import DEADLINE_S, new_cup

from croupier_server.store import Access, Store, StoreError, open_store, reads, sqlite, writes


@pytest.fixture
def made(url: str) -> str:
    """The URL of a store with a cup in it, opened by nobody."""
    with open_store(url, Access.CREATE) as store, store.writer() as writer:
        writer.submit(writes.create_cup, new_cup()).result(DEADLINE_S)
    return url


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that the powerless can reach."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-store-"))
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


@contextmanager
def powerless() -> Iterator[None]:
    """Gives up root's right to write everywhere, should the tests run as root."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(user)


def execute(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("access", [Access.WRITE, Access.CREATE, Access.READ])
def test_a_store_keeps_what_was_put_in(made: str, access: Access) -> None:
    with open_store(made, access) as store:
        assert [cup.name for cup in store.read(reads.cups)] == ["first"]


def test_a_store_is_for_its_owner_alone(store: Store) -> None:
    assert store.path.stat().st_mode & 0o777 == 0o600


def test_a_url_may_name_a_path_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store("sqlite:///a folder/../späte 100%#1 runde.db", Access.CREATE) as store:
        monkeypatch.chdir("/")  # the path is of the folder in which it was opened
        assert store.read(reads.cups) == ()
    assert (tmp_path / "späte 100%#1 runde.db").is_file()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("arena.db", r"store URL 'arena\.db': expected sqlite:///PATH"),
        ("", "store URL '': expected sqlite:///PATH"),
        ("sqlite://", "expected sqlite:///PATH"),
        ("sqlite:///:memory:", "expected sqlite:///PATH"),
        ("sqlite://host/arena.db", "expected sqlite:///PATH"),
        ("sqlite:///arena.db?mode=memory", "expected sqlite:///PATH"),
        ("sqlite+aiosqlite:///arena.db", "this release keeps stores in SQLite only"),
        (
            "postgresql://ann:secret@db/arena",
            r"'postgresql://ann:\*\*\*@db/arena': this release keeps stores in SQLite",
        ),
    ],
)
def test_a_url_of_something_else_is_refused(
    url: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=words):
        open_store(url, Access.CREATE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("access", [Access.READ, Access.WRITE])
def test_a_missing_file_is_an_error_and_is_not_made(url: str, tmp_path: Path, access: Access) -> None:
    with pytest.raises(StoreError, match=r"arena\.db: there is no such file"):
        open_store(url, access)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"there is no folder {tmp_path}/deep"):
        open_store(f"sqlite:///{tmp_path}/deep/arena.db", Access.CREATE)


def test_a_path_that_cannot_be_looked_for_is_an_error(public_folder: Path) -> None:
    public_folder.chmod(0)
    with powerless(), pytest.raises(StoreError, match=r"arena\.db: cannot be looked for: .*Permission denied"):
        open_store(f"sqlite:///{public_folder}/arena.db")


@pytest.mark.parametrize("access", list(Access))
def test_a_folder_is_no_store(tmp_path: Path, access: Access) -> None:
    with pytest.raises(StoreError, match="is a folder; expected a file"):
        open_store(f"sqlite:///{tmp_path}", access)


@pytest.mark.parametrize("access", [Access.READ, Access.WRITE])
def test_an_empty_file_is_no_store_yet(url: str, tmp_path: Path, access: Access) -> None:
    (tmp_path / "arena.db").touch()
    with pytest.raises(StoreError, match="is empty: no store was made in it"):
        open_store(url, access)
    open_store(url, Access.CREATE).close()


@pytest.mark.parametrize("access", list(Access))
@pytest.mark.parametrize("content", [b"rank,bot,elo\n" * 100, b"SQLite format 3\0" + bytes(range(256)) * 40])
def test_a_file_of_something_else_is_refused_and_left_alone(
    url: str, tmp_path: Path, access: Access, content: bytes
) -> None:
    (tmp_path / "arena.db").write_bytes(content)
    with pytest.raises(StoreError, match=r"arena\.db: is (no store|damaged)"):
        open_store(url, access)
    assert (tmp_path / "arena.db").read_bytes() == content


@pytest.mark.parametrize("access", list(Access))
@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TABLE songs (title TEXT)",),
        ("CREATE TABLE alembic_version (version_num TEXT)", "INSERT INTO alembic_version VALUES ('1975ea83b712')"),
    ],
)
def test_the_database_of_another_program_is_refused(
    url: str, tmp_path: Path, access: Access, statements: tuple[str, ...]
) -> None:
    execute(tmp_path / "arena.db", *statements)
    with pytest.raises(StoreError, match="is no store: it belongs to another program"):
        open_store(url, access)


@pytest.mark.parametrize("access", list(Access))
def test_a_store_of_a_newer_release_is_refused(made: str, tmp_path: Path, access: Access) -> None:
    execute(tmp_path / "arena.db", "UPDATE alembic_version SET version_num = 'croupier_9999'")
    with pytest.raises(StoreError, match="is of a newer release than this one; upgrade croupier"):
        open_store(made, access)


def test_a_damaged_store_says_so(made: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)  # all but the page that says what tables there are
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"arena\.db: is damaged"):
        open_store(made)


def test_a_store_that_is_cut_short_says_so(made: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(StoreError, match=r"arena\.db: is damaged"), open_store(made) as store:
        store.read(reads.cup_setup, "first")


def test_a_locked_store_says_so(made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_S", 0.05)
    other = sqlite3.connect(tmp_path / "arena.db", isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match=r"is locked by another program \(waited 0.05 s\)"):
        open_store(made)
    other.close()


def test_no_store_is_made_in_a_folder_that_may_not_be_written(public_folder: Path) -> None:
    public_folder.chmod(0o555)
    with powerless(), pytest.raises(StoreError, match=r"arena\.db: cannot be made: .*Permission denied"):
        open_store(f"sqlite:///{public_folder}/arena.db", Access.CREATE)


@pytest.mark.parametrize("access", list(Access))
def test_a_store_in_a_folder_that_may_not_be_written_says_so(public_folder: Path, access: Access) -> None:
    url = f"sqlite:///{public_folder}/arena.db"
    open_store(url, Access.CREATE).close()
    (public_folder / "arena.db").chmod(0o666)
    public_folder.chmod(0o555)
    expected = "cannot be opened .* its folder .* must be writable, for readers too"
    with powerless(), pytest.raises(StoreError, match=expected):
        open_store(url, access)


def test_readers_see_what_a_writer_committed_and_write_nothing(made: str) -> None:
    with open_store(made) as reader, open_store(made, Access.WRITE) as store, store.writer() as writer:
        assert len(reader.read(reads.cups)) == 1
        writer.submit(writes.create_cup, new_cup("second")).result(DEADLINE_S)
        assert len(reader.read(reads.cups)) == 2
        with pytest.raises(StoreError, match="readonly database"):
            reader.read(writes.create_cup, new_cup("third"))


def test_many_processes_may_make_one_store_at_once(tmp_path: Path, start: Callable[..., Program]) -> None:
    started = [start("make_store") for _ in range(3)]
    assert [process.line() for process in started] == ["ready"] * 3
    for number in range(10):
        url = f"sqlite:///{tmp_path}/{number}.db"
        for process in started:
            process.say(url)
        assert [process.line() for process in started] == ["made"] * 3
        with open_store(url) as store:
            assert store.read(reads.cups) == ()


def test_closing_a_store_twice_is_fine(store: Store) -> None:
    store.close()
    store.close()

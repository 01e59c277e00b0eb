"""The revisions make the tables that the code means, and carry an older store over."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, inspect
from tests.store.samples import DEADLINE_S, new_cup, play

from croupier_server.store import Access, Store, StoreError, Writer, migrate, open_store, reads, writes
from croupier_server.store.schema import metadata

NEXT_REVISION = """
import sqlalchemy as sa
from alembic import op

revision = "croupier_9998"
down_revision = "croupier_0001"


def upgrade():
    with op.batch_alter_table("cups") as cups:
        cups.add_column(sa.Column("motto", sa.String, nullable=False, server_default="play on"))
        cups.create_check_constraint("motto_short", "length(motto) < 80")
"""


@pytest.fixture
def migrated(store: Store) -> Iterator[Engine]:
    engine = create_engine(f"sqlite:///{store.path}")
    yield engine
    engine.dispose()


@pytest.fixture
def meant(tmp_path: Path) -> Iterator[Engine]:
    """A database with the tables of the metadata, made without revisions."""
    engine = create_engine(f"sqlite:///{tmp_path}/meant.db")
    metadata.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release with one revision more, which makes a table anew that others refer to."""
    scripts = tmp_path / "100% next"
    shutil.copytree(migrate.SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "9998_motto.py").write_text(NEXT_REVISION)
    monkeypatch.setattr(migrate, "SCRIPTS", scripts)


def test_there_is_one_line_of_revisions() -> None:
    scripts = ScriptDirectory(migrate.SCRIPTS)
    assert len(scripts.get_heads()) == 1
    assert all(script.revision.startswith("croupier_") for script in scripts.walk_revisions())


def test_alembic_finds_nothing_to_change_in_a_migrated_store(migrated: Engine) -> None:
    with migrated.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, metadata) == []


@pytest.mark.parametrize("table", sorted(metadata.tables))
def test_a_migrated_table_is_the_one_meant_with_the_names_of_its_constraints(
    migrated: Engine, meant: Engine, table: str
) -> None:
    def parts(engine: Engine) -> dict[str, object]:
        found = inspect(engine)
        return {
            "columns": sorted(map(repr, found.get_columns(table))),
            "primary key": found.get_pk_constraint(table),
            "foreign keys": sorted(map(repr, found.get_foreign_keys(table))),
            "unique": sorted(map(repr, found.get_unique_constraints(table))),
            "checks": sorted(map(repr, found.get_check_constraints(table))),
            "indexes": sorted(map(repr, found.get_indexes(table))),
        }

    assert parts(migrated) == parts(meant)


def test_an_older_store_is_brought_up_to_date_with_all_that_is_in_it(
    store: Store, writer: Writer, next_release: None
) -> None:
    writer.submit(writes.create_cup, new_cup()).result(DEADLINE_S)
    play(writer, "m1", 1)
    before = store.read(reads.cups), store.read(reads.matches, "first"), store.read(reads.record, "m1")
    url = f"sqlite:///{store.path}"

    with pytest.raises(StoreError, match="is of an older release; run or resume a cup in it to bring it up to date"):
        open_store(url)
    with open_store(url, Access.WRITE) as upgraded:
        after = upgraded.read(reads.cups), upgraded.read(reads.matches, "first"), upgraded.read(reads.record, "m1")
        assert after == before
        assert upgraded.read(mottoes) == ["play on"]
    open_store(url).close()


def mottoes(connection: Connection) -> list[str]:
    return list(connection.exec_driver_sql("SELECT motto FROM cups").scalars())


def test_an_upgrade_that_fails_leaves_the_store_as_it_was(
    store: Store, writer: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.submit(writes.create_cup, new_cup()).result(DEADLINE_S)
    play(writer, "m1", 1)
    scripts = tmp_path / "next"
    shutil.copytree(migrate.SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "9998_bad.py").write_text(NEXT_REVISION + "    op.execute('DELETE FROM attempts')\n")
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "SCRIPTS", scripts)
        with pytest.raises(StoreError, match="its upgrade would leave 1 rows without what they refer to"):
            open_store(f"sqlite:///{store.path}", Access.WRITE)
    with open_store(f"sqlite:///{store.path}") as unchanged:
        assert len(unchanged.read(reads.attempts, "first")) == 1

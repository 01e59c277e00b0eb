"""How old a store is, and how it is brought up to date. Works inside the caller's transaction."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

SCRIPTS = Path(__file__).parent / "migrations"
_OURS = "croupier_"  # every revision of ours begins so; another program's alembic table is not mistaken for one


class Age(Enum):
    """What a database is to this release."""

    EMPTY = "is empty: no store was made in it"
    CURRENT = "is up to date"
    OLDER = "is of an older release; run or resume a cup in it to bring it up to date"
    NEWER = "is of a newer release than this one; upgrade croupier"
    FOREIGN = "is no store: it belongs to another program"


def age_of(connection: Connection) -> Age:
    """What the database is, by its tables and its revision."""
    if not inspect(connection).get_table_names():
        return Age.EMPTY
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None or not revision.startswith(_OURS):
        return Age.FOREIGN
    scripts = ScriptDirectory(SCRIPTS)
    if revision == scripts.get_current_head():
        return Age.CURRENT
    known = {script.revision for script in scripts.walk_revisions()}
    return Age.OLDER if revision in known else Age.NEWER


def upgrade(connection: Connection) -> None:
    """Runs the revisions that the database lacks."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))  # it is read with interpolation
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

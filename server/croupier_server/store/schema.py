"""The tables, in terms of no one database. docs/store.md says what they mean, migrations how they came to be."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    Enum,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from croupier_server.store.rows import AttemptState, ForfeitReason, Isolation, Termination

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _words(kind: type[StrEnum], name: str) -> Enum:
    """A column type of an enum's words, which the database checks; long enough for words to come."""
    return Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=True,
        length=32,
        values_callable=lambda members: [member.value for member in members],
    )


cups = Table(
    "cups",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("game", String, nullable=False),
    Column("file", LargeBinary, nullable=False),
    Column("file_sha256", LargeBinary, nullable=False),
    Column("secret", LargeBinary, nullable=False),  # secret but to the host
    Column("isolation", _words(Isolation, "isolation"), nullable=False),
    Column("duplicate", Boolean, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("version", String, nullable=False),
    Column("created_unix_ms", BigInteger, nullable=False),
    Column("closed_unix_ms", BigInteger),
    Column("standings_blocks", Integer, nullable=False),
    CheckConstraint("length(secret) = 32", name="secret_bytes"),
    CheckConstraint("length(file_sha256) = 32", name="sha256_bytes"),
)

entrants = Table(
    "entrants",
    metadata,
    Column("cup_id", ForeignKey("cups.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("remote", Boolean, nullable=False),
    Column("token_hash", LargeBinary),
    Column("withdrawn_after", Integer),
    UniqueConstraint("cup_id", "name"),
    CheckConstraint("length(token_hash) = 32", name="token_bytes"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("cup_id", ForeignKey("cups.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("redraw", Integer, nullable=False),
)

scheduled_matches = Table(
    "scheduled_matches",
    metadata,
    Column("cup_id", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("block", Integer, nullable=False),
    ForeignKeyConstraint(["cup_id", "block"], ["blocks.cup_id", "blocks.number"]),
    Index(None, "cup_id", "block"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("match_id", String, primary_key=True),
    Column("cup_id", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("redraw", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("started_unix_ms", BigInteger, nullable=False),
    Column("state", _words(AttemptState, "state"), nullable=False),
    Column("detail", Text, nullable=False),
    ForeignKeyConstraint(["cup_id", "number"], ["scheduled_matches.cup_id", "scheduled_matches.number"]),
    UniqueConstraint("cup_id", "number", "redraw", "attempt"),
    Index(None, "cup_id", "state"),
)

# One outcome of a match is in force: the unique constraint sees to it.
matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("cup_id", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("redraw", Integer, nullable=False),
    Column("overridden", Integer, nullable=False),  # 0: in force; 1, 2, …: the how manieth that was overridden
    Column("match_id", ForeignKey("attempts.match_id"), unique=True),
    Column("termination", _words(Termination, "termination"), nullable=False),
    Column("committed_unix_ms", BigInteger, nullable=False),
    Column("play_hash", LargeBinary),
    Column("record_hash", LargeBinary),
    ForeignKeyConstraint(["cup_id", "number"], ["scheduled_matches.cup_id", "scheduled_matches.number"]),
    UniqueConstraint("cup_id", "number", "redraw", "overridden"),
    CheckConstraint("(match_id IS NULL) = (play_hash IS NULL)", name="play_hash_if_played"),
    CheckConstraint("(match_id IS NULL) = (record_hash IS NULL)", name="record_hash_if_played"),
    CheckConstraint("length(play_hash) = 32", name="play_hash_bytes"),
    CheckConstraint("length(record_hash) = 32", name="record_hash_bytes"),
)

match_seats = Table(
    "match_seats",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("cup_id", Integer, nullable=False),
    Column("entrant", Integer, nullable=False),
    Column("place", Integer),
    Column("score", Integer),
    Column("forfeit_reason", _words(ForfeitReason, "forfeit_reason")),
    Column("forfeit_decisions_before", Integer),
    Column("forfeit_instant", Integer),
    Column("forfeit_was_ready", Boolean),
    Column("turns", Integer, nullable=False),
    Column("thinking_us", BigInteger, nullable=False),
    Column("host_us", BigInteger, nullable=False),
    ForeignKeyConstraint(["cup_id", "entrant"], ["entrants.cup_id", "entrants.number"]),
    CheckConstraint("place >= 1", name="place_from_1"),
    CheckConstraint(
        "(forfeit_reason IS NULL) = (forfeit_decisions_before IS NULL)"
        " AND (forfeit_reason IS NULL) = (forfeit_instant IS NULL)"
        " AND (forfeit_reason IS NULL) = (forfeit_was_ready IS NULL)",
        name="forfeit_whole",
    ),
)

# Apart from the matches, so that reading a page of them does not read their records.
records = Table(
    "records",
    metadata,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("record", LargeBinary, nullable=False),
)

standings = Table(
    "standings",
    metadata,
    Column("cup_id", ForeignKey("cups.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("rank", Integer, nullable=False),
    Column("entrant", Integer, nullable=False),
    Column("elo", Double, nullable=False),
    Column("elo_margin", Double),
    Column("sequential_elo", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("forfeits", Integer, nullable=False),
    Column("ms_per_turn", Double),
    ForeignKeyConstraint(["cup_id", "entrant"], ["entrants.cup_id", "entrants.number"]),
    UniqueConstraint("cup_id", "entrant"),
)

"""The first cup: cups and their schedules, attempts, matches, records and standings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "croupier_0001"
down_revision = None

ISOLATIONS = ("session", "process", "sandbox")
STATES = ("running", "committed", "interrupted", "aborted")
TERMINATIONS = ("normal", "forfeit", "aborted")
REASONS = ("timeout", "illegal_action", "disconnect", "crash", "not_ready", "resigned", "withdrawn")


def _words(name: str, words: tuple[str, ...]) -> sa.Enum:
    return sa.Enum(*words, name=name, native_enum=False, create_constraint=True, length=32)


def upgrade() -> None:
    """Makes all tables. Names of keys and constraints follow the naming convention of the metadata."""
    op.create_table(
        "cups",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("file", sa.LargeBinary, nullable=False),
        sa.Column("file_sha256", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("isolation", _words("isolation", ISOLATIONS), nullable=False),
        sa.Column("duplicate", sa.Boolean, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("created_unix_ms", sa.BigInteger, nullable=False),
        sa.Column("closed_unix_ms", sa.BigInteger),
        sa.Column("standings_blocks", sa.Integer, nullable=False),
        sa.UniqueConstraint("name"),
        sa.CheckConstraint("length(secret) = 32", name="secret_bytes"),
        sa.CheckConstraint("length(file_sha256) = 32", name="sha256_bytes"),
    )
    op.create_table(
        "entrants",
        sa.Column("cup_id", sa.Integer, sa.ForeignKey("cups.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("remote", sa.Boolean, nullable=False),
        sa.Column("token_hash", sa.LargeBinary),
        sa.Column("withdrawn_after", sa.Integer),
        sa.UniqueConstraint("cup_id", "name"),
        sa.CheckConstraint("length(token_hash) = 32", name="token_bytes"),
    )
    op.create_table(
        "blocks",
        sa.Column("cup_id", sa.Integer, sa.ForeignKey("cups.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("redraw", sa.Integer, nullable=False),
    )
    op.create_table(
        "scheduled_matches",
        sa.Column("cup_id", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("block", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["cup_id", "block"], ["blocks.cup_id", "blocks.number"]),
        sa.Index(None, "cup_id", "block"),
    )
    op.create_table(
        "attempts",
        sa.Column("match_id", sa.String, primary_key=True),
        sa.Column("cup_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("redraw", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("started_unix_ms", sa.BigInteger, nullable=False),
        sa.Column("state", _words("state", STATES), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["cup_id", "number"], ["scheduled_matches.cup_id", "scheduled_matches.number"]),
        sa.UniqueConstraint("cup_id", "number", "redraw", "attempt"),
        sa.Index(None, "cup_id", "state"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("cup_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("redraw", sa.Integer, nullable=False),
        sa.Column("overridden", sa.Integer, nullable=False),
        sa.Column("match_id", sa.String, sa.ForeignKey("attempts.match_id")),
        sa.Column("termination", _words("termination", TERMINATIONS), nullable=False),
        sa.Column("committed_unix_ms", sa.BigInteger, nullable=False),
        sa.Column("play_hash", sa.LargeBinary),
        sa.Column("record_hash", sa.LargeBinary),
        sa.ForeignKeyConstraint(["cup_id", "number"], ["scheduled_matches.cup_id", "scheduled_matches.number"]),
        sa.UniqueConstraint("match_id"),
        sa.UniqueConstraint("cup_id", "number", "redraw", "overridden"),
        sa.CheckConstraint("(match_id IS NULL) = (play_hash IS NULL)", name="play_hash_if_played"),
        sa.CheckConstraint("(match_id IS NULL) = (record_hash IS NULL)", name="record_hash_if_played"),
        sa.CheckConstraint("length(play_hash) = 32", name="play_hash_bytes"),
        sa.CheckConstraint("length(record_hash) = 32", name="record_hash_bytes"),
    )
    op.create_table(
        "match_seats",
        sa.Column("match", sa.Integer, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("cup_id", sa.Integer, nullable=False),
        sa.Column("entrant", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("score", sa.Integer),
        sa.Column("forfeit_reason", _words("forfeit_reason", REASONS)),
        sa.Column("forfeit_decisions_before", sa.Integer),
        sa.Column("forfeit_instant", sa.Integer),
        sa.Column("forfeit_was_ready", sa.Boolean),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("thinking_us", sa.BigInteger, nullable=False),
        sa.Column("host_us", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["cup_id", "entrant"], ["entrants.cup_id", "entrants.number"]),
        sa.CheckConstraint("place >= 1", name="place_from_1"),
        sa.CheckConstraint(
            "(forfeit_reason IS NULL) = (forfeit_decisions_before IS NULL)"
            " AND (forfeit_reason IS NULL) = (forfeit_instant IS NULL)"
            " AND (forfeit_reason IS NULL) = (forfeit_was_ready IS NULL)",
            name="forfeit_whole",
        ),
    )
    op.create_table(
        "records",
        sa.Column("match", sa.Integer, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "standings",
        sa.Column("cup_id", sa.Integer, sa.ForeignKey("cups.id"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("entrant", sa.Integer, nullable=False),
        sa.Column("elo", sa.Double, nullable=False),
        sa.Column("elo_margin", sa.Double),
        sa.Column("sequential_elo", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.Column("forfeits", sa.Integer, nullable=False),
        sa.Column("ms_per_turn", sa.Double),
        sa.ForeignKeyConstraint(["cup_id", "entrant"], ["entrants.cup_id", "entrants.number"]),
        sa.UniqueConstraint("cup_id", "entrant"),
    )

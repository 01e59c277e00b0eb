"""Alembic's entry: runs revisions on the connection, and in the transaction, that the store hands over."""

from __future__ import annotations

from alembic import context

from croupier_server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter a constraint in place
    transactional_ddl=True,  # on SQLite too, since the store begins its transactions itself
)
with context.begin_transaction():
    context.run_migrations()

"""When a block is over, so that its records may be read, and when it counts. SQL expressions over rows of `blocks`."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, or_

from croupier_server.store.rows import Termination
from croupier_server.store.schema import blocks, cups, matches, scheduled_matches

_scheduled = scheduled_matches.alias()
_outcome = matches.alias()


def _every_match_has(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether each match of the block has an outcome in force, at the current redraw, with these properties."""
    outcome = exists().where(
        _outcome.c.cup_id == _scheduled.c.cup_id,
        _outcome.c.number == _scheduled.c.number,
        _outcome.c.redraw == blocks.c.redraw,
        _outcome.c.overridden == 0,
        *conditions,
    )
    missing = exists().where(
        _scheduled.c.cup_id == blocks.c.cup_id,
        _scheduled.c.block == blocks.c.number,
        ~outcome.correlate(_scheduled, blocks),
    )
    return ~missing.correlate(blocks)


MATCH_IN_BLOCK = matches.join(scheduled_matches).join(blocks)
"""What a query selects from to use the expressions below."""

BLOCK_OVER: ColumnElement[bool] = or_(cups.c.closed_unix_ms.is_not(None), _every_match_has())
"""Nothing of the block will be played any more. The query must join `cups` too. Matches of earlier redraws wait for it
as well, since the seeds of their bots are those of the current one."""

BLOCK_COUNTS: ColumnElement[bool] = _every_match_has(_outcome.c.termination != Termination.ABORTED)
"""The block is complete."""

MATCH_CURRENT: ColumnElement[bool] = and_(matches.c.redraw == blocks.c.redraw, matches.c.overridden == 0)
"""The outcome is in force: not overridden, and its block not drawn anew since."""

MATCH_COUNTS: ColumnElement[bool] = and_(MATCH_CURRENT, BLOCK_COUNTS)
"""The match stands in the table."""

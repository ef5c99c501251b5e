"""Removing runs for good: from all tables and from the search index. The chain of hashes keeps a note that they were there."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from workbench.store import run_reader
from workbench.store.chain import REMOVED, Link, append_links
from workbench.store.choose_database import index_of
from workbench.store.schema import run_details, runs, toolsets

_OF = run_details.alias("of")

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection


def remove_runs(connection: Connection, ids: Sequence[str]) -> int:
    """Remove runs that are over; return how many there were. What only they needed goes with them, what others share stays."""
    gone = list[Link]()
    with_edits = [one for run_id in ids for one in (*_edits(connection, run_id), run_id)]
    for run_id in dict.fromkeys(with_edits):
        digest = run_reader.digest_of(connection, run_id)
        if digest is None:
            continue
        if digest.indexed:
            index_of(connection).remove(connection, digest.number, digest.texts())
        connection.execute(delete(runs).where(runs.c.number == digest.number))
        gone.append(Link(REMOVED, digest.number, run_id, 0, 0, 0, "", time.time_ns() // 1000))
    append_links(connection, gone)
    return len(gone)


def _edits(connection: Connection, run_id: str) -> Sequence[str]:
    """Ids of what was given in place of a run's reply: it stands under the run, and goes with it."""
    number = select(_OF.c.number).where(_OF.c.id == run_id).scalar_subquery()
    query = select(run_details.c.id).join(runs, runs.c.number == run_details.c.number).where(runs.c.edit_of == number)
    return connection.execute(query).scalars().all()


def remove_unshared(connection: Connection) -> int:
    """Remove tool sets that no run refers to any more; return how many."""
    used = select(run_details.c.toolset_id).where(run_details.c.toolset_id.is_not(None))
    return connection.execute(delete(toolsets).where(toolsets.c.id.not_in(used))).rowcount

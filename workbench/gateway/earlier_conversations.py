"""Conversations of before: made anew from the records, newest runs first, as far back as is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.gateway.client_exchange import ORIGIN
from workbench.gateway.conversations import Conversation, ExchangeSeen, ExchangeState
from workbench.gateway.exchange_facts import facts_of
from workbench.gateway.written_reply import EDITED_REPLY
from workbench.grading.incidents import incidents_of

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.store.rows import RunRow

MOST = 100
"""Runs that are read."""


def earlier_conversations(wb: Workbench, most: int = MOST) -> list[Conversation]:
    """Return the conversations that the newest recorded exchanges belong to, oldest first. Raise StoreError."""
    found: dict[str, Conversation] = {}
    for row in reversed(wb.store.list_runs(f"origin:{ORIGIN}", None, most)):
        seen = _exchange(wb, row)
        if seen is not None:
            name = seen.client.conversation
            conversation = found.pop(name, None) or Conversation(name)
            found[name] = conversation
            conversation.add(seen)
            conversation.counts.update(seen.counts)
    return list(found.values())


def _exchange(wb: Workbench, row: RunRow) -> ExchangeSeen | None:
    try:
        run = wb.store.load(row.id, chunks=False).summary()
        given = "" if row.edited is None else wb.store.find(row.edited).id
    except InvalidInput:  # removed meanwhile
        return None
    if run.started is None or run.started.client is None:
        return None
    seen = ExchangeSeen(
        row.id,
        run.started.client,
        run.started.target.label,
        run.started.title,
        run.started.started_us / 1e6,
        summary=None,
    )
    seen.state, seen.judged = ExchangeState.DONE, True
    seen.incidents, seen.facts = incidents_of(run, wb.check), facts_of(run)
    seen.given_run_id = given
    seen.said = ", ".join((*run.started.client.by_hand, EDITED_REPLY) if given else run.started.client.by_hand)
    return seen

"""Conversations of before: made anew from the records, newest runs first, as far back as is wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.gateway.by_hand import EDITED_REPLY
from workbench.gateway.conversations import Conversation, ExchangeSeen, ExchangeState
from workbench.gateway.exchange import ORIGIN
from workbench.gateway.exchange_facts import facts_of
from workbench.grading.incidents import incidents_of

if TYPE_CHECKING:
    from workbench.app import Workbench

MOST = 100
"""Runs that are read."""


def earlier_conversations(wb: Workbench, most: int = MOST) -> list[Conversation]:
    """Return the conversations that the newest recorded exchanges belong to, oldest first. Raise StoreError."""
    found: dict[str, Conversation] = {}
    for row in reversed(wb.store.list_runs(f"origin:{ORIGIN}", None, most)):
        seen = _exchange(wb, row.id)
        if seen is not None:
            name = seen.client.conversation
            conversation = found.pop(name, None) or Conversation(name)
            found[name] = conversation
            if (model := _edited(conversation, seen)) is not None:
                model.given_run_id, model.said = seen.run_id, seen.said
                continue
            conversation.add(seen)
            conversation.counts.update(seen.counts)
    return list(found.values())


def _edited(conversation: Conversation, seen: ExchangeSeen) -> ExchangeSeen | None:
    """The exchange whose reply a person edited: the run of what was given follows the model's, and asks for the same."""
    *before, last = seen.client.by_hand or ("",)
    if last != EDITED_REPLY:
        return None
    asked = replace(seen.client, by_hand=tuple(before))
    here = (one for one in reversed(conversation.exchanges) if one.client == asked and not one.given_run_id)
    return next(here, None)


def _exchange(wb: Workbench, run_id: str) -> ExchangeSeen | None:
    try:
        run = wb.store.load(run_id, chunks=False).summary()
    except InvalidInput:  # removed meanwhile
        return None
    if run.started is None or run.started.client is None:
        return None
    seen = ExchangeSeen(
        run_id,
        run.started.client,
        run.started.target.label,
        run.started.title,
        run.started.started_us / 1e6,
        summary=None,
    )
    seen.state, seen.judged = ExchangeState.DONE, True
    seen.incidents, seen.facts = incidents_of(run, wb.check), facts_of(run)
    seen.said = ", ".join(run.started.client.by_hand)
    return seen

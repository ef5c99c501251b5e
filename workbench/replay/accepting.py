"""Taking today's verdict of a recorded run over, by a deliberate act. What was recorded stays; the verdict is one more event."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from workbench.core.events import VerdictGiven
from workbench.core.versions import PARSER_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.events import RunEvent
    from workbench.core.verdict import Verdict
    from workbench.replay.result import Replayed
    from workbench.store import Store

AUTHOR = f"re-parse, parser {PARSER_VERSION}"
"""Who gave such a verdict: the parser whose readings were accepted."""
NOT_LIVE = ("parse", "offline")
"""Modes whose verdict is one of the recorded replies; a live replay is a run of its own."""


def can_accept(mode: str, after: Verdict | None) -> bool:
    """Whether there is a verdict that may be taken over."""
    return after is not None and mode in NOT_LIVE


def accept(store: Store, found: Iterable[tuple[str, Verdict]]) -> int:
    """Give runs, by id, today's verdict; return how many. Raise StoreError."""
    done = 0
    for run_id, verdict in found:
        store.record(run_id, [VerdictGiven(verdict, AUTHOR, time.time_ns() // 1000)])
        done += 1
    return done


def accept_replayed(store: Store, item: Replayed) -> bool:
    """Take over what a replay found; say whether there was anything."""
    if item.after is None or item.verdict == "same" or not can_accept(item.mode, item.after):
        return False
    return bool(accept(store, [(item.run_id, item.after)]))


def is_accepted(events: Iterable[RunEvent]) -> bool:
    """Whether today's parser was accepted for a run: what it reads differently is no news."""
    given = [event for event in events if isinstance(event, VerdictGiven)]
    return bool(given) and given[-1].author == AUTHOR

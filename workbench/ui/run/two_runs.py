"""Two recorded runs side by side, wherever somebody has them in hand."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from workbench.replay.difference import MISSING
from workbench.replay.rundiff import compare_runs
from workbench.ui.run.diff_rows import DiffLine, DiffSide
from workbench.ui.run.diff_view import RunDiff

if TYPE_CHECKING:
    from workbench.replay.difference import Change
    from workbench.replay.rundiff import RunDifference
    from workbench.store import StoredRun
    from workbench.ui.bridge.page import Shell


async def open_diff(shell: Shell, first: str, second: str) -> RunDiff:
    """Load two runs and show where they differ, in a window that is not modal; raise InvalidInput."""
    store = shell.wb.store
    one, other = await asyncio.to_thread(store.load, first), await asyncio.to_thread(store.load, second)
    found = await asyncio.to_thread(compare_runs, one, other)
    dialog = RunDiff((_side(one), _side(other)), found.word, diff_lines(found), found.folded, shell.window)
    dialog.show()
    return dialog


def diff_lines(found: RunDifference) -> list[DiffLine]:
    """All places, what was asked first."""
    return [
        *(_line(change, asked=True) for change in found.asked.changes),
        *(_line(change) for change in found.came.changes),
    ]


def _line(change: Change, *, asked: bool = False) -> DiffLine:
    return DiffLine(change.path, change.kind, _text(change.before), _text(change.after), asked)


def _text(value: object) -> str:
    if value is MISSING:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _side(stored: StoredRun) -> DiffSide:
    run = stored.run
    where = f"{run.provider} / {run.model} · {run.format} · {run.mode}{' · simulated' if run.simulated else ''}"
    return DiffSide(run.number, run.verdict.state.value, run.title or run.prompt, where)

"""A progress bar with time left on stderr, where somebody is looking; silence in a pipe."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress(label: str, total: int | None, *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a bar while the block runs; call what is given with the number of things done since the last call."""
    if hidden or not sys.stderr.isatty() or (total is not None and total < 2):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    # results that go to the same terminal are put above the bar; those that go to a file or a pipe are left alone
    above = sys.stdout.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=above) as bar:
        task = bar.add_task(label, total=total)
        yield lambda count: bar.advance(task, count)

"""A batch that ends whoever counts it, once nobody waits for the result: reports of 50,000 runs take long."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.core.batch import Batch, BatchItem


class _Items(tuple["BatchItem", ...]):
    """Items that look before each one whether to go on. Every form of a report walks through them again and again."""

    stop: Callable[[], bool]

    def __iter__(self) -> Iterator[BatchItem]:
        for item in super().__iter__():
            if self.stop():
                raise Stopped
            yield item


def stoppable(batch: Batch, stop: Callable[[], bool]) -> Batch:
    """The same batch; walking through its items raises `Stopped` once `stop` says so."""
    items = _Items(tuple.__iter__(batch.items))
    items.stop = stop
    return replace(batch, items=items)

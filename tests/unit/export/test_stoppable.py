from __future__ import annotations

import pytest

from tests.kit.batches import batch
from workbench.core.errors import Stopped
from workbench.export.batch_exports import KINDS, export_batch
from workbench.export.stoppable import stoppable

MADE = batch({"good": ["ss", "sf"], "bad": ["ff", "fs"]})


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_ends_when_nobody_waits_for_it(kind: str) -> None:
    looks: list[int] = []

    def stop() -> bool:
        looks.append(1)
        return len(looks) > 3

    with pytest.raises(Stopped):
        export_batch(kind, stoppable(MADE, stop))
    assert len(looks) == 4


def test_a_batch_that_nobody_stops_is_the_same() -> None:
    made = stoppable(MADE, lambda: False)
    assert made == MADE
    assert made.items[1:3] == MADE.items[1:3]
    assert export_batch("csv", made) == export_batch("csv", MADE)

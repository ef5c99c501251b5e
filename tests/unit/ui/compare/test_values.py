from __future__ import annotations

from workbench.ui.compare.values import (
    BatchChoice,
)


def test_an_unfinished_batch_offers_to_go_on() -> None:
    assert BatchChoice("id", "demo", "", 37, 1200, True).resume_words == "Resume 37 of 1,200"

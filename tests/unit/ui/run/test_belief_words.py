"""Ways of cutting that the scrubber offers."""

from __future__ import annotations

from workbench.ui.run.belief_words import CUTS


def test_cuts_begin_as_received_and_end_with_none() -> None:
    sizes = [size for _, size in CUTS]
    assert sizes == [None, 1, 4, 16, 64, 0]
    assert len({title for title, _ in CUTS}) == len(CUTS)

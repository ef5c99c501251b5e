from __future__ import annotations

from pathlib import Path

import pytest

from workbench.cases.baselines import FILE, pin, pinned, pins_of
from workbench.core.errors import InvalidInput


def test_a_pin_stays_until_it_is_moved_and_the_ones_before_are_kept(tmp_path: Path) -> None:
    first = pin(tmp_path, "mine", "b1", "release 1")
    assert pinned(tmp_path, "mine") == first
    with pytest.raises(InvalidInput, match="has the baseline b1"):
        pin(tmp_path, "mine", "b2")
    moved = pin(tmp_path, "mine", "b2", move=True)
    assert pins_of(tmp_path, "mine") == (first, moved)
    assert pinned(tmp_path, "mine").batch == "b2"
    assert first.note == "release 1"
    assert first.pinned.endswith("Z")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no pinned baseline"):
        pinned(tmp_path, "mine")
    with pytest.raises(InvalidInput, match="to be moved"):
        pin(tmp_path, "mine", "b1", move=True)


@pytest.mark.parametrize("text", ["[", "[]", '{"mine": [{}]}'])
def test_a_broken_file_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(InvalidInput, match="cannot be read"):
        pins_of(tmp_path, "mine")

from __future__ import annotations

import pytest

from workbench.core.errors import UnknownName
from workbench.scan.opened import Opened
from workbench.scan.readers.table import READERS, reader_row, recognised, tried


def test_every_row_has_its_two_functions() -> None:
    for row in READERS:
        assert row.recognise(Opened("nothing")) is False
        assert callable(row.read)


def test_kinds_are_told_apart_by_one_name() -> None:
    assert len({row.kind for row in READERS}) == len(READERS)
    assert reader_row("har").title == "HTTP archive"
    with pytest.raises(UnknownName, match="Did you mean 'har'"):
        reader_row("haar")


def test_what_is_not_known_is_told_with_what_was_tried() -> None:
    assert recognised(Opened("A plain sentence."), named=True) is None
    assert "HTTP archive" in tried()
    assert "conversation" not in tried(named=False)

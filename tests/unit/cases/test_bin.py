from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.cases.bin import BIN, binned, from_bin, to_bin
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path


def test_a_case_goes_to_the_bin_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "mine" / "one.yaml"
    path.parent.mkdir()
    path.write_text("first", "utf-8")
    away = to_bin(tmp_path, path)
    assert away == tmp_path / BIN / "mine" / "one.yaml"
    path.write_text("second", "utf-8")
    second = to_bin(tmp_path, path)
    assert second.name == "one-2.yaml"
    assert binned(tmp_path) == [second, away]
    assert from_bin(away, path).read_text("utf-8") == "first"
    assert from_bin(second, path).name == "one-2.yaml"
    assert binned(tmp_path) == []
    with pytest.raises(InvalidInput, match="cannot be moved"):
        to_bin(tmp_path, tmp_path / "mine" / "none.yaml")

from __future__ import annotations

from workbench.imports.items import LeftOut, ReadOptions


def test_nothing_is_known_unless_said() -> None:
    assert ReadOptions().known("suite") == {}
    assert LeftOut("x") == LeftOut("x")

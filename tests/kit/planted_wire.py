"""The invented wire of docs/new-wire.md, in a package of its own."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from tests.kit.tree import ROOT
from workbench.wires import table
from workbench.wires.table import OfferedIn, WireRow

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PAGE = ROOT / "docs" / "new-wire.md"


def plant(folder: Path, patch: pytest.MonkeyPatch) -> WireRow:
    """Write the page's blocks into a package and put its row into the table, until the test ends."""
    text = PAGE.read_text(encoding="utf-8")
    client, server = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (row,) = (tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL))
    package = folder / "planted_wires"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "parley.py").write_text(client, encoding="utf-8")
    (package / "parley_server.py").write_text(server, encoding="utf-8")
    patch.syspath_prepend(str(folder))
    made = WireRow(
        row["id"],
        row["title"],
        f"planted_wires.{row['client']}",
        frozenset(OfferedIn(place) for place in row["offered"]),
        row["native"],
        row["images"],
        server=f"planted_wires.{row['server']}",
        paths=tuple(row["paths"]),
    )
    patch.setattr(table, "WIRES", (*table.WIRES, made))
    return made

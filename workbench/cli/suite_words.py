"""A batch in short words, the same on the terminal and in files."""

from __future__ import annotations

import math
from string import ascii_uppercase
from typing import TYPE_CHECKING

from workbench.cli.output import LOOKS
from workbench.grading.honesty import CellState

if TYPE_CHECKING:
    from workbench.grading.matrix import Cell


def letter(target: int) -> str:
    """A target's short name: A to Z, then AA, AB, …"""
    first, last = divmod(target, 26)
    return (letter(first - 1) if first else "") + ascii_uppercase[last]


def percent(share: float) -> str:
    """`72 %`."""
    return f"{math.floor(100 * share + 0.5)} %"


def cell_text(cell: Cell) -> str:
    """`◐ 7/10 40–89`; without a rate, the state in words."""
    look = LOOKS.get(cell.state.value)
    if cell.state is CellState.NOT_ASKED:
        return "not asked"
    assert look is not None
    if not cell.rate.runs:
        clean = f" {cell.clean.passed}/{cell.clean.runs} clean" if cell.clean.runs else ""
        return f"{look}{clean}"
    bounds = "too few" if cell.rate.too_few else f"{100 * cell.interval.low:.0f}–{100 * cell.interval.high:.0f}"
    errors = f" +{cell.errors} {LOOKS['error'].shape}" if cell.errors else ""
    return f"{look.shape} {cell.text} {bounds}{errors}"

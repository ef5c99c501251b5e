"""What the chunk scrubber shows: the reply's chunks, what the parser believed after one, and how other cuts compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.core.calls import Region


class TapeLine(NamedTuple):
    """One chunk on the scrubber."""

    size: int
    """Characters that it brought; the bar's height."""
    time: str
    """`0.655 s`; empty where the cut is not the recorded one."""


class BeliefWords(NamedTuple):
    """One moment."""

    text: str
    """What the parser had seen, or its end."""
    regions: tuple[Region, ...]
    skipped: int
    """Characters before `text` that are not shown."""
    state: str
    calls: int
    problems: int
    held: int
    progress: str
    """The call under way, or the last one given out."""


class ParityWords(NamedTuple):
    """One line of the list of other cuttings."""

    name: str
    word: str
    """`equal`, or how many differ."""
    equal: bool
    tip: str = ""
    """Where the first difference is."""


CUTS: tuple[tuple[str, int | None], ...] = (
    (tr("as received"), None),
    (tr("1 character each"), 1),
    (tr("4 characters each"), 4),
    (tr("16 characters each"), 16),
    (tr("64 characters each"), 64),
    (tr("one text"), 0),
)
"""Ways of cutting that can be played: title and size; None: the recorded chunks, 0: no cut."""

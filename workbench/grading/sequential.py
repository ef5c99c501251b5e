"""Run until decided: looking at the results while they come in, without more false findings than promised.

The rule is fixed beforehand and known by two numbers, the level and the looks so far. The k-th look may spend
level / (k (k + 1)); all of them together spend at most the level, however many there are (the sum telescopes), by the
union bound and whatever the looks have in common. Its price: later looks want a clearer result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.grading.paired import LEVEL, Word

if TYPE_CHECKING:
    from workbench.grading.paired import PairedDifference

RULE = "the k-th look decides at {level:g} / (k (k + 1))"


def look_level(look: int, level: float = LEVEL) -> float:
    """Return the level of a look, counted from 1; raise ValueError for an earlier one."""
    if look < 1:
        raise ValueError(f"looks are counted from 1, not {look}")
    return level / (look * (look + 1))


def planned_level(look: int, looks: int, level: float = LEVEL) -> float:
    """Return the level of a look where their number is fixed beforehand; raise ValueError for one outside.

    Half of the level is spent as above, for what is plain early, and half on all looks alike, for what takes them all.
    """
    if look > looks:
        raise ValueError(f"look {look} of {looks}")
    return (look_level(look, level) + level / looks) / 2


def decided(found: PairedDifference | None, look: int, level: float = LEVEL) -> Word | None:
    """Return the word that ends the run at this look; None: go on."""
    if found is None:
        return None
    word = found.at(look_level(look, level)).word
    return None if word is Word.CANNOT_TELL else word


def rule(level: float = LEVEL) -> str:
    """Return the rule in words, to be printed with every result that came by it."""
    return RULE.format(level=level)

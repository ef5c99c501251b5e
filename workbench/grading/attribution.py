"""Why a target fails: every failure laid to the layer where it went wrong first, the largest share first (Pareto)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.core.verdict import LAYERS, VerdictState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.batch import Batch, BatchItem

UNTOLD = "grader"
"""The layer of a failure that nobody gave a code: the judge owes the reason."""


class LayerShare(NamedTuple):
    """Failures of one layer."""

    layer: str
    failed: int
    failures: int
    """All failures of the target."""
    codes: tuple[tuple[str, int], ...]
    """What exactly, the most frequent first."""
    runs: tuple[str, ...]
    """Ids of the failed runs, in the batch's order; a run that could not be started has none."""
    cases: tuple[tuple[str, int], ...]
    """Where, the case with most of them first."""
    errors: int = 0
    """Those of `failures` that ended in an error of the provider or on the way: they are left out of the rates."""

    @property
    def share(self) -> float:
        """Of all failures of the target."""
        return self.failed / self.failures


def layer_of(item: BatchItem) -> tuple[str, str] | None:
    """Layer and code of a failed or errored run, by its most important code; None where it did not fail."""
    if item.state is not ItemState.DONE or item.result is None:
        return None
    verdict = item.result.verdict
    if verdict.state not in (VerdictState.FAIL, VerdictState.ERROR):
        return None
    code = verdict.codes[0] if verdict.codes else ""
    layer = code.partition(".")[0]
    return (layer, code) if layer in LAYERS else (UNTOLD, code or f"{UNTOLD}.no_code")


def pareto(batch: Batch, target: int) -> tuple[LayerShare, ...]:
    """Each failure counts once; layers with most failures first, alike ones in the order of the layers."""
    return shares(item for item in batch.items if item.target == target)


def shares(items: Iterable[BatchItem]) -> tuple[LayerShare, ...]:
    """The same of any runs."""
    found = [(item, *where) for item in items if (where := layer_of(item)) is not None]
    by_layer = Counter(layer for _, layer, _ in found)
    errors = sum(item.result is not None and item.result.verdict.state is VerdictState.ERROR for item, *_ in found)
    made = []
    for layer in sorted(by_layer, key=lambda name: (-by_layer[name], LAYERS.index(name))):
        here = [(item, code) for item, at, code in found if at == layer]
        made.append(
            LayerShare(
                layer, len(here), len(found),
                tuple(Counter(code for _, code in here).most_common()),
                tuple(item.run_id for item, _ in here if item.run_id),
                tuple(Counter(item.case_id for item, _ in here).most_common()),
                errors,
            )
        )  # fmt: skip
    return tuple(made)


def failed_and_errors(found: Sequence[LayerShare]) -> tuple[int, int]:
    """Runs that failed, and runs that ended in an error: these are no failures of the rates."""
    return (found[0].failures - found[0].errors, found[0].errors) if found else (0, 0)

"""The answer before the table: which endpoint serves the model worse than its reference, in what, and where that points.

A sentence for each candidate. Metrics are named and counted, never pooled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.verify.common_faults import narrowed
from workbench.verify.judgement import Judgement
from workbench.verify.verdict_words import letter, settle_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.verify.judgement import Result, Verdicts
    from workbench.verify.verification import Verification

_NAMED = 4
_POINTERS = ("Points to ", "another chat template")
"""Parts of a narrowing sentence that name a cause."""


def answer_lines(found: Verification, judged: Verdicts) -> list[str]:
    """A sentence for each candidate, in their order; nothing before a pair has come."""
    if not found.complete:
        return []
    return [_candidate(found, judged, at) for at in range(len(found.candidates))]


def _candidate(found: Verification, judged: Verdicts, at: int) -> str:
    results, name = judged.results[at], letter(at)
    failed = [result for result in results if result.judgement is Judgement.FAIL]
    still = sum(result.judgement is Judgement.INCONCLUSIVE for result in results)
    asked = sum(result.judgement is not None for result in results)
    if failed:
        head = f"{name} serves {found.model} worse than the reference."
        return " ".join((head, *_pointers(found, failed), f"Failing: {_titles(failed)}."))
    if not asked:
        return f"{name}: nothing could be judged."
    if not still:
        return f"{name} serves {found.model} as the reference does, within the limits: all {asked} metrics pass."
    metrics = f"{still} of {asked} metrics {'is' if still == 1 else 'are'} open"
    settle = settle_words(judged, at)
    return f"{name}: nothing failed; {metrics}{f', {settle}' if settle else ''}."


def _titles(failed: Sequence[Result]) -> str:
    shown = [result.metric.title for result in failed[:_NAMED]]
    if len(failed) > _NAMED:
        return f"{', '.join(shown)} and {len(failed) - _NAMED} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _pointers(found: Verification, failed: Sequence[Result]) -> list[str]:
    """What the failures point to, each once."""
    causes = [narrowed(result.metric, found.pairs, result.candidate) for result in failed]
    parts = [f"{part.rstrip('.')}." for cause in causes for part in _sentences(cause)]
    return list(dict.fromkeys(part for part in parts if any(word in part for word in _POINTERS)))


def _sentences(text: str) -> list[str]:
    return text.replace(". ", ".\n").split("\n") if text else []

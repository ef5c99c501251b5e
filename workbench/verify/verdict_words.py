"""Numbers and verdicts in words: values in their units, and the sentence that says who does what, by how much, and how sure."""

from __future__ import annotations

import math
from string import ascii_uppercase
from typing import TYPE_CHECKING

from workbench.verify.judgement import Judgement
from workbench.verify.metrics import Better, Kind, Metric

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.verify.judgement import Reference, Result, Verdicts

SIGNS = {Judgement.PASS: "●", Judgement.FAIL: "✕", Judgement.INCONCLUSIVE: "◇"}
NOT_ASKED = "–"


def letter(candidate: int) -> str:
    """A candidate's short name: A to Z, then A2, B2, …"""
    rounds, place = divmod(candidate, 26)
    return ascii_uppercase[place] + (str(rounds + 1) if rounds else "")


def value_words(metric: Metric, value: float | None) -> str:
    """`98.7 %`, `0.962`, `0.41 s`, `369 tokens`; a dash for nothing."""
    if value is None:
        return NOT_ASKED
    match metric.unit:
        case "%":
            return f"{100 * value:.1f} %"
        case "s":
            return f"{value:.2f} s"
        case "tokens":
            return f"{value:,.0f}"
        case "":
            return f"{value:.3f}"
        case _:
            return f"{value:#.3g}".removesuffix(".")


def limit_words(metric: Metric, limit: float | None) -> str:
    """What is allowed of a difference: `1.9 points`, `0.036`, `0.20 s`, `4 tokens`, `not known yet`."""
    if limit is None:
        return NOT_ASKED
    if math.isinf(limit):  # the reference was too seldom measured twice to have a noise
        return "not known yet"
    match metric.unit:
        case "%":
            return f"{100 * limit:.1f} points"
        case "s":
            return f"{limit:.2f} s"
        case "tokens":
            return f"{limit:,.0f} tokens"
        case "":
            return f"{limit:.3f}"
        case _:
            return f"{limit:#.3g}".removesuffix(".")


def difference_words(metric: Metric, difference: float | None) -> str:
    """With a sign and without a unit: `+6.8`, `−0.036`, `+187`; no bound is `∞`."""
    if difference is None:
        return NOT_ASKED
    if math.isinf(difference):
        return "+∞" if difference > 0 else "−∞"
    match metric.unit:
        case "%":
            text = f"{100 * difference:+.1f}"
        case "s":
            text = f"{difference:+.2f}"
        case "tokens":
            text = f"{difference:+,.0f}"
        case "":
            text = f"{difference:+.3f}"
        case _:
            text = f"{difference:+#.3g}".removesuffix(".")
    return ("0" if not float(text.replace(",", "")) and not difference else text).replace("-", "−")


def unit_words(metric: Metric) -> str:
    """The unit of a difference."""
    return {"%": "points", "s": "s", "tokens": "tokens", "": ""}.get(metric.unit, metric.unit)


def span_words(result: Result) -> str:
    """The interval that decided: `95 %: +4.3 to +9.7`."""
    share = f"{100 * (1 - result.level):.4g} %"
    low, high = (difference_words(result.metric, end) for end in (result.low, result.high))
    return f"{share}: {low} to {high}"


def sentence(result: Result, reference: Reference | None, name: str) -> str:
    """Who does what, by how much, how sure, and within which limit; empty for what is not judged."""
    if result.judgement is None:
        return result.reason and f"{result.metric.title}: {result.reason}."
    if result.reason.startswith("decided by the value"):
        limit = value_words(result.metric, result.threshold)
        return f"{name} has {value_words(result.metric, result.value)}, and {limit} is demanded; {result.reason}."
    if result.limit is None:
        return f"{name} against the reference: cannot tell, since {result.reason}."
    absolute = result.threshold is not None and not result.limit and result.metric.kind in (Kind.SHARE, Kind.RELATION)
    if absolute:
        return _own_value(result, name)
    unit = unit_words(result.metric)
    by = f"{difference_words(result.metric, result.difference).lstrip('+')} {unit}".strip()
    limit = limit_words(result.metric, result.limit)
    match result.judgement:
        case Judgement.FAIL:
            head = f"{name} {result.metric.worse} than {_held_against(result.metric)}"
            moved = _signed(result) if result.metric.better is Better.SAME else f"by {by}"
            return f"{head}: {moved} ({span_words(result)}), limit {limit}. {counts_words(result, reference)}".strip()
        case Judgement.PASS:
            bound = (
                f"{name} differs from the reference by no more than {limit}"
                if result.metric.better is Better.SAME
                else f"{name} is not worse than the reference by more than {limit}"
            )
            return f"{bound}: {_signed(result)} ({span_words(result)})."
        case Judgement.INCONCLUSIVE:
            return f"{name} against the reference: cannot tell, {_signed(result)} ({span_words(result)}), limit {limit}. {further_words(result)}"


def _own_value(result: Result, name: str) -> str:
    least = result.metric.better is Better.HIGH
    demanded = f"{'at least' if least else 'at most'} {value_words(result.metric, result.threshold)}"
    low, high = sorted(_values(result))
    span = f"{100 * (1 - result.level):.4g} %: {value_words(result.metric, low)} to {value_words(result.metric, high)}"
    head = f"{name} has {value_words(result.metric, result.value)} ({span}), {demanded} is demanded"
    return f"{head}. {further_words(result)}" if result.judgement is Judgement.INCONCLUSIVE else f"{head}."


def _values(result: Result) -> tuple[float, float]:
    """The interval as values of the candidate's own."""
    edge = result.threshold or 0.0
    sign = -1 if result.metric.better is Better.HIGH else 1
    return edge + sign * result.low, edge + sign * result.high


def _signed(result: Result) -> str:
    return f"{difference_words(result.metric, result.difference)} {unit_words(result.metric)}".strip()


def _held_against(metric: Metric) -> str:
    """Of a relation it is the reference's own second measurement that a candidate is held against."""
    return "the reference's own repeat" if metric.kind is Kind.RELATION else "the reference"


def counts_words(result: Result, reference: Reference | None) -> str:
    """`28 of 400 against 1 of 400, same requests.`; empty for quantities."""
    if result.metric.kind not in (Kind.SHARE, Kind.RELATION) or not result.replies:
        return ""
    own = f"{result.faults} of {result.replies} replies"
    if reference is None or not reference.replies:
        return f"{own}."
    return f"{own} against {reference.faults} of {reference.replies} of the reference, same requests."


def further_words(result: Result) -> str:
    """What would decide."""
    told = f"{result.reason[0].upper()}{result.reason[1:]}. " if result.reason else ""
    if result.further:
        return f"{told}About {more_pairs(result.further)} would decide."
    return told.strip() or "No affordable number of pairs like these would decide."


def more_pairs(count: int) -> str:
    """`1 more pair`, `910 more pairs`."""
    return f"{count:,} more pair{'' if count == 1 else 's'}"


def settle_words(found: Verdicts, candidate: int) -> str:
    """What would decide the open metrics: `about 910 more pairs would decide`, and how many where not all; else empty."""
    further = found.further(candidate)
    if not further:
        return ""
    able = sum(result.further is not None for result in found.results[candidate])
    still = found.counts(candidate)[Judgement.INCONCLUSIVE]
    return f"about {more_pairs(further)} would decide{'' if able == still else f' {able} of {still}'}"


def count_words(found: Verdicts, candidate: int) -> str:
    """`10 pass, 2 fail, 1 inconclusive: about 910 more pairs would decide`; never one number for all."""
    counts = found.counts(candidate)
    told = ", ".join(f"{counts[judgement]} {judgement.value}" for judgement in Judgement)
    settle = settle_words(found, candidate)
    return f"{told}: {settle}" if settle else told


def cell_words(result: Result) -> str:
    """A verdict with the value: `✕ FAIL 7.0 %`; a dash and the value where nothing is judged."""
    value = value_words(result.metric, result.value)
    if result.metric.better is Better.SAME and result.difference is not None:
        value = difference_words(result.metric, result.difference)
    if result.judgement is None:
        return NOT_ASKED if result.value is None else value
    return f"{SIGNS[result.judgement]} {result.judgement.word} {value}"


def shown(results: Iterable[Result]) -> bool:
    """Whether a metric has anything to show for any candidate."""
    return any(result.value is not None for result in results)

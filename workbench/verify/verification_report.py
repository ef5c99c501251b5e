"""A verification as one JSON document, and as Markdown. Metrics are listed one by one; there is no score."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from workbench.grading.sequential import rule
from workbench.verify.answer import answer_lines
from workbench.verify.common_faults import faulty_pairs, narrowed
from workbench.verify.judgement import Judgement
from workbench.verify.metrics import Better, Kind
from workbench.verify.policy import policy_to_document
from workbench.verify.verdict_words import (
    cell_words,
    count_words,
    letter,
    limit_words,
    sentence,
    shown,
    value_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.verify.judgement import Reference, Result, Verdicts
    from workbench.verify.verification import EndpointSeen, Verification

_MOST_PAIRS = 200
"""Numbers of faulty pairs that a document lists for one metric."""


def verification_json(found: Verification, judged: Verdicts) -> dict[str, Any]:
    """The verification as one document; `low`, `high` and `threshold` are values of the candidate's own."""
    return {
        "verification": found.id or None,
        "model": found.model,
        "requests": found.source,
        "pairs": {"planned": found.planned, "complete": found.complete},
        "seed": found.seed,
        "state": found.state.value,
        "policy": policy_to_document(found.policy),
        "level": judged.level,
        "comparisons": judged.comparisons,
        "looks": found.looks or 1,
        "answer": answer_lines(found, judged),
        "cost": _number(found.cost),
        "reference": {
            **_endpoint(found.reference),
            "measured": found.measured,
            "metrics": [_reference(one) for one in judged.references if one.value is not None],
        },
        "candidates": [
            {
                **_endpoint(candidate),
                "letter": letter(number),
                "counts": {judgement.value: count for judgement, count in judged.counts(number).items()},
                "further_pairs": judged.further(number),
                "metrics": [_result(found, judged, result) for result in judged.results[number]
                            if result.value is not None],
            }
            for number, candidate in enumerate(found.candidates)
        ],
    }  # fmt: skip


def _endpoint(seen: EndpointSeen) -> dict[str, Any]:
    return {
        "target": seen.label,
        "protocol": seen.wire or None,
        "simulated": seen.simulated,
        "served": list(seen.served),
        "requests": seen.replies,
        "errors": seen.errors,
    }


def _reference(one: Reference) -> dict[str, Any]:
    return {
        "name": one.metric.id,
        "value": _number(one.value),
        "noise": _number(one.noise),
        "low": _number(one.low),
        "high": _number(one.high),
        "faults": one.faults,
        "replies": one.replies,
        "verdict": one.judgement.value if one.judgement else None,
    }


def _result(found: Verification, judged: Verdicts, result: Result) -> dict[str, Any]:
    reference = reference_of(judged, result)
    low, high = own_interval(result)
    faults = faulty_pairs(result.metric, found.pairs, result.candidate)
    return {
        "name": result.metric.id,
        "value": _number(result.value),
        "low": _number(low),
        "high": _number(high),
        "threshold": _number(result.threshold),
        "verdict": result.judgement.value if result.judgement else None,
        "difference": {
            "value": _number(result.difference),
            "low": _number(result.low),
            "high": _number(result.high),
            "limit": _number(result.limit),
            "level": result.level,
        },
        "faults": result.faults,
        "replies": result.replies,
        "further_pairs": result.further,
        "sentence": sentence(result, reference, letter(result.candidate)),
        "cause": narrowed(result.metric, found.pairs, result.candidate) or None,
        "faulty_pairs": [pair.number for pair in faults[:_MOST_PAIRS]],
    }


def reference_of(judged: Verdicts, result: Result) -> Reference | None:
    """The reference's side of a result."""
    return next((one for one in judged.references if one.metric.id == result.metric.id), None)


def own_interval(result: Result) -> tuple[float, float]:
    """The interval that decided, moved onto the candidate's own value."""
    if result.value is None or result.difference is None:
        return -math.inf, math.inf
    if result.metric.better is Better.HIGH:
        return result.value + result.difference - result.high, result.value + result.difference - result.low
    return result.value - result.difference + result.low, result.value - result.difference + result.high


def _number(value: float | None) -> float | None:
    return None if value is None or math.isinf(value) else round(value, 6)


def verification_markdown(found: Verification, judged: Verdicts) -> str:
    """Endpoints, the table of metrics, a sentence for each that is not passed, and how it was done."""
    heads = [f"{letter(number)}" for number in range(len(found.candidates))]
    lines = [
        f"# Verification of {_plain(found.model)}",
        "",
        "| | endpoint | protocol | requests | errors |",
        "|---|---|---|---|---|",
    ]
    lines += [_endpoint_line("R", found.reference)]
    lines += [_endpoint_line(head, one) for head, one in zip(heads, found.candidates, strict=True)]
    lines += ["", *(f"{line}  " for line in answer_lines(found, judged))]
    lines += ["", f"| metric | reference | limit | {' | '.join(heads)} |", "|---|---|---|" + "---|" * len(heads)]
    for place, reference in enumerate(judged.references):
        results = [row[place] for row in judged.results]
        if shown(results):
            cells = " | ".join(cell_words(result) for result in results)
            lines.append(
                f"| {reference.metric.title} | {value_words(reference.metric, reference.value)} | {limit_of(results)} | {cells} |"
            )
    lines += [
        f"| **verdicts** | {itself_words(judged)} | | {' | '.join(count_words(judged, at) for at in range(len(heads)))} |",
        "",
    ]
    lines += [f"- {line}" for line in told_lines(found, judged)]
    lines += ["", *(f"{line}  " for line in footer(found, judged))]
    return "\n".join(lines) + "\n"


def limit_of(results: Sequence[Result]) -> str:
    """The limit of a metric, the same for all candidates: `1.9 points`, or `≥ 0.730` of their own value."""
    found = next((result for result in results if result.limit is not None), None)
    if found is None:
        return "–"
    if found.threshold is not None and not found.limit and found.metric.kind in (Kind.SHARE, Kind.RELATION):
        return f"{'≥' if found.metric.better is Better.HIGH else '≤'} {value_words(found.metric, found.threshold)}"
    return limit_words(found.metric, found.limit)


def _endpoint_line(head: str, seen: EndpointSeen) -> str:
    label = _plain(seen.label) + (" (simulated)" if seen.simulated else "")
    return f"| {head} | {label} | {seen.wire} | {seen.replies} | {seen.errors or ''} |"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def itself_words(judged: Verdicts) -> str:
    """How many metrics the reference passes against itself: `itself: 13 of 13`."""
    asked = [one.judgement for one in judged.references if one.judgement is not None]
    return f"itself: {asked.count(Judgement.PASS)} of {len(asked)}"


def told_lines(found: Verification, judged: Verdicts) -> list[str]:
    """A sentence for each metric that failed or is open, failures first."""
    rows = [result for row in judged.results for result in row]
    failed = [result for result in rows if result.judgement is Judgement.FAIL]
    still = [result for result in rows if result.judgement is Judgement.INCONCLUSIVE]
    alike = Counter(result.reason for result in still if result.limit is None)
    shared = [reason for reason, count in alike.items() if count > 1]
    lines = []
    for result in (*failed, *(one for one in still if one.limit is not None or one.reason not in shared)):
        told = sentence(result, reference_of(judged, result), letter(result.candidate))
        cause = narrowed(result.metric, found.pairs, result.candidate)
        lines.append(f"{result.metric.title}: {told}" + (f" {cause}" if cause and result in failed else ""))
    return lines + [_together(reason, still) for reason in shared]


def _together(reason: str, still: Sequence[Result]) -> str:
    """What several metrics have in common, said once."""
    found = [one for one in still if one.limit is None and one.reason == reason]
    titles = list(dict.fromkeys(one.metric.title for one in found))
    names = sorted({one.candidate for one in found})
    who = " and ".join(letter(one) for one in names)
    return f"{', '.join(titles)}: {who} against the reference: cannot tell, since {reason}."


def footer(found: Verification, judged: Verdicts) -> list[str]:
    """How it was done, what was left out, and by which rule it was decided."""
    done = f"{found.complete} of {found.planned} pairs, interleaved; {found.reference.replies} + {sum(one.replies for one in found.candidates)} requests"
    left = f"{found.unanswered} unanswered, counted in request success alone" if found.unanswered else "all answered"
    lines = [f"{done}; {left}", f"policy: {found.policy.name}; requests: {found.source}; seed asked {found.seed}"]
    counted = "1 comparison has" if judged.comparisons == 1 else f"{judged.comparisons} comparisons share"
    lines.append(
        f"{counted} {100 * judged.level:.4g} % by Holm for FAIL; PASS is one-sided at the same; paired by request"
    )
    if found.looks:
        lines.append(f"look {found.looks}: {rule(found.policy.level)}")
    if found.cost:
        lines.append(f"cost, by the prices of that day: {found.cost:.4g}")
    if found.id:
        lines.append(f"verification {found.id}")
    return lines

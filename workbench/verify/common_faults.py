"""A second sentence below a verdict: what the faulty replies have in common that others have not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from workbench.verify.metrics import Kind, Metric, faulty
from workbench.verify.pairs import candidate_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.verify.observation import Observation
    from workbench.verify.pairs import Pair

_ENOUGH, _OTHERS = 3, 8
"""Faults before anything is said of them, and replies without any on the other side."""
_PARSER = frozenset(
    {"leaked_as_text", "finish_honest", "argument_streaming", "schema_accuracy", "parallel_kept", "trigger_recall"}
)


def narrowed(metric: Metric, pairs: Sequence[Pair], candidate: int) -> str:
    """One sentence that narrows the cause, or an empty text where nothing does."""
    if metric.id == "prompt_tokens":
        return _tokens(metric, pairs, candidate)
    if metric.kind not in (Kind.SHARE, Kind.RELATION):
        return ""
    replies = [(pair, own, _is_faulty(metric, pair, own)) for pair in pairs
               if (own := pair.candidates[candidate]) is not None and _says(metric, pair, own)]  # fmt: skip
    faults = [(pair, own) for pair, own, wrong in replies if wrong]
    if len(faults) < _ENOUGH:
        return ""
    return _by_stream(metric, replies, faults) or _by_family(replies, faults) or _by_error(metric, faults)


def faulty_pairs(metric: Metric, pairs: Sequence[Pair], candidate: int) -> list[Pair]:
    """The pairs in which the candidate's reply makes the metric worse: the evidence."""
    return [
        pair for pair in pairs
        if (own := pair.candidates[candidate]) is not None and _is_faulty(metric, pair, own)
    ]  # fmt: skip


def _first(pair: Pair) -> Observation | None:
    return pair.references[0] if pair.references else None


def _is_faulty(metric: Metric, pair: Pair, own: Observation) -> bool:
    return faulty(metric, own, _first(pair))


def _says(metric: Metric, pair: Pair, own: Observation) -> bool:
    first = _first(pair)
    if metric.kind is Kind.RELATION:
        return first is not None and bool(metric.between(own, first)[1])
    return bool(metric.of(own)[1])


def _by_stream(
    metric: Metric, replies: list[tuple[Pair, Observation, bool]], faults: list[tuple[Pair, Observation]]
) -> str:
    streamed = sum(pair.streamed for pair, _ in faults)
    if streamed not in (0, len(faults)):
        return ""
    others = sum(pair.streamed != bool(streamed) for pair, _, _ in replies)
    if others < _OTHERS:
        return ""
    one, other = ("streamed", "unstreamed") if streamed else ("unstreamed", "streamed")
    told = f"All {len(faults)} are {one}; none of {others} {other} ones."
    part = "stream parser" if streamed else "parser of whole replies"
    return f"{told} Points to the server's {part}, not to the model." if metric.id in _PARSER else told


def _by_family(replies: list[tuple[Pair, Observation, bool]], faults: list[tuple[Pair, Observation]]) -> str:
    families = Counter(pair.family for pair, _ in faults)
    (name, count), *_ = families.most_common(1)
    others = sum(pair.family != name for pair, _, _ in replies)
    within = sum(pair.family == name for pair, _, _ in replies)
    if count < len(faults) or others < _OTHERS or not name:
        return ""
    return f"All {count} are requests of the kind {name} ({count} of {within}); none of {others} others."


def _by_error(metric: Metric, faults: list[tuple[Pair, Observation]]) -> str:
    if metric.id != "request_success":
        return ""
    kinds = Counter(own.error for _, own in faults)
    return f"Errors: {', '.join(f'{count} × {kind}' for kind, count in kinds.most_common(3))}."


def _tokens(metric: Metric, pairs: Sequence[Pair], candidate: int) -> str:
    moves = [move for _, move in candidate_moves(metric, pairs, candidate)]
    if len(moves) < _ENOUGH or not any(moves):
        return ""
    low, high = min(moves), max(moves)
    if low == high:
        return f"Every request holds {abs(low):,.0f} tokens {'more' if low > 0 else 'less'}: another chat template, or a hidden system prompt."
    if low > 0 or high < 0:
        least, most = sorted((abs(low), abs(high)))
        return f"Requests hold {least:,.0f} to {most:,.0f} tokens {'more' if low > 0 else 'less'}: another chat template or tokenizer."
    return ""

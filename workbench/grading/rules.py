"""What an expectation demands, in words: named by every verdict and kept with every sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.case import Matching, PathChecks
from workbench.grading.modes import mode_of
from workbench.grading.run_checks import checks_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.case import Expectation

INTRINSIC = "intrinsic"


def rule_of(expectation: Expectation | None) -> str:
    """Return the rule: `strict order`, `any order, further calls allowed; text folded`, `no call`, `intrinsic`.

    A named mode stands before what it means: `any order; bfcl (text letters, numbers by widening, …)`.
    """
    if expectation is None:
        return INTRINSIC
    if expectation.one_of:
        return " or ".join(rule_of(way) for way in expectation.one_of)
    return "; ".join(", ".join(part) for part in (list(_calls(expectation)), list(_rest(expectation))) if part)


def _calls(expectation: Expectation) -> Iterator[str]:
    if expectation.no_call:
        yield "no call"
    elif expectation.must_ask:
        yield "asks back"
    elif expectation.any_call:
        yield "any call"
    elif expectation.calls:
        yield f"{expectation.order} order"
    for said, words in (
        (expectation.names_only, "names only"),
        (expectation.extra_calls, "further calls allowed"),
        (expectation.missing_calls, "not all needed"),
        (expectation.must_not_call, f"never {', '.join(expectation.must_not_call)}"),
    ):
        if said:
            yield words


def _rest(expectation: Expectation) -> Iterator[str]:
    matching = list(_matching(expectation.matching))
    if mode := mode_of(expectation.matching):
        yield f"{mode} ({', '.join(matching)})"
    else:
        yield from matching
    if checks_answer(expectation):
        yield "answer checked"
    if expectation.path != PathChecks():
        yield "path checked"


def _matching(matching: Matching) -> Iterator[str]:
    answer = Matching()
    if matching.text != answer.text:
        yield f"text {matching.text}"
    if matching.numbers != answer.numbers:
        yield f"numbers by {matching.numbers}"
    if matching.tolerance:
        yield f"numbers within {matching.tolerance:g}"
    if matching.coerced:
        yield "text forms allowed"
    if not matching.defaults:
        yield "no schema defaults"
    if matching.as_written:
        yield "values as written"

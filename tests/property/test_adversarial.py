"""What may be believed of a call, grade by grade, over hostile replies whose truth is known."""

from __future__ import annotations

from collections import Counter

from tests.kit.adversarial import damaged, is_silent, texts
from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome
from workbench.formats import get_format

COUNT = 6000


def test_precision_of_each_grade() -> None:
    given: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    silent = 0
    for text in texts(COUNT):
        result = get_format(text.format).parse(text.raw, tuple(TOOLS.values()), "stop")
        for call in result.calls:
            grade = "strict" if call.outcome is Outcome.STRICT else call.danger.value
            given[grade] += 1
            wrong[grade] += (call.name, call.arguments) not in text.calls
        silent += bool(text.calls) and not result.calls and not any(one.outcome for one in result.problems)
    print({grade: f"{given[grade]} given, {wrong[grade]} wrong" for grade in given}, f"{silent} silent")
    assert given["strict"] > COUNT // 5
    assert given["safe"] > COUNT // 5
    assert wrong["strict"] <= 0.001 * given["strict"]
    assert wrong["safe"] <= 0.001 * given["safe"]
    assert wrong["likely"] <= 0.01 * given["likely"]
    assert silent <= 0.002 * COUNT  # nothing but a bare word or object is left of these


def test_nothing_is_said_of_no_damaged_call() -> None:
    silent = [(one.spec.id, one.raw) for one in damaged(range(COUNT)) if is_silent(one)]
    assert not silent, silent[:5]

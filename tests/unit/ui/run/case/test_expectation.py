from __future__ import annotations

from PySide6.QtWidgets import QLabel

from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall, Matching, PathChecks
from workbench.ui.run.case.expectation import expectation_parts


def _words(widgets) -> str:
    return "\n".join(one.text() if isinstance(one, QLabel) else one.text for one in widgets)


def test_an_expectation_in_words(theme, qtbot) -> None:
    calls = (
        ExpectedCall("a", {"x": ExpectedArgument((1, "1")), "y": ExpectedArgument((), optional=True)}, True),
        ExpectedCall("b"),
    )
    parts = expectation_parts(Expectation(calls, order="any", extra_calls=True, answer_contains=("sun",)))
    words = _words(parts)
    assert 'x = 1 or "1"' in words
    assert "y = anything  may be left out" in words
    assert "further arguments allowed" in words
    assert "in any order, further calls allowed" in words
    assert "The answer holds 'sun'" in words
    assert "A call that was lost is no refusal." in _words(expectation_parts(Expectation(no_call=True)))
    assert "enters no rate" in _words(expectation_parts(None))


def test_rules_of_an_expectation_in_words(theme, qtbot) -> None:
    call = ExpectedCall("a", {"day": ExpectedArgument(kind="date"), "n": ExpectedArgument((1,), tolerance=0.5)})
    way = Expectation(
        (call,), matching=Matching("folded", coerced=True), must_not_call=("rm",), answer_regex="x", no_markers=True,
        path=PathChecks(max_steps=3, tools=("a", "b")),
    )  # fmt: skip
    words = _words(expectation_parts(Expectation(one_of=(way, Expectation(must_ask=True)))))

    for part in (
        "Way 1 of 2", 'day = {"kind": "date"}', "n = 1  ± 0.5", "no further calls, text folded, text forms allowed",
        "Never calls rm", "The answer matches /x/", "The answer is free of markers", "a → b", "Replies at most: 3",
        "Way 2 of 2", "Asks back.",
    ):  # fmt: skip
        assert part in words

from __future__ import annotations

from tests.kit.recorded import expecting, judged
from workbench.cli.judged_text import judged_lines
from workbench.core.case import ExpectedArgument, ExpectedCall

ROME = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome", "Roma")), "days": ExpectedArgument((3,))})


def test_rule_differences_and_what_was_treated_as_equal() -> None:
    calls = [("get_weather", {"city": "Bonn", "days": "3", "warm": True}), ("get_weather", {"city": "Rome"})]
    case = expecting(ROME, ROME, ExpectedCall("get_weather", {"city": ExpectedArgument()}), order="any")

    assert next(iter(judged_lines(judged(case, calls)))) == "judged by: any order"
    text = "\n".join(judged_lines(judged(case, calls)))
    for line in (
        '✕ get_weather.city: "Bonn", expected "Rome" (or \'Roma\')',
        "✕ get_weather.warm: true was invented",
        '≈ get_weather.days: "3" for 3, treated as equal: text form',
        "✕ get_weather was not called",
    ):
        assert line in text


def test_calls_too_many_and_wrong_ones() -> None:
    lines = list(judged_lines(judged(expecting(ExpectedCall("other")), [("get_weather", {"city": "x"})])))
    assert lines == ["judged by: strict order", "  ✕ get_weather was called instead of other"]
    lines = list(judged_lines(judged(expecting(ExpectedCall("get_weather", {"city": ExpectedArgument(("x",))})),
                                     [("get_weather", {"city": "x"})] * 2)))  # fmt: skip
    assert "  ✕ get_weather was called beyond what is expected" in lines


def test_a_missing_argument() -> None:
    lines = list(judged_lines(judged(expecting(ROME), [("get_weather", {"city": "Roma"})])))
    assert lines == ["judged by: strict order", "  ✕ get_weather.days: missing, expected 3"]

"""Words of an attribution."""

from __future__ import annotations

from workbench.core.calls import REPAIR_CODES, Outcome, Span
from workbench.formats.survey.attribution_words import (
    FLAWS,
    and_list,
    capital,
    counted,
    flaws,
    lost_words,
    mixed_words,
    quote,
)
from workbench.formats.survey.forensics import BestAttempt


def attempt(outcome: Outcome, *codes: str, name: str = "now", reader: str = "qwen_xml") -> BestAttempt:
    return BestAttempt(Span(0, 1), reader, outcome, codes, name, by_asked=True)


def test_every_repair_has_words() -> None:
    assert set(FLAWS) == REPAIR_CODES


def test_flaws_by_call() -> None:
    made = [
        attempt(Outcome.RECOVERED, "trailing_comma"),
        attempt(Outcome.STRICT),
        attempt(Outcome.RECOVERED, "trailing_comma", "single_quotes"),
    ]
    assert flaws(made) == "A trailing comma in calls 1 and 3; single quotes in call 3."
    assert flaws([attempt(Outcome.RECOVERED, "fenced")]) == "A code fence around it."


def test_mixed() -> None:
    made = [attempt(Outcome.STRICT, reader="react"), attempt(Outcome.REPORTED, "bad_json")]
    assert mixed_words(made) == "call 1 is strict react, call 2 cannot be read (bad_json)"
    assert mixed_words([attempt(Outcome.STRICT)] * 6).endswith("and 2 more")


def test_lost_calls_by_number_and_name() -> None:
    made = [attempt(Outcome.STRICT), attempt(Outcome.REPORTED, "truncated", name="read_file")]
    assert lost_words(made, made[1:]) == "call 2 (read_file)"


def test_small_words() -> None:
    assert [and_list([]), and_list(["a"]), and_list(["a", "b", "c"])] == ["", "a", "a, b and c"]
    assert [counted(1, "call"), counted(1200, "call")] == ["1 call", "1,200 calls"]
    assert quote("x" * 40) == repr("x" * 29 + "…")
    assert capital("qWEN") == "QWEN"

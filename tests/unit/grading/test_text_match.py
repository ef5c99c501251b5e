from __future__ import annotations

import pytest

from workbench.core.case import ExpectedArgument
from workbench.grading.text_match import fold_text, looks_like, unlike


@pytest.mark.parametrize(
    ("one", "other", "rules"),
    [
        ("Rome", "Rome", {"exact", "folded", "letters"}),
        ("New  York", "new york", {"folded", "letters"}),
        ("New York, NY", "new york ny", {"letters"}),
        ("2024-05-01", "2024/05/01", {"letters"}),
        ("it's", 'it"s', {"letters"}),
        ("Straße", "STRASSE", {"folded"}),
        ("Rome", "Paris", set()),
    ],
)
def test_folded_texts(one: str, other: str, rules: set[str]) -> None:
    assert {rule for rule in ("exact", "folded", "letters") if fold_text(one, rule) == fold_text(other, rule)} == rules  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "value", "like"),
    [
        ("3", 3, True), ("3.0", 3, True), (" 3 ", 3, True), ("3x", 3, False), ("True", True, True), ("false", False, True),
        ("1", True, False), ("true", 1, False), ("null", None, True), ("None", None, True), ("[1, 2]", [1, 2], True),
        ('{"a": 1}', {"a": 1}, True), ("[" * 100_000, [], False),
    ],
)  # fmt: skip
def test_text_forms(text: str, value: object, like: bool) -> None:
    assert looks_like(text, value) is like


@pytest.mark.parametrize(
    ("kind", "fits", "wrong"),
    [
        ("string", "x", 1), ("integer", 3, True), ("number", 3.5, "3"), ("boolean", False, 0), ("array", [1], "[1]"),
        ("object", {}, []), ("null", None, "null"), ("date", "2026-11-22", "22.11.2026"),
        ("date", "2026-11-22T10:00:00+01:00", "soon"), ("time", "10:30", "25:00"), ("email", "a@b.org", "a@b"),
        ("uri", "https://example.org/a", "example"), ("uri", "mailto:a@b.org", "C:\\temp"), ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123"),
    ],
)  # fmt: skip
def test_placeholders(kind, fits: object, wrong: object) -> None:
    assert unlike(ExpectedArgument(kind=kind), fits) == ""
    assert unlike(ExpectedArgument(kind=kind), wrong) == f"any {kind}"


def test_patterns_and_words() -> None:
    wanted = ExpectedArgument(regex="^SELECT", contains=("from", "users"))

    assert unlike(wanted, "SELECT * FROM users") == ""
    assert unlike(wanted, "select * from users") == "a text that matches /^SELECT/"
    assert unlike(wanted, "SELECT 1 FROM t") == "a text with 'users'"
    assert unlike(wanted, 5) == "a text that matches /^SELECT/"

from __future__ import annotations

import re

import jsonschema
import pytest

from workbench.simulate.samples import fits, fitted

PATTERNS = [
    r"^[A-Z]{3}-\d{4}$",
    r"^\+?[1-9]\d{1,14}$",
    r"^(foo|bar)[^/]+$",
    r"^#[0-9a-f]{6}$",
    r"\w+@\w+",
    r"^\S+\s\S+$",
    r"^v\d+(\.\d+){2}$",
    r"^[^\s]+$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_generated_text_matches_the_pattern(pattern: str) -> None:
    assert re.search(pattern, fitted("nothing, really?", {"pattern": pattern}))


@pytest.mark.parametrize(
    "name", ["date", "date-time", "time", "email", "uri", "hostname", "ipv4", "ipv6", "uuid", "regex", "duration"]
)
def test_a_text_is_made_for_each_format(name: str) -> None:
    schema = {"type": "string", "format": name}
    text = fitted("??", schema)
    assert fits(text, schema)
    jsonschema.validate(text, schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


def test_fitting_values_are_unchanged() -> None:
    assert fitted("2026-03-01", {"format": "date"}) == "2026-03-01"
    assert fitted("ABC-1234", {"pattern": PATTERNS[0]}) == "ABC-1234"


def test_lengths_are_met() -> None:
    assert fitted("ab", {"minLength": 5}) == "abxxx"
    assert fitted("abcdef", {"maxLength": 3}) == "abc"


def test_a_broken_pattern_says_nothing_against_a_text() -> None:
    assert fitted("text", {"pattern": "(["}) == "text"

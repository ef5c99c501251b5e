from __future__ import annotations

import pytest

from workbench.ui.run.case.check import check_document

GOOD = """title: Weather
messages:
  - role: user
    content: How is the weather in Rome?
tools:
  - name: get_weather
    parameters: {type: object, properties: {city: {type: string}}}
expect:
  calls:
    - name: get_weather
      arguments: {city: Rome}
"""


def test_valid_document() -> None:
    found = check_document(GOOD, "weather")
    assert found.fault is None
    assert found.case is not None
    assert found.case.id == "weather"


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("role: user", "role: nobody", 3, "nobody"),
        ("title: Weather", "title: [", 3, "no YAML"),
        ("expect:", "expext:", 8, "expext"),
        ("arguments: {city: Rome}", "argument: {city: Rome}", 11, "unknown key 'argument'"),
        ("    - name: get_weather", "    - nam: get_weather", 10, "unknown key 'nam'"),
        ("  - name: get_weather\n    parameters", "  - name: 'get weather'\n    parameters", 6, "no usable name"),
    ],
)
def test_a_fault_has_its_line(before: str, after: str, line: int, words: str) -> None:
    found = check_document(GOOD.replace(before, after, 1), "weather")
    assert found.case is None
    assert found.fault is not None
    assert (found.fault.line, words in found.fault.message) == (line, True), found.fault
    assert not found.fault.message.startswith("weather")


@pytest.mark.parametrize("text", ["", "- 1", "just words", "[" * 5000, "a: &a [*a, *a]", "title: \x00", "\ufeff"])
def test_typed_text_never_raises(text: str) -> None:
    found = check_document(text, "case")
    assert (found.case is None) == (found.fault is not None)


def test_a_list_of_cases_is_no_document_of_one() -> None:
    found = check_document("cases:\n- prompt: one\n- prompt: two\n", "case")
    assert found.fault is not None
    assert "2 cases" in found.fault.message

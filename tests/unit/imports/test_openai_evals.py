from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cases.document import case_from_document, case_to_document
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import InvalidInput
from workbench.imports.items import NewCase, NotCarried, ReadOptions
from workbench.imports.openai_evals import expected_call, is_sample, read_openai_evals, sample_case
from workbench.imports.rows import BadRow, FileRow

ROME = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",))})


def expectation(**value: Any) -> Expectation | None:
    case = sample_case(FileRow("e, line 1", {"input": "x", **value}, 1), "e")
    assert case_from_document(case_to_document(case) | {"id": case.id}, case.id, "case") == case
    return case.expectation


@pytest.mark.parametrize(
    "value",
    [
        {"expected_tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"ideal": '{"name": "get_weather", "arguments": {"city": "Rome"}}'},
        {"ideal": [{"type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'}}]},
        {"ideal": [{"function": "get_weather", "arguments": {"city": "Rome"}}]},
    ],
)
def test_ideals_that_are_calls(value: dict[str, Any]) -> None:
    assert expectation(**value) == Expectation((ROME,))


def test_ideals_that_are_texts() -> None:
    assert expectation(ideal="Paris") == Expectation(answer_regex="(?i)Paris")
    assert expectation(ideal=["a.b", "c"]) == Expectation(answer_regex=r"(?i)a\.b|c")
    assert expectation(ideal="{not json") == Expectation(answer_regex=r"(?i)\{not\ json")
    assert expectation(ideal="") is expectation() is None
    assert expectation(expected_tool_calls=[]) == Expectation(no_call=True)


def test_samples_of_both_kinds(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    chat = {
        "input": [{"role": "user", "content": "Hi"}],
        "ideal": "a",
        "tools": [{"name": "f", "parameters": {}}],
        "source": 1,
    }
    path.write_text("\n".join(map(json.dumps, (chat, {"item": {"input": "Hi"}}, {"input": 5, "ideal": ""}, 3))))
    found = list(read_openai_evals([path], ReadOptions(), lambda _: None))
    cases = [item.case for item in found if isinstance(item, NewCase)]

    assert [(case.id, case.messages[0].text, len(case.tools)) for case in cases] == [("e-1", "Hi", 1), ("e-2", "Hi", 0)]
    assert [item.what for item in found if isinstance(item, NotCarried)] == [
        "the field 'source' of samples", "samples that say nothing of what is right: the cases expect nothing",
    ]  # fmt: skip
    assert [item.place for item in found if isinstance(item, BadRow)] == ["e.jsonl, line 3", "e.jsonl, line 4"]


def test_what_is_a_sample() -> None:
    assert is_sample({"input": "x", "ideal": "y"})
    assert is_sample({"item": {"input": "x", "expected": "y"}})
    assert not is_sample({"input": "x"})
    assert not is_sample([])


@pytest.mark.parametrize(
    "value", [5, {}, {"name": 1}, {"name": "f", "arguments": "{"}, {"name": "f", "arguments": [1]}]
)
def test_broken_calls_are_named(value: Any) -> None:
    with pytest.raises(InvalidInput, match="e, line 1"):
        expected_call(value, "e, line 1")

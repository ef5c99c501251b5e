from __future__ import annotations

from typing import Any

import pytest

from workbench.cases.document import case_from_document, case_to_document
from workbench.core.errors import InvalidInput
from workbench.grading.modes import MODES
from workbench.imports.bfcl_cases import (
    OtherCategory,
    bfcl_case,
    category_of,
    is_answer,
    is_question,
    is_result,
    language_of,
)

FUNCTION = {"name": "f", "parameters": {"type": "dict", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}
ASKED = [[{"role": "user", "content": "Do it."}]]


def question(case_id: str, **more: Any) -> dict[str, Any]:
    return {"id": case_id, "question": ASKED, "function": [FUNCTION], **more}


def answer(case_id: str) -> dict[str, Any]:
    return {"id": case_id, "ground_truth": [{"f": {"x": [1]}}]}


def test_a_question_with_its_answer_is_a_case() -> None:
    case = bfcl_case(question("live_simple_4-2-1"), answer("live_simple_4-2-1"), "q")

    assert (case.id, case.messages[0].text, case.tags) == ("live_simple_4-2-1", "Do it.", ("bfcl", "live_simple"))
    assert case.family == "live_simple-2"
    assert case.expectation is not None
    assert case.expectation.matching == MODES["bfcl"]
    assert case_from_document(case_to_document(case) | {"id": case.id}, case.id, "case") == case


@pytest.mark.parametrize("asked", ["Do it.", ASKED[0]])
def test_questions_of_older_versions(asked: Any) -> None:
    assert bfcl_case(question("simple_1", question=asked), None, "q").messages[0].text == "Do it."
    assert bfcl_case(question("simple_1", question=asked), None, "q").expectation is None


def test_relevance_needs_no_answers() -> None:
    none, some = (
        bfcl_case(question(name), None, "q").expectation for name in ("live_irrelevance_0-0-0", "live_relevance_0-0-0")
    )
    assert none is not None
    assert some is not None
    assert (none.no_call, none.any_call, some.no_call, some.any_call) == (True, False, False, True)


@pytest.mark.parametrize("row", [question("multi_turn_base_0"), question("memory_0-x-1"), question("simple_0", question=ASKED * 2),
                                 {"id": "simple_0", "question": ASKED}])  # fmt: skip
def test_more_than_one_reply_is_not_taken(row: dict[str, Any]) -> None:
    with pytest.raises(OtherCategory, match="q:"):
        bfcl_case(row, None, "q")


@pytest.mark.parametrize("asked", [[], 5, None])
def test_a_question_without_words_is_named(asked: Any) -> None:
    with pytest.raises(InvalidInput, match="q has no question"):
        bfcl_case(question("simple_0", question=asked), None, "q")


def test_names_of_categories_and_languages() -> None:
    ids = ("simple_python_3", "live_multiple_10-2-0", "simple_java_1", "javascript_2")
    assert [category_of(name) for name in ids] == ["simple_python", "live_multiple", "simple_java", "javascript"]
    assert [language_of(category_of(name)) for name in ids] == ["python", "python", "java", "javascript"]
    assert (is_question(question("a")), is_answer(answer("a")), is_result({"id": 1, "result": ""}), is_result([])) == (
        True,
        True,
        True,
        False,
    )

"""Questions and possible answers of the Berkeley Function-Calling Leaderboard (its versions 1 to 4) as cases.

    {"id": "live_simple_0-0-0", "question": [[{"role": "user", "content": "…"}]], "function": [{…}]}      a question
    {"id": "live_simple_0-0-0", "ground_truth": [{"get_user": {"id": [7890], "special": ["black", ""]}}]}  its answers

One JSON object a line, a file a category; the category is the id without its number. What needs more than one reply
(multi_turn, memory, web_search), or calls that are really made (exec, rest), is not taken.
"""

from __future__ import annotations

import re
from typing import Any

from workbench.core.case import Case, Expectation
from workbench.core.errors import InvalidInput
from workbench.core.messages import Message, message_from_openai
from workbench.grading.modes import MODES
from workbench.imports.bfcl_answers import MODE, Answers
from workbench.imports.bfcl_tools import Language, bfcl_tools

_NUMBER = re.compile(r"_\d+(?:-\w+-\d+)?(?::.*)?$")
_LATER = re.compile(r"(multi_turn|memory|web_search|exec|executable|rest|sql|chatable|format_sensitivity)(?:_|$)")
TAG = "bfcl"


class OtherCategory(InvalidInput):
    """A question of a category that is not taken."""


def category_of(case_id: str) -> str:
    """`live_simple` of `live_simple_0-0-0`."""
    return _NUMBER.sub("", case_id)


def language_of(category: str) -> Language:
    """The language that a category's calls are written in."""
    words = category.split("_")
    return "javascript" if "javascript" in words else "java" if "java" in words else "python"


def is_question(value: Any) -> bool:
    """It is a row of a question file."""
    return isinstance(value, dict) and "id" in value and "question" in value


def is_answer(value: Any) -> bool:
    """It is a row of a file of possible answers."""
    return isinstance(value, dict) and "id" in value and "ground_truth" in value


def is_result(value: Any) -> bool:
    """It is a row of a model's result file."""
    return isinstance(value, dict) and "id" in value and "result" in value


def bfcl_case(question: dict[str, Any], answer: dict[str, Any] | None, place: str) -> Case:
    """Make a case of a question; raise OtherCategory, or InvalidInput naming the place.

    Without an answer only what needs none is expected: no call where none is relevant, some call where one is.
    """
    case_id = str(question["id"])
    category = category_of(case_id)
    if _LATER.match(category) or "function" not in question:
        raise OtherCategory(f"{place}: {category} is not judged by the calls of one reply.")
    language, functions = language_of(category), question["function"]
    answers = Answers(functions if isinstance(functions, list) else [functions], language, place)
    return Case(
        id=case_id,
        title=case_id,
        messages=_messages(question["question"], place),
        tools=bfcl_tools(functions, language, place),
        expectation=_expectation(category, answer, answers),
        tags=(TAG, category),
        notes="\n".join(answers.faults),
        family=_family(case_id),
    )


def _expectation(category: str, answer: dict[str, Any] | None, answers: Answers) -> Expectation | None:
    if "irrelevance" in category:
        return Expectation(no_call=True, matching=MODES[MODE])
    if "relevance" in category:
        return Expectation(any_call=True, matching=MODES[MODE])
    return None if answer is None else answers.expectation(answer["ground_truth"])


def _family(case_id: str) -> str:
    """Questions of the live categories over the same functions are one cluster: `live_simple_19-3-15` is of function 3."""
    found = re.match(r"(.*)_\d+-(\d+)-\d+$", case_id)
    return f"{found.group(1)}-{found.group(2)}" if found else ""


def _messages(value: Any, place: str) -> tuple[Message, ...]:
    """The one turn; older versions have a text, or its messages without the list of turns."""
    if isinstance(value, str):
        return (Message("user", value),)
    if not isinstance(value, list) or not value:
        raise InvalidInput(f"{place} has no question.")
    turns = [value] if isinstance(value[0], dict) else value
    if len(turns) != 1 or not isinstance(turns[0], list):
        raise OtherCategory(f"{place}: {len(turns)} turns.")
    return tuple(message_from_openai(item, f"{place}: question[0][{at}]") for at, item in enumerate(turns[0]))

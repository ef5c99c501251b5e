"""Samples of OpenAI's evals as cases: a JSON object a line.

    {"input": [{"role": "user", "content": "…"}], "ideal": "Paris"}                     the open-source framework
    {"item": {"input": "…", "tools": […], "expected_tool_calls": [{"name", "arguments"}]}}     a data source of the API

`ideal` is a text or several: the answer must hold one of them, since which class of eval compares them stands elsewhere. An
ideal that is a call, or a list of calls, is an expected call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import InvalidInput
from workbench.core.json_text import parse_json
from workbench.core.messages import Message, message_from_openai
from workbench.core.tools import ToolMode, ToolSetup
from workbench.imports.items import NewCase, NotCarried, items_of_rows
from workbench.imports.rows import FileRow
from workbench.tools.pasted_request import specs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from workbench.imports.items import Advance, Item, ReadOptions

_INPUT = ("input", "messages", "prompt", "question")
_CALLS = ("expected_tool_calls", "expected_calls", "tool_calls")
_IDEAL = ("ideal", "expected", "expected_output", "reference")
_KNOWN = frozenset({*_INPUT, *_CALLS, *_IDEAL, "tools", "functions", "id", "item"})


def is_sample(value: Any) -> bool:
    """It is a row of a file of samples."""
    inner = value.get("item", value) if isinstance(value, dict) else None
    return isinstance(inner, dict) and "input" in inner and any(name in inner for name in (*_IDEAL, *_CALLS))


def read_openai_evals(paths: Sequence[Path], options: ReadOptions, advance: Advance) -> Iterator[Item]:  # noqa: ARG001
    """Yield a case for each sample; raise InvalidInput for a file that cannot be read at all."""
    return items_of_rows(paths, _items, advance)


def _items(row: FileRow, name: str) -> Iterator[Item]:
    case = sample_case(row, name)
    yield NewCase(case, name)
    fields = row.value.get("item", row.value)
    yield from (NotCarried(f"the field {field!r} of samples") for field in fields if field not in _KNOWN)
    if case.expectation is None:
        yield NotCarried("samples that say nothing of what is right: the cases expect nothing")


def sample_case(row: FileRow, name: str) -> Case:
    """Read one sample; raise InvalidInput naming the place."""
    value = row.value.get("item", row.value) if isinstance(row.value, dict) else None
    if not isinstance(value, dict):
        raise InvalidInput(f"{row.place} is not an object.")
    asked = next((value[key] for key in _INPUT if value.get(key)), None)
    case_id = str(value.get("id") or f"{name}-{row.number}")
    tools = tuple(
        ToolSetup(spec, ToolMode.RECORD) for spec in specs_of(value.get("tools") or value.get("functions") or [])
    )
    return Case(case_id, case_id, _messages(asked, row.place), tools, expectation=_expectation(value, row.place))


def _messages(value: Any, place: str) -> tuple[Message, ...]:
    if isinstance(value, str):
        return (Message("user", value),)
    if not isinstance(value, list) or not value:
        raise InvalidInput(f"{place} has no 'input'.", hint="Write a text or a list of messages.")
    return tuple(message_from_openai(item, f"{place}: input[{at}]") for at, item in enumerate(value))


def _expectation(value: dict[str, Any], place: str) -> Expectation | None:
    calls = next((value[key] for key in _CALLS if isinstance(value.get(key), list)), None)
    ideal = next((value[key] for key in _IDEAL if key in value), None)
    if calls is None:
        calls = _as_calls(ideal)
    if calls is not None:
        return Expectation(tuple(expected_call(call, place) for call in calls), no_call=not calls)
    texts = [str(text) for text in (ideal if isinstance(ideal, list) else [ideal]) if text not in (None, "")]
    if not texts:
        return None
    return Expectation(answer_regex="(?i)" + "|".join(re.escape(text) for text in texts))


def _as_calls(ideal: Any) -> list[Any] | None:
    """An ideal that is a call or a list of calls, as a value or as its JSON text."""
    if isinstance(ideal, str) and ideal.lstrip().startswith(("{", "[")):
        try:
            ideal = parse_json(ideal)
        except ValueError:
            return None
    found = ideal if isinstance(ideal, list) else [ideal]
    return (
        found
        if found and all(isinstance(call, dict) and ("name" in call or "function" in call) for call in found)
        else None
    )


def expected_call(value: Any, place: str) -> ExpectedCall:
    """A call in OpenAI's shape or flat, each argument exactly; raise InvalidInput."""
    body = value.get("function", value) if isinstance(value, dict) else None
    if isinstance(body, str):
        body = {**value, "name": body}
    if not isinstance(body, dict) or not isinstance(body.get("name"), str):
        raise InvalidInput(f"{place}: an expected call has no name.")
    arguments = body.get("arguments", body.get("parameters", {}))
    if isinstance(arguments, str):
        try:
            arguments = parse_json(arguments or "{}")
        except ValueError as error:
            raise InvalidInput(f"{place}: the arguments of {body['name']!r} are no JSON.") from error
    if not isinstance(arguments, dict):
        raise InvalidInput(f"{place}: the arguments of {body['name']!r} are no object.")
    return ExpectedCall(body["name"], {str(name): ExpectedArgument((item,)) for name, item in arguments.items()})

"""Code behind a call's object fills its empty argument, and is never lost without a word."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Told, plain
from workbench.core.tools import ToolSpec
from workbench.formats import get_format

TOOLS = (ToolSpec("run", "", {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}),)
OPEN = '<tool_call>\n{"name": "run", "arguments": {"code": ""}}\n<code>\n'


@pytest.mark.parametrize("name", ["qwen_xml", "granite"])
def test_code_behind_the_object_is_the_argument(name: str) -> None:
    raw = f"{OPEN}a = '</code>'\n</code>\n</tool_call>"
    (call,) = get_format(name).parse(raw, TOOLS).calls
    assert (call.arguments, call.repairs) == ({"code": "a = '</code>'"}, ("text_as_argument",))
    assert call.span[:2] == (0, len(raw))


@pytest.mark.parametrize("name", ["qwen_xml", "granite"])
def test_code_without_an_end_is_told(name: str) -> None:
    found = get_format(name).parse(f"{OPEN}print(1", TOOLS)
    assert [problem.code for problem in found.problems] == ["truncated"]
    assert not found.calls


def test_an_empty_argument_alone_stays() -> None:
    (call,) = (
        get_format("qwen_xml").parse('<tool_call>{"name": "run", "arguments": {"code": ""}}</tool_call>', TOOLS).calls
    )
    assert (call.arguments, call.repairs) == ({"code": ""}, ())


def whole(raw: str, form: str = "qwen_xml", reason: str = "stop", tools: tuple[ToolSpec, ...] = TOOLS) -> Told:
    return plain(get_format(form).parse(raw, tools, reason), raw)


@pytest.mark.parametrize(
    ("behind", "code", "repairs"),
    [
        ("<code>x = 1</code></tool_call>", "x = 1", "text_as_argument"),
        ("\n<code>\n\n  x = 1\r\n</code>\n</tool_call>", "  x = 1", "text_as_argument"),
        ("\n<CODE>x</CODE>\n</tool_call>", "x", "text_as_argument"),
        ("<code>a</code> b </code></tool_call>", "a</code> b ", "text_as_argument"),
    ],
)
def test_code_and_its_place(behind: str, code: str, repairs: str) -> None:
    raw = '<tool_call>{"name": "run", "arguments": {"code": "", "n": 1}}' + behind
    assert whole(f"{raw} End.") == Told([("run", {"code": code, "n": 1}, repairs, raw)], "End.")


def test_code_that_ends_nowhere_takes_the_rest() -> None:
    raw = f"Well. {OPEN}a</code>\nb"
    assert whole(raw) == Told([], "Well.", [("truncated", "run", "The code of 'run' is cut off.")])
    (problem,) = get_format("qwen_xml").parse(raw, TOOLS).problems
    assert (problem.span.start, problem.span.end) == (6, len(raw))


@pytest.mark.parametrize(
    "raw",
    [
        '<tool_call>{"name": "run", "arguments": {"code": "a"}}<code>b</code></tool_call>',
        '<tool_call>{"name": "run", "arguments": {"text": ""}}<code>b</code></tool_call>',
    ],
)
def test_code_fills_no_other_argument(raw: str) -> None:
    loose = (ToolSpec("run", "", {"type": "object"}),)
    assert not [call for call in whole(raw, tools=loose).calls if "b" in call[1].values()]


def test_of_several_calls_the_last_takes_the_code() -> None:
    one = '{"name": "run", "arguments": {"code": "a"}}'
    two = '{"name": "run", "arguments": {"code": ""}}'
    for behind, found in (("<code>X = 1\n</code></tool_call>", "X = 1"), ("<code>\n\nX\n</code></tool_call>", "X")):
        told = whole(f"<tool_call>{one}\n{two}{behind}")
        assert [call[1]["code"] for call in told.calls] == ["a", found]
    cut = whole(f"<tool_call>{one}\n{two}<code>x")
    assert [call[1]["code"] for call in cut.calls] == ["a"]
    assert [problem[:2] for problem in cut.problems] == [("truncated", "run")]

"""What an exchange adds up to, and how it is printed."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.cli.send_answer import SendAnswer, answer_of, not_sent
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import CallDelta, FinishDelta, ReasoningDelta, TextDelta, Usage, UsageDelta
from workbench.core.messages import ChatRequest, Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.engine.assembly import Assembly

REQUEST = ChatRequest("m", (Message("user", "hi"),))
KEY = "sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789abcdefghijAB"


def made(*deltas: Any) -> Assembly:
    assembly = Assembly()
    assembly.fold(deltas)
    return assembly


def test_answer() -> None:
    came = made(
        ReasoningDelta("hm"), TextDelta("a"), TextDelta("b"), CallDelta(0, "", "f", '{"x": '), CallDelta(0, "", "", "1}"),
        UsageDelta(Usage(3, 2)), FinishDelta("tool_calls"),
    )  # fmt: skip
    assert answer_of(came, None, "openai_chat", REQUEST).row("r1") == {
        "id": "r1", "text": "ab", "reasoning": "hm", "tool_calls": [{"id": "call_1", "name": "f", "arguments": {"x": 1}}],
        "finish_reason": "tool_calls", "usage": {"input": 3, "output": 2},
    }  # fmt: skip


def test_nothing_came() -> None:
    assert answer_of(made(), None, "openai_chat", REQUEST) == SendAnswer()
    assert SendAnswer().row(None)["finish_reason"] is None


@pytest.mark.parametrize(
    ("arguments", "finish", "shown"),
    [("", "stop", {}), ("", "length", ""), ('{"a": ', "length", '{"a": '), ("[1]", "stop", "[1]"), ("{}", None, {})],
)
def test_arguments_are_an_object_or_the_text_as_it_came(arguments: str, finish: str | None, shown: Any) -> None:
    answer = SendAnswer(calls=(NativeCall(0, "c", "f", arguments),), finish=finish)
    assert answer.row(None)["tool_calls"] == [{"id": "c", "name": "f", "arguments": shown}]


def test_calls_in_text_are_read_where_the_protocol_has_no_other_place() -> None:
    request = ChatRequest(
        "m", (Message("user", "hi"),), tools=(ToolSpec("now", "", {"type": "object", "properties": {}}),)
    )
    text = TextDelta('Well. <function_calls>[{"name": "now", "arguments": {}}]</function_calls>')
    found = answer_of(made(text), None, "straico", request)
    assert [(call.name, call.arguments) for call in found.calls] == [("now", "{}")]
    assert "function_calls" not in found.text
    assert answer_of(made(text), None, "openai_chat", request).calls == ()


def test_keys_of_others_are_told_with_their_place() -> None:
    request = ChatRequest("m", (Message("system", "s"), Message("user", KEY)))
    found = answer_of(made(CallDelta(0, "c", "f", f'{{"k": "{KEY}"}}')), None, "openai_chat", request)
    places = [key["place"] for key in found.row(None)["foreign_keys"]]
    assert places == ["message 2 (user)", "the arguments of f"]


def test_errors() -> None:
    info = ErrorInfo(ErrorKind.RATE_LIMIT, "slow down", hint="Wait.", status=429, code="rpm", retry_after=2.0)
    assert SendAnswer(error=info).row(None)["error"] == {
        "kind": "rate_limit", "status": 429, "message": "slow down", "code": "rpm", "hint": "Wait.", "retry_after": 2.0,
    }  # fmt: skip
    assert not_sent(InvalidInput("no", hint="yes"), 3)["message"] == "no"
    assert not_sent(ValueError("odd"), 3)["message"] == "Line 3 cannot be read: odd"


def test_a_declared_name_that_came_in_pieces_is_joined() -> None:
    made = Assembly()
    made.fold([CallDelta(0, "c", "edit_", ""), CallDelta(1, "c", "file", "{}")])
    request = ChatRequest("m", (Message("user", "x"),), (ToolSpec("edit_file", "", {}),))
    assert [call.name for call in answer_of(made, None, "openai_chat", request).calls] == ["edit_file"]

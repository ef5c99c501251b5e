from __future__ import annotations

import json

from tests.kit.parser_contract import TOOLS
from workbench.core.messages import Message
from workbench.core.tools import ToolResult
from workbench.formats import get_format
from workbench.formats.kit.native_spec import NativeSpec, begins_message, native_turn

CALL = get_format("bare_json").parse('{"name": "now", "arguments": {"zone": "CET"}}').calls[0]._replace(id="")


def test_a_turn_carries_its_calls_in_their_field() -> None:
    turn = native_turn("Let me look.", [CALL, CALL._replace(id="mine")], "toolu_")
    assert [tuple(call)[:4] for call in turn.tool_calls] == [
        (0, "toolu_1", "now", '{"zone": "CET"}'),
        (1, "mine", "now", '{"zone": "CET"}'),
    ]
    assert turn.text == "Let me look."


def test_all_native_formats_are_of_this_kind() -> None:
    for name in ("native_openai", "native_anthropic", "native_gemini"):
        spec = get_format(name)
        assert isinstance(spec, NativeSpec)
        assert spec.prompt([]) == ""
        assert not spec.render_turn("Nothing to call.", []).tool_calls
        (message,) = spec.result_messages([(CALL._replace(id="c"), ToolResult(success=True, result="12:00"))])
        assert (message.role, message.tool_call_id, message.name) == ("tool", "c", "now")


def test_brackets_that_hold_no_object_begin_no_message() -> None:
    assert begins_message(' [{"id": 1}]')
    assert begins_message("[")
    assert begins_message("{")
    assert not begins_message("[TOOL_CALLS] []")


def test_a_turn_of_calls_alone_has_no_text() -> None:
    spec = get_format("native_openai")
    assert spec.render_turn("", [CALL]).content is None
    assert spec.render_turn("", []).content == ""
    assert spec.render_turn("So.", [CALL]).content == "So."


def test_why_a_message_ended_decides_whether_it_was_cut_off() -> None:
    call = {"function": {"name": "now", "arguments": '{"zone": "CET"'}}
    text = json.dumps({"role": "assistant", "tool_calls": [call]})
    spec, tools = get_format("native_openai"), (TOOLS["now"],)
    assert [call.arguments for call in spec.parse(text, tools, "stop").calls] == [{"zone": "CET"}]
    cut = spec.parse(text, tools, "length")
    assert (cut.calls, [one.code for one in cut.problems]) == ((), ["truncated"])


def test_a_turn_is_the_assistants_and_keeps_letters() -> None:
    turn = native_turn(None, [CALL._replace(arguments={"zone": "Zürich"})])
    assert (turn.role, turn.content) == ("assistant", None)
    assert [(call.id, call.arguments) for call in turn.tool_calls] == [("call_1", '{"zone": "Zürich"}')]
    assert [
        get_format(name).render_turn("", [CALL]).tool_calls[0].id for name in ("native_openai", "native_anthropic")
    ] == ["call_1", "toolu_1"]


def test_a_result_is_told_with_its_call() -> None:
    (message,) = get_format("native_openai").result_messages([(CALL._replace(id="c"), ToolResult(True, "ü"))])
    assert message == Message("tool", '{"success": true, "result": "ü", "error": null}', tool_call_id="c", name="now")


def test_a_call_outside_of_the_fields_is_told_of_a_message_alone() -> None:
    text = json.dumps({"role": "assistant", "content": "x", "function": {"name": "now", "arguments": "{}"}})
    spec, tools = get_format("native_openai"), (TOOLS["now"],)
    assert [(one.code, one.name) for one in spec.parse(text, tools).problems] == [("unread_call", "now")]
    assert "unread_call" not in [one.code for one in spec.parse(f"Say {text}", tools).problems]
    for begun in ("{", "[", " [ ", "[]", '[ {"a"'):
        assert begins_message(begun)
    for other in ("", "x{", "[1", "[[", '["a"]'):
        assert not begins_message(other)

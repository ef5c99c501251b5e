from __future__ import annotations

from tests.kit.engine_run import NATIVE, QWEN
from tests.kit.fakes import READ_FILE, WEATHER
from workbench.core.events import StepReply
from workbench.core.messages import NativeCall
from workbench.engine.feedback import explain, fault_of, feedback_messages

TOOLS = (WEATHER, READ_FILE)
LOST = '<tool_call>\n{"name": "get_wether", "arguments": {}}\n</tool_call>'


def test_a_fault_has_a_name_so_that_its_repeat_is_known() -> None:
    first = QWEN.parse(LOST, TOOLS).lost
    assert fault_of(first) == fault_of(QWEN.parse(f"Again: {LOST}", TOOLS).lost) != ""
    assert fault_of(QWEN.parse(LOST.replace("get_wether", "other"), TOOLS).lost) != fault_of(first)
    assert fault_of(()) == ""


def test_the_model_is_told_what_was_wrong_and_which_tools_there_are() -> None:
    text = explain(QWEN.parse(LOST, TOOLS).lost, TOOLS)
    assert "get_wether" in text
    assert "get_weather, read_file" in text


def test_native_calls_are_answered_each_by_its_id_and_arguments_that_are_no_json_stay_out() -> None:
    native = (NativeCall(0, "c1", "get_weather", '{"city": "Ro'), NativeCall(1, "", "read_file", '{"path": "a"}'))
    reply = StepReply("", native_calls=native, result=NATIVE.read_native("", native, TOOLS, "length"))
    turn, *answers = feedback_messages(reply, TOOLS)
    assert [call.arguments for call in turn.tool_calls] == ["{}", '{"path": "a"}']
    assert [message.tool_call_id for message in answers] == [call.id for call in turn.tool_calls]
    assert all(call.id for call in turn.tool_calls)

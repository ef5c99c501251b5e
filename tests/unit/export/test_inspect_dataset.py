from __future__ import annotations

import json

from tests.kit.exports import CALL, exported, weather_case
from tests.kit.fakes import Reply
from workbench.core.messages import Message, NativeCall
from workbench.core.versions import PARSER_VERSION
from workbench.export.inspect_dataset import export_inspect, inspect_messages


def test_sample_has_input_target_and_what_the_task_needs() -> None:
    export = export_inspect([exported(Reply(CALL), Reply("Sunny."), case=weather_case())])
    assert [file.path for file in export.files] == ["samples.jsonl", "task.py", "expected_calls.py"]
    (sample,) = map(json.loads, export.files[0].text.splitlines())
    assert sample["input"] == [{"role": "user", "content": "Weather in Rome?"}]
    expect = {"calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}
    assert (json.loads(sample["target"]), sample["metadata"]["expect"]) == (expect, expect)
    assert sample["metadata"]["tools"][0]["function"]["name"] == "get_weather"
    for file in export.files[1:]:
        compile(file.text, file.path, "exec")


def test_reading_is_said_to_be_unconfirmed_and_a_lost_call_stays_out() -> None:
    lost = exported(Reply("<tool_call>\nthe weather\n</tool_call>"), Reply("?"))
    export = export_inspect([exported(Reply(CALL), Reply("Sunny.")), lost])
    (sample,) = map(json.loads, export.files[0].text.splitlines())
    assert sample["metadata"]["basis"] == f"as read by parser {PARSER_VERSION}, not confirmed"
    assert sample["metadata"]["confirmed"] is False
    assert len(export.left_out) == 1


def test_messages_are_in_inspects_shape() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    turns = (
        Message("user", ({"type": "text", "text": "Look"}, image)),
        Message("assistant", None, (NativeCall(0, "c1", "f", '{"a": 1}'), NativeCall(1, "c2", "g", "broken"))),
        Message("tool", "done", tool_call_id="c1", name="f"),
    )
    user, assistant, tool = inspect_messages(turns)
    assert user["content"] == [
        {"type": "text", "text": "Look"},
        {"type": "image", "image": "data:image/png;base64,AA=="},
    ]
    assert [call["arguments"] for call in assistant["tool_calls"]] == [{"a": 1}, {}]
    assert assistant["tool_calls"][0]["function"] == "f"
    assert tool == {"role": "tool", "content": "done", "tool_call_id": "c1", "function": "f"}

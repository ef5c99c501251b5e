from __future__ import annotations

import pytest

from workbench.core.messages import Message, NativeCall
from workbench.core.protocols import Format
from workbench.engine.text_history import in_format
from workbench.formats import get_format, list_formats

CALLS = (NativeCall(0, "c1", "get_weather", '{"city": "Rome"}'), NativeCall(1, "c2", "now", "{}"))
TALK = (
    Message("user", "Weather?"),
    Message("assistant", "Let me see.", CALLS),
    Message("tool", "sunny", tool_call_id="c1"),
    Message("tool", "12:00", tool_call_id="c2"),
    Message("assistant", "It is sunny."),
)


def test_a_native_format_takes_messages_as_they_are() -> None:
    assert in_format(TALK, get_format("native_openai")) == TALK


def test_a_conversation_without_tools_stays() -> None:
    talk = (TALK[0], TALK[4])
    assert in_format(talk, get_format("qwen_xml")) == talk


@pytest.mark.parametrize("fmt", [fmt for fmt in list_formats() if not fmt.native], ids=lambda fmt: fmt.id)
def test_calls_and_results_are_written_in_every_text_format(fmt) -> None:
    found = in_format(TALK, fmt)

    assert not any(message.tool_calls for message in found)
    assert (found[0], found[-1]) == (TALK[0], TALK[-1])
    text = "\n".join(message.text for message in found)
    for part in ("Let me see.", "get_weather", "Rome", "sunny", "12:00"):
        assert part in text


def test_a_turn_keeps_its_reasoning_beside_the_calls_as_text() -> None:
    talk = (Message("assistant", "Let me see.", CALLS, reasoning="hm"), *TALK[2:])
    turn, *_ = in_format(talk, get_format("qwen_xml"))
    assert (turn.reasoning, turn.tool_calls, "hm" in turn.text) == ("hm", (), False)


def test_non_json_arguments_and_orphan_results_keep_text() -> None:
    broken = Message("assistant", None, (NativeCall(0, "c1", "f", "{broken"),))
    stray = Message("tool", "lost result", tool_call_id="other", name="g")
    text = "\n".join(message.text for message in in_format((broken, stray), get_format("qwen_xml")))

    assert "{broken" in text
    assert "lost result" in text
    for name, told in (("g", "Tool result for `g`:"), ("", "Tool result for `tool`:")):
        (found,) = in_format(
            (Message("tool", "lost result", tool_call_id="other", name=name),), get_format("json_scaffold")
        )
        assert found.text.startswith(told)


QWEN: Format = get_format("qwen_xml")
CALLED = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def answered(*texts: str) -> str:
    """Results as they go back in this format; only their text counts here."""
    return "\n".join(f"<tool_response>\n{text}\n</tool_response>" for text in texts)


def test_turns_and_results_stand_in_order_in_the_formats_own_way() -> None:
    one, two = CALLS[0], NativeCall(0, "c3", "get_weather", "")
    talk = (
        Message("tool", "early", tool_call_id="c1"),
        Message("user", "Weather?"),
        Message("assistant", "", (one,)),
        Message("tool", "sunny", tool_call_id="c1"),
        Message("user", "And?"),
        Message("assistant", "Hm.", (two,)),
        Message("tool", "a", tool_call_id="c3"),
        Message("tool", "b", tool_call_id="c1"),
    )
    found = in_format(talk, QWEN)
    assert [message.role for message in found] == ["user", "user", "assistant", "user", "user", "assistant", "user"]
    assert [message.text.count("<tool_response>") for message in found] == [1, 0, 0, 1, 0, 0, 2]
    assert found[2].text == CALLED
    assert found[5].text == 'Hm.\n<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>'
    for at, words in ((0, ["early"]), (3, ["sunny"]), (6, ["a", "b"])):
        assert all(f'"result": "{word}"' in found[at].text for word in words)
        assert '"success": true' in found[at].text


@pytest.mark.parametrize("arguments", ["[1]", "5", "{broken", "[" * 100_000])
def test_arguments_that_are_no_object_stand_under_a_key_of_their_own(arguments: str) -> None:
    (turn,) = in_format((Message("assistant", None, (NativeCall(0, "c1", "f", arguments),)),), QWEN)
    (call,) = QWEN.parse(turn.text).calls
    assert call.arguments == {"arguments": arguments}

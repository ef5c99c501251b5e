from __future__ import annotations

from workbench.scan.readers.log_state import LogState, json_in, lost, served, unquoted, without_text
from workbench.scan.reply import Channel, FoundReply


def test_texts_are_unquoted_and_objects_found() -> None:
    assert (unquoted("'a\\nb'"), unquoted("'broken\\x'")) == ("a\nb", "broken\\x")
    assert (json_in('x {"a": 1} y'), json_in("x"), json_in("{broken")) == ({"a": 1}, None, None)


def test_what_the_log_says_goes_with_the_reply() -> None:
    state = LogState("x.log", model="m")
    assert (
        served(FoundReply("", line=3), state, "LM Studio").model,
        served(FoundReply("", model="n"), state, "s").model,
    ) == (
        "m",
        "n",
    )
    reply = lost("said", "why", state, "Ollama", "the record")
    assert (reply.channel, reply.error, reply.source_text) == (Channel.LOST, "why", "the record")


def test_losses_without_a_text_are_told_where_no_reply_is_logged() -> None:
    state = LogState("x.log")
    assert without_text("why", state, "vLLM", "the record") == []
    assert [reply.error for reply in state.finish()] == ["why"]
    state.outputs = True
    assert list(state.finish()) == []

from __future__ import annotations

import json

import pytest

from tests.kit.agents import CLAUDE_CODE, CODEX
from tests.kit.gateway import ASK
from workbench.core.errors import InvalidInput
from workbench.core.exchange import CallDelta, FinishDelta, NoticeDelta, TextDelta
from workbench.gateway.reply_document import blank_reply, for_client, read_reply, reply_document
from workbench.wires import get_server
from workbench.wires.kit.deltas import SEND_BACK
from workbench.wires.kit.server import ReplyHead, fold

DELTAS = [TextDelta("I look. "), CallDelta(0, "call_1", "read_file", '{"path": "a.txt"}'), FinishDelta("tool_calls")]
BODIES = {"openai_chat": ASK, "anthropic_messages": CLAUDE_CODE, "openai_responses": CODEX, "ollama_chat": ASK}


def head(wire: str) -> ReplyHead:
    return ReplyHead(get_server(wire).read(json.dumps(BODIES[wire]).encode()), "1", 1)


@pytest.mark.parametrize("wire", BODIES)
def test_a_reply_goes_into_a_document_and_back(wire: str) -> None:
    one = head(wire)
    document = reply_document(get_server(wire), one, DELTAS)
    assert "\n" in document
    reply = fold(read_reply(document.replace("a.txt", "b.txt"), one.served))
    assert reply.text == "I look. "
    (call,) = reply.calls
    assert (call.name, json.loads(call.arguments)) == ("read_file", {"path": "b.txt"})


@pytest.mark.parametrize("wire", BODIES)
def test_a_blank_reply_can_be_given_as_it_is(wire: str) -> None:
    one = head(wire)
    assert "Write the answer here" in fold(read_reply(blank_reply(get_server(wire), one), one.served)).text


@pytest.mark.parametrize(
    ("name", "arguments"), [("files.read", '{"path": "a"}'), ("apply_patch", '{"input": "*** Begin"}')]
)
def test_tools_that_the_client_knows_otherwise_come_back_under_their_neutral_names(name: str, arguments: str) -> None:
    one = head("openai_responses")
    deltas = [CallDelta(0, "c", name, arguments), FinishDelta("tool_calls")]
    (call,) = fold(read_reply(reply_document(get_server("openai_responses"), one, deltas), one.served)).calls
    assert (call.name, json.loads(call.arguments)) == (name, json.loads(arguments))


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "not valid JSON"),
        ("[]", "not a JSON object"),
        ('{"choices": []}', "reply"),
        ('{"error": {"message": "x"}}', "x"),
    ],
)
def test_a_document_that_no_client_could_read_is_refused(document: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_reply(document, head("openai_chat").served)


def test_what_a_maker_wants_back_goes_to_its_own_clients_only() -> None:
    notice = NoticeDelta(SEND_BACK, "", data={"anthropic_messages": {}})
    assert for_client([notice], head("openai_chat").served) == []
    assert for_client([notice], head("anthropic_messages").served) == [notice]

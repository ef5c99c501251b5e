"""What our own server side writes, our client side reads back, streamed and whole."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.playbook import Reply, fold, read
from workbench.core.exchange import CallDelta, Delta, FinishDelta, ReasoningDelta, TextDelta, Usage, UsageDelta
from workbench.wires import anthropic_messages_server as messages
from workbench.wires import completion_server as completion
from workbench.wires import gemini_generate_server as gemini
from workbench.wires import ollama_chat_server as ollama
from workbench.wires import openai_chat_server as chat
from workbench.wires import openai_responses_server as responses

QUICK = settings(max_examples=60, deadline=None)
TEXT = st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=6)
OBJECTS = st.dictionaries(TEXT, st.integers() | TEXT, max_size=2).map(
    lambda value: json.dumps(value, ensure_ascii=False)
)


@st.composite
def replies(draw: st.DrawFn) -> list[Delta]:
    """Reasoning, text and calls in pieces, then counts and a reason."""
    out: list[Delta] = [ReasoningDelta(piece) for piece in draw(st.lists(TEXT, max_size=3))]
    out += [TextDelta(piece) for piece in draw(st.lists(TEXT, max_size=3))]
    for number in range(draw(st.integers(0, 3))):
        arguments, cut = draw(OBJECTS), draw(st.integers(0, 8))
        out.append(CallDelta(number, f"toolu_{number}", "f", arguments[:cut]))
        if arguments[cut:]:
            out.append(CallDelta(number, "", "", arguments[cut:]))
    called = any(isinstance(delta, CallDelta) for delta in out)
    return [*out, UsageDelta(Usage(7, 3)), FinishDelta("tool_calls" if called else "stop")]


def same(got: Reply, deltas: list[Delta]) -> None:
    wanted = fold(deltas)
    assert got.faults == []
    assert (got.text, got.reasoning, got.usage[:2]) == (wanted.text, wanted.reasoning, (7, 3))
    assert [(c.id, c.name, json.loads(c.arguments or "{}")) for c in got.calls] == [
        (c.id, c.name, json.loads(c.arguments)) for c in wanted.calls
    ]


@QUICK
@given(deltas=replies())
def test_chat(deltas: list[Delta]) -> None:
    head = chat.ReplyHead("c", "m", 1)
    stream = chat.ChatStream(head, include_usage=True)
    body = stream.start() + b"".join(stream.feed(delta) for delta in deltas) + stream.finish()
    same(read("openai_chat", body), deltas)
    same(read("openai_chat", chat.reply_body(head, deltas), stream=False), deltas)


@QUICK
@given(deltas=replies())
def test_anthropic(deltas: list[Delta]) -> None:
    head = messages.MessageHead("msg", "m")
    stream = messages.MessageStream(head)
    body = stream.start() + b"".join(stream.feed(delta) for delta in deltas) + stream.finish()
    same(read("anthropic_messages", body), deltas)
    same(read("anthropic_messages", messages.reply_body(head, deltas), stream=False), deltas)


@QUICK
@given(deltas=replies())
def test_gemini(deltas: list[Delta]) -> None:
    head = gemini.ResponseHead("r", "m")
    stream = gemini.ResponseStream(head)
    body = stream.start() + b"".join(stream.feed(delta) for delta in deltas) + stream.finish()
    same(read("gemini_generate", body), deltas)
    same(read("gemini_generate", gemini.reply_body(head, deltas), stream=False), deltas)


@QUICK
@given(deltas=replies())
def test_responses(deltas: list[Delta]) -> None:
    head = responses.ResponseHead("resp", "m", 1)
    stream = responses.EventStream(head)
    body = stream.start() + b"".join(stream.feed(delta) for delta in deltas) + stream.finish()
    same(read("openai_responses", body), deltas)
    same(read("openai_responses", responses.reply_body(head, deltas), stream=False), deltas)


@QUICK
@given(deltas=replies())
def test_ollama(deltas: list[Delta]) -> None:
    head = ollama.LineHead("m", 1)
    stream = ollama.LineStream(head)
    body = stream.start() + b"".join(stream.feed(delta) for delta in deltas) + stream.finish()
    same(read("ollama_chat", body), deltas)
    same(read("ollama_chat", ollama.reply_body(head, deltas), stream=False), deltas)


@QUICK
@given(texts=st.lists(TEXT, max_size=5))
def test_completion(texts: list[str]) -> None:
    deltas: list[Delta] = [*(TextDelta(text) for text in texts), UsageDelta(Usage(7, 3)), FinishDelta("stop")]
    stream = completion.CompletionStream("m")
    body = stream.start() + b"".join(stream.feed(delta) for delta in deltas) + stream.finish()
    same(read("completion", body), deltas)
    same(read("completion", completion.reply_body("m", deltas), stream=False), deltas)

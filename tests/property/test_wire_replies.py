"""What our own server side writes, our client side reads back, streamed and whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.playbook import Reply, fold
from tests.kit.playbook import read as reply_of
from tests.kit.serving import head, streamed
from workbench.core.exchange import CallDelta, Delta, FinishDelta, ReasoningDelta, TextDelta, Usage, UsageDelta
from workbench.wires import get_server, table

QUICK = settings(max_examples=60)
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
@pytest.mark.parametrize("wire", [row.id for row in table.WIRES if row.server and row.native])
@given(deltas=replies())
def test_reply_with_calls(wire: str, deltas: list[Delta]) -> None:
    at = head(wire, stream_options={"include_usage": True})
    same(reply_of(wire, streamed(at, deltas)), deltas)
    same(reply_of(wire, get_server(wire).whole(at, deltas), stream=False), deltas)


@QUICK
@given(texts=st.lists(TEXT, max_size=5))
def test_completion(texts: list[str]) -> None:
    deltas: list[Delta] = [*(TextDelta(text) for text in texts), UsageDelta(Usage(7, 3)), FinishDelta("stop")]
    at = head("completion", path="/completion")
    same(reply_of("completion", streamed(at, deltas)), deltas)
    same(reply_of("completion", get_server("completion").whole(at, deltas), stream=False), deltas)

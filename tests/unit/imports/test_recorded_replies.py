from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.recorded import WEATHER, events_of
from workbench.core.errors import InvalidInput
from workbench.core.run_summary import summarize
from workbench.core.verdict import Basis, VerdictState
from workbench.imports.choose_format import with_formats
from workbench.imports.items import Item, NotCarried, ReadOptions
from workbench.imports.recorded import RecordedReply
from workbench.imports.recorded_replies import UNKNOWN_MODEL, UNKNOWN_PROMPT, is_reply, read_replies, reply_of
from workbench.imports.rows import BadRow, FileRow

TOOLS = [WEATHER.to_openai()]
EXPECT = {"calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}
CALL = {"id": "a", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'}}
TEXT = '[get_weather(city="Rome")]'
CHAT = {"model": "gpt", "choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [CALL]}}]}
SSE = f"data: {json.dumps({'model': 'gpt', 'choices': [{'index': 0, 'delta': {'tool_calls': [{'index': 0, **CALL}]}}]})}\n\ndata: [DONE]\n\n"


def reply(value: Any, **options: Any) -> RecordedReply:
    return reply_of(FileRow("r.jsonl, line 3", value, 3), "r", ReadOptions(**options))


def state(value: dict[str, Any]) -> tuple[VerdictState, Basis]:
    (chosen,) = with_formats([reply(value)])
    assert isinstance(chosen, RecordedReply)
    verdict = events_of(chosen)[1].verdict
    return verdict.state, verdict.basis


@pytest.mark.parametrize(
    "said",
    [
        {"raw": TEXT},
        {"chunks": [TEXT[:5], {"text": TEXT[5:]}]},
        {"message": {"role": "assistant", "content": None, "tool_calls": [CALL]}},
        {"text": "", "tool_calls": [{"id": "a", "name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"reply": CHAT},
        {"reply": SSE},
    ],
)
def test_what_was_said_in_every_way(said: dict[str, Any]) -> None:
    assert is_reply(said)
    assert state({**said, "tools": TOOLS, "expect": EXPECT}) == (VerdictState.PASS, Basis.EXPECTATION)
    assert state({**said, "tools": TOOLS, "expect": "no_call"}) == (VerdictState.FAIL, Basis.EXPECTATION)
    assert state({**said, "tools": TOOLS}) == (VerdictState.PASS, Basis.INTRINSIC)


def test_a_row_may_be_the_providers_answer_itself() -> None:
    found = reply(CHAT)

    assert is_reply(CHAT)
    assert (found.model, found.structured, found.case.messages[0].text) == ("gpt", True, UNKNOWN_PROMPT)


@pytest.mark.parametrize("said", [{"raw": TEXT}, {"reply": CHAT}])
def test_unknown_tools_are_those_that_were_called(said: dict[str, Any]) -> None:
    (chosen,) = with_formats([reply(said)])
    assert isinstance(chosen, RecordedReply)
    run = summarize(events_of(chosen)[0])

    assert list(run.tools) == ["get_weather"]
    assert run.calls[0].arguments == {"city": "Rome"}


def test_everything_else_of_a_row() -> None:
    found = reply({
        "raw": TEXT, "id": "x", "model": "m", "format": "Pythonic", "prompt": "Weather?", "title": "T", "tags": ["a"], "suite": "s",
        "seconds": 1.5, "started": "2026-05-01T12:00:00Z", "usage": {"prompt_tokens": 3}, "finish_reason": "length", "tools": TOOLS,
    })  # fmt: skip

    assert (found.case.id, found.model, found.format, found.case.title, found.case.tags) == (
        "x",
        "m",
        "pythonic",
        "T",
        ("a",),
    )
    assert (found.suite, found.duration_us, found.started_us) == ("s", 1_500_000, 1_777_636_800_000_000)
    body = json.loads(found.body)
    assert (body["usage"]["prompt_tokens"], body["choices"][0]["finish_reason"]) == (3, "length")
    assert (reply({"raw": ""}).case.id, reply({"raw": ""}).model, reply({"raw": ""}).suite) == (
        "r-3",
        UNKNOWN_MODEL,
        "r",
    )
    said = reply({"raw": "", "model": "m"}, model="n", suite="t", format="react")
    assert (said.model, said.suite, said.format) == ("n", "t", "react")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (5, "is not an object"),
        ({"raw": 5}, "tells of no reply"),
        ({"reply": {"a": 1}}, "no known protocol"),
        ({"raw": "", "format": "nope"}, "no format 'nope'"),
        ({"raw": "", "seconds": "x"}, "'seconds' is 'x'"),
        ({"raw": "", "started": "soon"}, "'started' is 'soon'"),
        ({"raw": "", "expect": {"call": 1}}, "unknown key 'call'"),
        ({"text": "", "tool_calls": [{"arguments": {}}]}, "has no name"),
        ({"message": {"role": "x"}}, "has the role"),
    ],
)
def test_bad_rows_are_named(value: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        reply(value)
    assert "r.jsonl, line 3" in str(caught.value)


def test_a_file_is_read_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(f"{json.dumps({'raw': 'Hi', 'extra': 1})}\n{{\n{json.dumps({'raw': 3})}\n{json.dumps(CHAT)}\n")
    found: list[Item] = list(read_replies([path], ReadOptions(), lambda _: None))

    assert [type(item) for item in found] == [RecordedReply, NotCarried, BadRow, BadRow, RecordedReply]
    assert found[1] == NotCarried("the field 'extra' of rows")

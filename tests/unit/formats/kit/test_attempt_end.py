"""One attempt is read by its grammar, and its end is the parser's."""

from __future__ import annotations

import pytest

from workbench.formats import get_format
from workbench.formats.kit.attempt_end import AttemptEnd, begins_call
from workbench.formats.kit.grammar import Grammar


def grammar(name: str) -> Grammar:
    found: Grammar = get_format(name).grammar  # type: ignore[attr-defined]
    return found


CODER = "<function=f>\n<parameter=a>\nx </tool_call> y\n</parameter>\n</function>\n</tool_call>"


@pytest.mark.parametrize(
    ("name", "opener", "body", "after"),
    [
        ("qwen_xml", "<tool_call>", '{"name": "f", "arguments": {"a": "</tool_call>"}}</tool_call>', " Bye."),
        ("qwen3_coder_xml", "<tool_call>", CODER, " Bye."),
        ("qwen3_coder_xml", "<tool_call>", CODER, ""),
        ("mistral_args", "[TOOL_CALLS]", 'f[ARGS]{"a": "[ARGS]"}', " Bye."),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_the_end_is_behind_the_call(name: str, opener: str, body: str, after: str, size: int) -> None:
    reading, text = AttemptEnd(grammar(name), opener), body + after
    for at in range(0, len(text), size):
        reading.feed(text[at : at + size])
    reading.finish()
    assert reading.decided
    assert (opener + text)[: reading.end] == opener + body


@pytest.mark.parametrize(
    "body",
    [
        "", " is a tag.", '{"name": "f", "arguments": {"a": 1', "{oops}</tool_call>", "</tool_call>",
        '{"name": "f", "arguments": {"a": 1}}',
    ],
)  # fmt: skip
def test_incomplete_call_has_no_end(body: str) -> None:
    reading = AttemptEnd(grammar("qwen_xml"), "<tool_call>")
    if body:
        reading.feed(body)
    reading.finish()
    assert (reading.decided, reading.end) == (True, -1)


def test_only_a_marker_of_its_own_begins_a_call() -> None:
    assert begins_call(grammar("qwen_xml"), "<tool_call>")
    assert begins_call(grammar("kimi_k3"), '<|open|>call tool="f" index="1"<|sep|>')
    assert begins_call(grammar("deepseek_v3"), "<｜tool▁calls▁begin｜>")
    assert not begins_call(grammar("qwen_xml"), "<toolcall>")
    assert not begins_call(grammar("react"), "<tool_call>")
    assert not begins_call(grammar("qwen_xml"), "</tool_call>")

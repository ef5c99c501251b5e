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
    assert begins_call(grammar("internlm"), "<|action_start|><|plugin|>")
    assert not begins_call(grammar("internlm"), "<|action_start|>")
    assert not begins_call(grammar("qwen_xml"), "<toolcall>")
    assert not begins_call(grammar("react"), "<tool_call>")
    assert not begins_call(grammar("qwen_xml"), "</tool_call>")


@pytest.mark.parametrize(
    ("name", "opener", "pieces", "ends"),
    [
        ("qwen_xml", "<tool_call>", ['{"name": "f", "arguments": {}}', "</tool_call>", " x"], [-1, 53, 53]),
        ("qwen_xml", "<tool_call>", ['{"name": "f", "arguments": {}}</tool_call>'], [53]),
        ("qwen_xml", "<tool_call>", ["no", " call", "</tool_call>"], [-1, -1, -1]),
        (
            "mistral_json",
            "[TOOL_CALLS]",
            ['[{"name": "f", "arguments": {}}', ', {"name": "g", "arguments": {}}] ok'],
            [-1, 76],
        ),
    ],
)
def test_the_end_is_told_once_it_is_certain(name: str, opener: str, pieces: list[str], ends: list[int]) -> None:
    reading = AttemptEnd(grammar(name), opener)
    assert (reading.decided, reading.end) == (False, -1)
    for piece, end in zip(pieces, ends, strict=True):
        assert reading.feed(piece) is reading.decided
        assert reading.end == end
    decided = reading.end
    reading.finish()
    assert reading.decided
    assert reading.end == decided


def test_of_several_calls_the_end_is_behind_the_last_good_one() -> None:
    good = '{"name": "f", "arguments": {}}'
    for text, end in ((f"[{good}, {good}]", 12 + len(good) * 2 + 4), (f"[{good}, 5]", 12 + 1 + len(good)), ("[5]", -1)):
        reading = AttemptEnd(grammar("mistral_json"), "[TOOL_CALLS]")
        reading.feed(f"{text} ok")
        reading.finish()
        assert reading.end == end, text


def test_the_case_of_a_marker_and_kinds_that_begin_no_call() -> None:
    assert begins_call(grammar("qwen_xml"), "<TOOL_CALL>")
    assert begins_call(grammar("kimi_k3"), '<|OPEN|>CALL TOOL="f" INDEX="1"<|SEP|>')
    assert not begins_call(grammar("qwen_xml"), "<tool_cal")
    assert begins_call(grammar("anthropic_xml"), "<RIVOKE NAME=")
    assert begins_call(grammar("llama31_function"), "<function=f>")


@pytest.mark.parametrize("behind", [" and so on <b> it is", "\n\nSo it is, with more words"])
def test_a_call_without_its_closing_tag_ends_where_text_follows(behind: str) -> None:
    reading = AttemptEnd(grammar("qwen_xml"), "<tool_call>")
    assert reading.feed(f'{{"name": "f", "arguments": {{}}}}{behind}')
    assert reading.end == len('<tool_call>{"name": "f", "arguments": {}}')

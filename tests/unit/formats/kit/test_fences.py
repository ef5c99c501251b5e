"""Which fenced calls are meant."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
CALL = '{"tool": "now", "arguments": {}}'
TAGGED = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'


@pytest.mark.parametrize(
    ("raw", "calls"),
    [
        (f"```json\n{CALL}\n```", 1),
        (f"I look.\n```json\n{CALL}\n```\nThen I answer.", 1),
        (f"I look.\n```\n{CALL}\n```", 1),
        (f"```\n{CALL}\n```\nThis is how.", 0),
        (f"Use:\n```python\n{CALL}\n```", 0),
        (f"For example:\n```json\n{CALL}\n```", 0),
        (f"~~~json\n{CALL}\n~~~", 1),
        (f"```json{CALL}```", 1),
        (f"  ```json\n  {CALL}\n  ```", 1),
    ],
)
def test_without_markers(raw: str, calls: int) -> None:
    result = get_format("json_scaffold").parse(raw, SPECS)
    assert len(result.calls) == calls
    if not calls:
        assert result.text == raw
        assert result.outcome is Outcome.IGNORED


def test_two_calls_in_one_fence() -> None:
    result = get_format("qwen_xml").parse(f"```\n{TAGGED}\n{TAGGED}\n```", SPECS)
    assert [call.repairs for call in result.calls] == [("fenced",), ("fenced",)]


def test_a_fence_inside_an_argument_is_data() -> None:
    body = '{"name": "write_file", "arguments": {"path": "a", "content": "```\\n```"}}'
    result = get_format("qwen_xml").parse(f"```\n<tool_call>{body}</tool_call>\n```", SPECS)
    assert result.calls[0].arguments["content"] == "```\n```"


def test_code_goes_on_after_the_fence() -> None:
    result = get_format("qwen_xml").parse(f"```py\nx = 1\n```\n{TAGGED}", SPECS)
    assert (len(result.calls), result.text) == (1, "```py\nx = 1\n```")


@pytest.mark.parametrize(
    ("form", "head", "end"),
    [
        ("harmony", "<|channel|>analysis<|message|>", "<|end|>"),
        ("beam", "<|channel|>analysis<|message|>", "<|end|>"),
        ("muse_glimmer", "<|channel|>analysis<|message|>", "<|end|>"),
        ("react", "Thought: ", "\nAction: "),
    ],
)
def test_a_fenced_thought_is_read_the_same_in_pieces(form: str, head: str, end: str) -> None:
    """What stands in a fence may be text after all: nothing of it is let go before that is known."""
    spec = get_format(form)
    for after in ("", "<", end, f"{end} x\n```", f"{end}\n```\nThat is it."):
        text = f"So:\n```{head}hm{after}"
        for cut in range(1, len(text)):
            pieces = spec.parser(None)
            pieces.feed(text[:cut])
            pieces.feed(text[cut:])
            pieces.finish()
            assert pieces.result() == spec.parse(text)

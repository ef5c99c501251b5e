"""What stands before the arguments of a call."""

from __future__ import annotations

import pytest

from workbench.formats.sanitizer.call_head import read_head


@pytest.mark.parametrize(
    ("text", "rest", "name", "fenced"),
    [
        ('{"a": 1}', '{"a": 1}', "", False),
        ("get_weather\n{}", "{}", "get_weather", False),
        ("function<｜tool▁sep｜>get_weather\n```json\n{}", "{}", "function", True),
        ("get_weather[CALL_ID]a1B2c3D4e[ARGS]{}", "{}", "get_weather", False),
        ("functions.get_weather:0<|tool_call_argument_begin|>{}", "<|tool_call_argument_begin|>{}", "functions.get_weather:0", False),
        ("call:get_weather{a:1}", "{a:1}", "call:get_weather", False),
        ("  and so on", "so on", "and", False),
    ],
)  # fmt: skip
def test_heads(text: str, rest: str, name: str, fenced: bool) -> None:
    head = read_head(text, 0, True, named=True)
    assert head
    if "argument_begin" not in text:
        assert text[head.end :] == rest
    assert (head.name, head.fenced) == (name, fenced)


@pytest.mark.parametrize("text", ["get_wea", "f<｜tool▁s", "f\n``", "f\n```js", "[get_wea", ""])
def test_a_stream_waits(text: str) -> None:
    assert read_head(text, 0, False, named=True) is None
    assert read_head(text, 0, True, named=True) is not None


def test_only_the_head_of_a_call_is_telling() -> None:
    telling = [read_head(text, 0, True, named=True) for text in ("get_weather", "f<|plugin|>", "Hello")]
    assert [head.telling for head in telling if head] == [True, True, False]

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.kit.recorded import expecting, replied
from workbench.imports import choose_format
from workbench.imports.choose_format import with_formats
from workbench.imports.items import Item, NotCarried
from workbench.imports.recorded import RecordedReply

CASE = expecting()
LIST = '[get_weather(city="Rome")]'
TAG = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def reply(text: str, model: str = "m", **more: object) -> RecordedReply:
    return replace(replied(CASE, text), format="", model=model, **more)  # type: ignore[arg-type]


def formats(*items: Item) -> list[str]:
    return [item.format for item in with_formats(items) if isinstance(item, RecordedReply)]


@pytest.mark.parametrize(
    ("text", "model", "expected"),
    [
        (LIST, "m", "pythonic"),
        (TAG, "m", "qwen_xml"),
        (TAG, "qwen3-8b", "qwen_xml"),
        ("No.", "m", "native_openai"),
        ("No.", "qwen3-8b", "qwen_xml"),
    ],
)
def test_the_replies_and_the_name_decide(text: str, model: str, expected: str) -> None:
    assert formats(reply(text, model), reply("No.", model)) == [expected] * 2


def test_structured_calls_are_native() -> None:
    assert formats(reply("No."), reply(LIST, structured=True)) == ["native_openai"] * 2


def test_each_model_has_one_format_and_what_was_said_counts() -> None:
    said = replace(reply(LIST), format="react")
    assert formats(reply("No.", "a"), reply(TAG, "b"), said, reply(LIST, "a")) == [
        "pythonic",
        "qwen_xml",
        "react",
        "pythonic",
    ]


def test_the_order_is_kept_and_little_is_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose_format, "AHEAD", 2)
    taken: list[Item] = []

    def source() -> Iterator[Item]:
        for item in (reply("1"), NotCarried("x"), reply("2"), reply("3")):
            taken.append(item)
            yield item

    found = with_formats(source())
    first = next(found)
    assert isinstance(first, RecordedReply)
    assert (first.text, len(taken)) == ("1", 3)
    assert [getattr(item, "text", "x") for item in found] == ["x", "2", "3"]

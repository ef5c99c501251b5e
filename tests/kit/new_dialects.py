"""Calls in markup that no format reads, as invented models write them: texts, and what each calls."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.kit.scanning import WEATHER, chat_reply, written
from workbench.core.tools import ToolSpec

READ_FILE = ToolSpec("read_file", "", {"type": "object", "properties": {"path": {"type": "string"}}})
TOOLS = (WEATHER, READ_FILE)
ROME, OSLO, FILE = (
    ("get_weather", {"city": "Rome"}),
    ("get_weather", {"city": "New Oslo", "days": 3}),
    ("read_file", {"path": "a/b.txt"}),
)


class NewDialect(NamedTuple):
    """One of them: how Rome, New Oslo for three days, and a file are asked for."""

    name: str
    rome: str
    oslo: str
    file: str

    @property
    def texts(self) -> list[str]:
        """Replies with a call each."""
        return [self.rome, f"Let me look. {self.oslo}\nDone.", f"I read it.\n{self.file}"]


DIALECTS = (
    NewDialect(
        "bars", "<<call get_weather city :: Rome>>", "<<call get_weather city :: New Oslo | days :: 3>>",
        "<<call read_file path :: a/b.txt>>",
    ),
    NewDialect(
        "quotes", "{{#tool get_weather city='Rome'}}", "{{#tool get_weather city='New Oslo' days=3}}",
        "{{#tool read_file path='a/b.txt'}}",
    ),
    NewDialect(
        "json", '<<use get_weather {"city": "Rome"}>>', '<<use get_weather {"city": "New Oslo", "days": 3}>>',
        '<<use read_file {"path": "a/b.txt"}>>',
    ),
    NewDialect(
        "ends", "<~run:get_weather>city=Rome</~run>", "<~run:get_weather>city=New Oslo; days=3</~run>",
        "<~run:read_file>path=a/b.txt</~run>",
    ),
    NewDialect(
        "name_inside", '[[do]]{"tool": "get_weather", "args": {"city": "Rome"}}[[/do]]',
        '[[do]]{"tool": "get_weather", "args": {"city": "New Oslo", "days": 3}}[[/do]]',
        '[[do]]{"tool": "read_file", "args": {"path": "a/b.txt"}}[[/do]]',
    ),
)  # fmt: skip


MORE = (
    NewDialect(
        "tokens", '<|act_start|>get_weather<|args|>{"city": "Rome"}<|act_end|>',
        '<|act_start|>get_weather<|args|>{"city": "New Oslo", "days": 3}<|act_end|>',
        '<|act_start|>read_file<|args|>{"path": "a/b.txt"}<|act_end|>',
    ),
    NewDialect(
        "attributes", '<act tool="get_weather" city="Rome"/>', '<act tool="get_weather" city="New Oslo" days="3"/>',
        '<act tool="read_file" path="a/b.txt"/>',
    ),
    NewDialect(
        "sections", "[TOOL: get_weather]\ncity = Rome\n[END TOOL]", "[TOOL: get_weather]\ncity = New Oslo\ndays = 3\n[END TOOL]",
        "[TOOL: read_file]\npath = a/b.txt\n[END TOOL]",
    ),
)  # fmt: skip
"""Further classes: special tokens with one between, attributes of a tag, a closer on a line of its own."""


def unknown_calls(path: Path) -> Path:
    """Replies with calls in markup that no format reads, beside the requests with their tools."""
    request = {
        "model": "new-7b",
        "messages": [{"role": "user", "content": "?"}],
        "tools": [one.to_openai() for one in TOOLS],
    }
    return written(path, *({"request": request, "response": chat_reply(text)} for text in DIALECTS[0].texts))

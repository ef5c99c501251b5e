"""Calls in markup that no format reads, as invented models write them: texts, and what each calls."""

from __future__ import annotations

import json
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


def _lines(head: str, end: str, pair: str) -> tuple[str, str, str]:
    """The three calls of a dialect that gives arguments one by one."""
    made = []
    for name, arguments in (ROME, OSLO, FILE):
        pairs = [pair.format(key=key, value=value) for key, value in arguments.items()]
        made.append(head.format(name=name) + "".join(pairs) + end.format(name=name))
    return (made[0], made[1], made[2])


def _json(pattern: str) -> tuple[str, str, str]:
    """The three calls of a dialect that gives arguments as JSON."""
    made = [
        pattern.replace("NAME", name).replace("ARGS", json.dumps(arguments)) for name, arguments in (ROME, OSLO, FILE)
    ]
    return (made[0], made[1], made[2])


HARDER = (
    NewDialect("json_in_a_tag", *_json('<fn name="NAME">ARGS</fn>')),
    NewDialect("nested_tags", *_lines('<fn name="{name}">', "</fn>", '<arg name="{key}">{value}</arg>')),
    NewDialect("yaml_lines", *_lines("---tool: {name}\nargs:", "\n---end", "\n  {key}: {value}")),
    NewDialect("name_on_a_line_of_its_own", *_json(">>tool NAME\nARGS")),
    NewDialect("word_before", *_json('TOOL_CALL: {"tool": "NAME", "args": ARGS}')),
    NewDialect("list_of_name_and_arguments", *_json('<|call|>["NAME", ARGS]<|/call|>')),
    NewDialect("key_is_the_name", *_json('<do>{"NAME": ARGS}</do>')),
    NewDialect(
        "closer_with_the_name", *_lines("\u27e6run {name}\u27e7", "\u27e6/run {name}\u27e7", ' {key}="{value}"')
    ),
    NewDialect("tags_for_key_and_value", *_lines("<tc><n>{name}</n>", "</tc>", "<k>{key}</k><v>{value}</v>")),
    NewDialect("flags", *_lines("#!{name}", " #!end", ' --{key} "{value}"')),
    NewDialect("ends_with_its_line", *_lines("\u00a7call {name}", "", " {key}={value};")),
)
"""Markers that enclose each argument, that bear the name, that are signs alone, or that nothing closes."""

"""What a scanner remembers of calls that are written alike changes no reading, whatever stands in them and between them."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.formats import list_formats
from workbench.formats.kit import scanner
from workbench.formats.kit.spec import FormatSpec

SPECS = tuple(TOOLS.values())
FORMATS = [spec for spec in list_formats() if isinstance(spec, FormatSpec) and spec.grammar.steady]
OPENERS = (
    ("<tool_call>", "</tool_call>"), ("<function_call>", "</function_call>"), ("[TOOL_CALLS]", ""), ("", ""),
    ("<|tool_call>", "<tool_call|>"), ("<TOOLCALL>", "</TOOLCALL>"),
)  # fmt: skip
WORDS = (
    "Rome",
    "a b",
    "true",
    "null",
    "12",
    'x"y',
    "</tool_call>",
    "{}",
    "[1]",
    "<b>",
    " x ",
    "a\nb",
    "Action: x",
    "`c`",
    "",
    "User:",
)
BETWEEN = (
    "\n", "", " ", "\n\n", "So:\n", "For example:\n", "`", "```json\n", "> ", "}", ",", "\n\nUser: hi\n", "<think>hm</think>",
    "Do not write ", "]",
)  # fmt: skip
NAMES = (*("get_weather",) * 6, "now", "nothing", "getWeather", "get-weather")
KEYS = (*(("name", "arguments"),) * 4, ("name", "parameters"), ("tool", "arguments"), ("name", "args"))
ODD_KEYS = ("city", "arguments", "parameters", "input", "name", "properties")
PLACES = ("Rome", "Oslo", "Bern", "Paris")


def value(dice: random.Random) -> Any:
    odd: tuple[Any, ...] = (*WORDS, None, True, 3, {"type": "string"}, {"k": 1}, ["x"])
    return dice.choice(PLACES) if dice.random() < 0.6 else dice.choice(odd)


def arguments(dice: random.Random) -> dict[str, Any]:
    if dice.random() < 0.8:
        return {"city": value(dice), "days": dice.randrange(400)}
    return {key: value(dice) for key in dice.sample(ODD_KEYS, dice.randrange(4))}


def pair(dice: random.Random, key: str, given: Any) -> str:
    written = given if isinstance(given, str) else json.dumps(given)
    return f"<arg_key>{key}</arg_key>{dice.choice(('', '', ' '))}\n<arg_value>{written}</arg_value>\n"


def text(dice: random.Random) -> str:
    """Calls between one pair of tags, now and then with something odd in them or between them."""
    (opener, closer), (name, key) = dice.choice(OPENERS), dice.choice(KEYS)
    calls = [json.dumps({name: dice.choice(NAMES), key: arguments(dice)}) for _ in range(dice.randint(5, 14))]
    if dice.random() < 0.3:
        calls = [f"get_weather\n{''.join(pair(dice, *one) for one in arguments(dice).items())}" for _ in calls]
        opener, closer = OPENERS[0]
    return "".join(f"{opener}{one}{closer}{dice.choice(BETWEEN[:1] * 20 + BETWEEN)}" for one in calls)


@pytest.mark.parametrize("spec", FORMATS, ids=lambda spec: spec.id)
def test_remembered_calls_are_read_as_ever(spec: FormatSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(spec.id)
    for _ in range(12):
        written, tools = text(dice), dice.choice((SPECS, SPECS, SPECS, None))
        monkeypatch.setattr(scanner, "LEAST", 1 << 30)
        anew = spec.parse(written, tools)
        monkeypatch.setattr(scanner, "LEAST", 0)
        assert spec.parse(written, tools) == anew, written

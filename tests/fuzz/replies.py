"""Makes replies for the long run: each depends on a seed and its number alone.

Six sources take turns: fragments of markers in a row; samples of all formats; turns written by a format's own grammar with
awkward values; two formats in one reply, one behind the other, inside of the other, or half of each; and, rarely, sizes
that hurt (thousands of openers, brackets, quotes, one very long value). All but the last are then mutated. In some, a word,
a name, a gap or a nesting is drawn out to a length of up to 10,000 characters.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.protocols import Format
from workbench.core.tools import ToolSpec
from workbench.formats import list_formats

FORMATS = list_formats()
TEXTS = tuple(spec for spec in FORMATS if not spec.native)
SPECS = tuple(TOOLS.values())
TOOL_SETS: tuple[tuple[ToolSpec, ...] | None, ...] = (SPECS, SPECS, SPECS, SPECS[:1], (), None)
SAMPLES = {spec.id: [case.raw for case in cases() if case.format == spec.id] for spec in FORMATS}
EVERY_SAMPLE = [raw for found in SAMPLES.values() for raw in found]
LARGE = 2000
"""One reply in so many is large."""
STRETCHED = 12
"""One reply in so many has something long in it."""
LONGEST = 10_000
RUNS = (
    "a", "_", "x1", "A", "0", " ", "\n", "\t", " \n", "\r\n", "[", "{", "(", '{"a":', "[[", "<b>", "</b>", "word ", "e, ", "a=1, ", "``", "`", "~", "-", "#", "*", ">",
    ".", ":", "functions.", "\\", "\u3000", "ｆ", "|", "｜", "/", "&lt;", '"', "'",
)  # fmt: skip
"""What is repeated to draw something out."""
WORDS = (
    "Rome", "", " ", "\n", "it's", 'say "hi"', "a, b", "{x}", "[1]", "</tool_call>", "<b>", "\\", "\\n", "ｆ｜ull", "ünï", "\U0001f40d", "\t",
    "```", "</parameter>", "null", "true", "3", "1e999", "Action: now", "<think>", "é́", "\u2028", "0", "Observation:", "x" * 90, "'", '"',
)  # fmt: skip
MARKS = (
    "<tool_call>", "</tool_call>", "<think>", "</think>", "```\n", "```json\n", "`", "{", "}", "[", "]", '"', "'", "\\", ",", ":", ";", "=",
    "<function=now>", "<parameter=city>", "</parameter>", "</function>", "\nAction: now\n", "Action Input: ", "\nObservation:", "[ARGS]",
    "[TOOL_CALLS]", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "get_weather", "now", "(", ")", "<|channel|>", "<|message|>",
    "<|call|>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", '<invoke name="now">', "</invoke>", "<|tool_call>", "call:now{", '<|"|>', ">>>",
    "functools[", "\n", "\n\n", " ", "For example: ", "<|open|>", "<|sep|>", "<|close|>", "]<]minimax[>[", "&lt;tool_call&gt;", "<|im_end|>",
    "<tool_response>", "city", "1", "null", "<|", "|>", "</", "<", ">", "“", "”", "｜", "▁", "\r\n", "\x00", "\ud800", "functions.", ":0", "NaN",
    '{"name":', '"arguments":', "[f(", "y=", "~~~\n", "Act", "function call", "to=functions.now", "\u2060",
    "\n### Action\n", "\n**Action Input**\n", "\n🔧 Action -> now\n", "Ａｃｔｉｏｎ：", "Tool: now\n", "Tool Input: {", "<|im_start|>user", "[INST]", "\n\nUser: ",
    "\n\n# Test\n", "\n\nassert now(", "thought\n", "<channel|>", "[/TOOL_CALLS]", "<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>",
)  # fmt: skip
PROSE = (
    "", "", "Let me look. ", "Sure:\n", "For example, `", "> ", "I will call it.\n\n", '"', "- ", "Final Answer: ", "It's 5 < 6. ",
    "  ", "Sure:\n\t", "<x> ",
)  # fmt: skip


@dataclass(frozen=True)
class Reply:
    """One made-up reply and how it is read."""

    spec: Format
    raw: str
    tools: tuple[ToolSpec, ...] | None
    reason: str | None
    flags: dict[str, bool]
    cuts: tuple[float, ...]
    thorough: bool = True
    """The sanitizer, too, reads it one character at a time."""


def value(dice: random.Random, depth: int = 0) -> Any:
    """Return an argument's value."""
    kind = dice.randrange(9 if depth < 3 else 6)
    if kind < 3:
        return "".join(dice.choice(WORDS) for _ in range(dice.randrange(4)))
    if kind < 6:
        return dice.choice((0, 3, -1, 2.5, True, False, None, 10**20, 1e300))
    if kind < 8:
        return [value(dice, depth + 1) for _ in range(dice.randrange(4))]
    keys = ("a", "city", "name", "arguments", "it's")
    return {dice.choice(keys): value(dice, depth + 1) for _ in range(dice.randrange(3))}


def call(dice: random.Random, form: str) -> ParsedCall:
    """Return a call as it would be read."""
    tool = dice.choice(SPECS)
    keys = [key for key in tool.properties if key in tool.required or dice.random() < 0.5]
    arguments = {key: value(dice) if dice.random() < 0.6 else dice.choice(WORDS) for key in keys}
    name = tool.name if dice.random() < 0.9 else dice.choice(("nope", "Now", "functions.now", "now.now", "get-weather"))
    here = Span(0, 0)
    return ParsedCall(name, arguments, f"call{dice.randrange(10**5):05}", Outcome.STRICT, (), here, here, here, form)


def made(dice: random.Random, spec: Format) -> str:
    """Write a turn by the grammar: prose, reasoning, calls."""
    writer = dice.choice(TEXTS) if spec.native or dice.random() < 0.1 else spec
    calls = [call(dice, writer.id) for _ in range(dice.randrange(1, 4))]
    text = writer.render_turn(dice.choice(PROSE), calls).text if dice.random() < 0.7 else writer.render_call(calls[0])
    if dice.random() < 0.2:
        inner = writer.render_call(calls[-1]) if dice.random() < 0.5 else "Hm."
        text = f"<think>{inner}</think>\n{text}" if dice.random() < 0.7 else f"<think>{inner}\n{text}"
    if dice.random() < 0.1:
        text = f"```{dice.choice(('', 'json', 'python', 'xml', 'tool_code'))}\n{text}\n```"
    return text + dice.choice(PROSE)


def mixed(dice: random.Random, spec: Format) -> str:
    """Put two formats into one reply."""
    one, other = made(dice, spec), made(dice, dice.choice(TEXTS))
    kind, at, end = dice.randrange(3), dice.randrange(len(one) + 1), dice.randrange(len(other) + 1)
    if kind == 0:
        return one + dice.choice(("", "\n", "\n\n", " and ")) + other
    return one[:at] + other + one[at:] if kind == 1 else one[:at] + other[end:]


def large(dice: random.Random, spec: Format) -> str:
    """Repeat something until it hurts, or put a very long value into a call."""
    size = dice.randrange(2_000, 12_000)
    if dice.random() < 0.3:
        text, piece = made(dice, spec), dice.choice(MARKS)
        return text.replace("Rome", piece * (size // len(piece)), 1)
    piece = "".join(dice.choice(MARKS) for _ in range(dice.randrange(1, 4)))
    return dice.choice(PROSE) + piece * (size // len(piece)) + dice.choice(MARKS)


MUTATIONS: tuple[Callable[[random.Random, str, int, int], str], ...] = (
    lambda dice, text, a, b: text[:a] + text[b:],
    lambda dice, text, a, b: text[:a],
    lambda dice, text, a, b: text[:a] + dice.choice(MARKS) + text[a:],
    lambda dice, text, a, b: text[:a] + dice.choice(MARKS) + text[b:],
    lambda dice, text, a, b: text[:a] + text[a:b] * 2 + text[b:],
    lambda dice, text, a, b: text[:a] + text[a : a + 1] * dice.randrange(2, 9) + text[a + 1 :],
    lambda dice, text, a, b: text[:a] + text[a : a + 1] * dice.choice((16, 33, 65, 129, 301, 1001, 10_000)) + text[a:],
    lambda dice, text, a, b: text[:a] + text[a:b].swapcase() + text[b:],
    lambda dice, text, a, b: text.replace('"', dice.choice(("'", "“", '\\"', "&quot;", "")), dice.randrange(1, 9)),
    lambda dice, text, a, b: text.replace("|", dice.choice(("｜", "‖", "")), dice.randrange(1, 9)),
    lambda dice, text, a, b: text.replace("<", dice.choice(("&lt;", "< ", "</", "<<")), dice.randrange(1, 5)),
    lambda dice, text, a, b: text.replace("}", dice.choice(("", "}}", ",}")), dice.randrange(1, 4)),
    lambda dice, text, a, b: text.replace("\n", dice.choice(("", " ", "\r\n", "\n\n")), dice.randrange(1, 9)),
    lambda dice, text, a, b: re.sub(r">([^<>\n]+)</", r">\n  \1\n  </", text),
    lambda dice, text, a, b: text.replace("\n", "\n" + " " * dice.randrange(1, 5)),
    lambda dice, text, a, b: text[:a] + dice.choice(EVERY_SAMPLE) + text[a:],
    lambda dice, text, a, b: text[:a] + dice.choice(EVERY_SAMPLE)[: b - a + 20],
    lambda dice, text, a, b: dice.choice(EVERY_SAMPLE)[-(b - a + 20) :] + text[a:],
)


def reply(seed: int, number: int) -> Reply:
    """Make reply `number` of a seed."""
    dice = random.Random(f"{seed}:{number}")
    spec = FORMATS[number % len(FORMATS)]
    kind = dice.random()
    if dice.randrange(LARGE) == 0:
        raw = large(dice, spec)
    elif kind < 0.1:
        raw = mutated(dice, "".join(dice.choice(MARKS) for _ in range(dice.randrange(24))))
    elif kind < 0.35 and SAMPLES[spec.id]:
        raw = mutated(dice, dice.choice(SAMPLES[spec.id]))
    else:
        raw = mutated(dice, mixed(dice, spec) if kind > 0.8 else made(dice, spec))
    if number % STRETCHED == 5:
        raw = stretched(dice, raw)
    flags = {"think_open": dice.random() < 0.1, "calls_in_reasoning": dice.random() < 0.1}
    cuts = tuple(sorted(dice.random() for _ in range(dice.randrange(1, 9))))
    return Reply(spec, raw, dice.choice(TOOL_SETS), dice.choice((None, "stop", "length")), flags, cuts, number % 8 == 0)


def stretched(dice: random.Random, raw: str) -> str:
    """Draw something out: at any place, or where a word, a number or a gap stands."""
    places = [found.start() for found in re.finditer(r"\b|(?<=\s)|(?=[\[{(<])", raw)]
    at = dice.choice(places) if places and dice.random() < 0.7 else dice.randrange(len(raw) + 1)
    unit = raw[at : at + dice.randrange(1, 4)] if dice.random() < 0.3 and at < len(raw) else dice.choice(RUNS)
    size = int(math.exp(dice.uniform(math.log(8), math.log(LONGEST))))
    return raw[:at] + unit * (size // len(unit) + 1) + raw[at:]


def mutated(dice: random.Random, raw: str) -> str:
    """Damage a reply in up to six places."""
    for _ in range(dice.choice((0, 1, 1, 2, 3, 6))):
        start = dice.randrange(len(raw) + 1)
        raw = dice.choice(MUTATIONS)(dice, raw, start, min(len(raw), start + dice.randrange(1, 14)))[:4000]
    return raw

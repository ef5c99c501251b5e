"""A long run of made-up and mutated replies over all formats; not part of the test suite.

    python tests/fuzz/formats.py --count 1000000 --seed 1
    python tests/fuzz/formats.py --seed 1 --only 4711          one reply again, made smaller as far as it still fails

Every reply is read whole, in one random chunking, and one character at a time. Checked: no exception, no difference between
the readings or between result and events, no marker left in the sanitized text, no number that is not finite, spans inside
the text. Each reply depends on the seed and its number alone, and none is kept: memory stays the same however long it runs.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.calls import CallRead, Outcome, ParsedCall, ParseResult, ProblemRead, ReasoningRead, Span, TextRead
from workbench.core.protocols import Format
from workbench.core.tools import ToolSpec
from workbench.formats import list_formats
from workbench.formats.sanitize import leaked_markers, sanitize

FORMATS = list_formats()
TEXTS = tuple(spec for spec in FORMATS if not spec.native)
SPECS = tuple(TOOLS.values())
TOOL_SETS: tuple[tuple[ToolSpec, ...] | None, ...] = (SPECS, SPECS, SPECS, SPECS[:1], (), None)
SAMPLES = {spec.id: [case.raw for case in cases() if case.format == spec.id] for spec in FORMATS}
EVERY_SAMPLE = [raw for found in SAMPLES.values() for raw in found]
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
)  # fmt: skip
PROSE = (
    "",
    "",
    "Let me look. ",
    "Sure:\n",
    "For example, `",
    "> ",
    "I will call it.\n\n",
    '"',
    "- ",
    "Final Answer: ",
    "It's 5 < 6. ",
)


@dataclass(frozen=True)
class Reply:
    """One made-up reply and how it is read."""

    spec: Format
    raw: str
    tools: tuple[ToolSpec, ...] | None
    reason: str | None
    flags: dict[str, bool]
    cuts: tuple[float, ...]


def value(dice: random.Random, depth: int = 0) -> Any:
    kind = dice.randrange(9 if depth < 3 else 6)
    if kind < 3:
        return "".join(dice.choice(WORDS) for _ in range(dice.randrange(4)))
    if kind < 6:
        return dice.choice((0, 3, -1, 2.5, True, False, None, 10**20, 1e300))
    if kind < 8:
        return [value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return {
        dice.choice(("a", "city", "name", "arguments", "it's")): value(dice, depth + 1)
        for _ in range(dice.randrange(3))
    }


def call(dice: random.Random, form: str) -> ParsedCall:
    tool = dice.choice(SPECS)
    keys = [key for key in tool.properties if key in tool.required or dice.random() < 0.5]
    arguments = {key: value(dice) if dice.random() < 0.6 else dice.choice(WORDS) for key in keys}
    name = tool.name if dice.random() < 0.9 else dice.choice(("nope", "Now", "functions.now", "now.now", "get-weather"))
    nowhere = Span(0, 0)
    return ParsedCall(
        name, arguments, f"call{dice.randrange(10**5):05}", Outcome.STRICT, (), nowhere, nowhere, nowhere, form
    )


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


MUTATIONS: tuple[Callable[[random.Random, str, int, int], str], ...] = (
    lambda dice, text, a, b: text[:a] + text[b:],
    lambda dice, text, a, b: text[:a],
    lambda dice, text, a, b: text[:a] + dice.choice(MARKS) + text[a:],
    lambda dice, text, a, b: text[:a] + dice.choice(MARKS) + text[b:],
    lambda dice, text, a, b: text[:a] + text[a:b] * 2 + text[b:],
    lambda dice, text, a, b: text[:a] + text[a : a + 1] * dice.randrange(2, 9) + text[a + 1 :],
    lambda dice, text, a, b: text[:a] + text[a:b].swapcase() + text[b:],
    lambda dice, text, a, b: text.replace('"', dice.choice(("'", "“", '\\"', "&quot;", "")), dice.randrange(1, 9)),
    lambda dice, text, a, b: text.replace("|", dice.choice(("｜", "‖", "")), dice.randrange(1, 9)),
    lambda dice, text, a, b: text.replace("<", dice.choice(("&lt;", "< ", "</", "<<")), dice.randrange(1, 5)),
    lambda dice, text, a, b: text.replace("}", dice.choice(("", "}}", ",}")), dice.randrange(1, 4)),
    lambda dice, text, a, b: text.replace("\n", dice.choice(("", " ", "\r\n", "\n\n")), dice.randrange(1, 9)),
    lambda dice, text, a, b: text[:a] + dice.choice(EVERY_SAMPLE) + text[a:],
    lambda dice, text, a, b: text[:a] + dice.choice(EVERY_SAMPLE)[: b - a + 20],
    lambda dice, text, a, b: dice.choice(EVERY_SAMPLE)[-(b - a + 20) :] + text[a:],
)


def reply(seed: int, number: int) -> Reply:
    """Make reply `number` of a seed."""
    dice = random.Random(f"{seed}:{number}")
    spec = FORMATS[number % len(FORMATS)]
    kind = dice.random()
    if kind < 0.1:
        raw = "".join(dice.choice(MARKS) for _ in range(dice.randrange(24)))
    elif kind < 0.4 and SAMPLES[spec.id]:
        raw = dice.choice(SAMPLES[spec.id])
    else:
        raw = made(dice, spec)
    for _ in range(dice.choice((0, 1, 1, 2, 3, 6))):
        start = dice.randrange(len(raw) + 1)
        raw = dice.choice(MUTATIONS)(dice, raw, start, min(len(raw), start + dice.randrange(1, 14)))[:4000]
    think = dice.random() < 0.1
    flags = {"think_open": think, "calls_in_reasoning": dice.random() < 0.1}
    cuts = tuple(sorted(dice.random() for _ in range(dice.randrange(1, 9))))
    return Reply(spec, raw, dice.choice(TOOL_SETS), dice.choice((None, "stop", "length")), flags, cuts)


def read(one: Reply, pieces: Sequence[str]) -> tuple[ParseResult, ParseResult]:
    """Feed the pieces; return the result, and the one that the events alone make."""
    parser = one.spec.parser(one.tools, **one.flags)
    events = [event for piece in pieces for event in parser.feed(piece)]
    events += parser.finish(one.reason)
    told = ParseResult(
        tuple(event.call for event in events if isinstance(event, CallRead)),
        "".join(event.text for event in events if isinstance(event, TextRead)),
        "".join(event.text for event in events if isinstance(event, ReasoningRead)),
        tuple(event.problem for event in events if isinstance(event, ProblemRead)),
        parser.result().format,
    )
    return parser.result(), told


def finite(found: Any) -> bool:
    if isinstance(found, dict):
        return all(map(finite, found.values()))
    if isinstance(found, list):
        return all(map(finite, found))
    return not isinstance(found, float) or math.isfinite(found)


def fault(one: Reply) -> str:
    """Say what is wrong with the readings of a reply; empty if nothing is."""
    raw, begin = one.raw, time.process_time()
    try:
        whole, told = read(one, [raw])
        if told != whole:
            return f"result and events differ:\n  {whole}\n  {told}"
        cuts = [int(cut * len(raw)) for cut in one.cuts]
        pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
        for how, chunks in (("in random chunks", pieces), ("by characters", list(raw))):
            for found in read(one, chunks):
                if found != whole:
                    return f"whole and {how} differ:\n  {whole}\n  {found}"
        for item in whole.calls:
            if not finite(item.arguments) or not item.id or (item.outcome is Outcome.STRICT) != (not item.repairs):
                return f"unsound call: {item}"
        spans = [item.span for item in whole.calls] + [item.span for item in whole.problems]
        if not all(0 <= span.start <= span.end <= len(raw) for span in spans):
            return f"a span lies outside of the text: {spans}"
        one.spec.regions(raw, whole)
        clean = sanitize(whole.text)
        if leaked_markers(clean) or sanitize(clean) != clean:
            return f"a marker is left: {clean!r}"
    except Exception:
        return traceback.format_exc()
    took = time.process_time() - begin
    return f"it took {took:.1f} s" if took > 2 else ""


def smaller(one: Reply) -> Reply:
    """Leave out what the failure does not need."""
    size = len(one.raw) // 2
    while size:
        at = 0
        while at < len(one.raw):
            less = Reply(one.spec, one.raw[:at] + one.raw[at + size :], one.tools, one.reason, one.flags, one.cuts)
            if fault(less):
                one = less
            else:
                at += size
        size //= 2
    return one


def show(seed: int, number: int, one: Reply) -> None:
    tools = None if one.tools is None else [tool.name for tool in one.tools]
    print(
        f"reply {number} of seed {seed}: {one.spec.id} tools={tools} reason={one.reason} {one.flags}\n  {one.raw!r}\n  {fault(one)}",
        flush=True,
    )


def main() -> int:
    ask = argparse.ArgumentParser(description="Reads made-up and mutated replies in all formats.")
    ask.add_argument("--count", type=int, default=100_000)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--start", type=int, default=0, help="number of the first reply")
    ask.add_argument("--only", type=int, help="read this one reply and make it smaller")
    ask.add_argument("--seconds", type=float, default=math.inf, help="stop after that time")
    ask.add_argument("--failures", type=int, default=10, help="stop after so many")
    options = ask.parse_args()
    if options.only is not None:
        one = reply(options.seed, options.only)
        show(options.seed, options.only, smaller(one) if fault(one) else one)
        return 1 if fault(one) else 0
    begin, failed, done = time.monotonic(), 0, 0
    for number in range(options.start, options.start + options.count):
        one = reply(options.seed, number)
        done += 1
        if fault(one):
            failed += 1
            show(options.seed, number, smaller(one))
        took = time.monotonic() - begin
        if failed >= options.failures or took > options.seconds:
            break
        if done % 10_000 == 0:
            print(f"{done} replies, {failed} failed, {done / took:.0f} a second", flush=True)
    took = time.monotonic() - begin
    print(f"seed {options.seed}: {done} replies from {options.start} on, {failed} failed, {done / took:.0f} a second")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

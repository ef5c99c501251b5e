"""Whether hostile text is read in linear time and bounded memory, by every format and by what takes markers out.

    python tests/bench/hostile.py                     32 KiB against 8 KiB, whole
    python tests/bench/hostile.py --pieces 4          in pieces of 4 characters
    python tests/bench/hostile.py --size 1024         1 MiB against 256 KiB (takes long: with --only)
    python tests/bench/hostile.py --only harmony      one format, `sanitize`, `stream_sanitizer` or `leaked_markers`
    python tests/bench/hostile.py --memory            the most memory that is held, in bytes a character, instead of times

Texts: single characters, brackets, quotes, backslashes, entities, fences, newlines, labels and every marker of the format, whole and
cut in half, repeated; the same inside a long argument; calls that are cut off, repeated; brackets nested 10,000 deep.
The time for a text is compared with that for a quarter of it: linear is 4, a `!` marks what is above 5.2 in six tries.
Times are processor time.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.protocols import Format
from workbench.core.tools import ToolSpec
from workbench.formats import list_formats
from workbench.formats.sanitize import StreamSanitizer, leaked_markers, sanitize

TOOLS = (
    ToolSpec("get_weather", "", {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
)
KIB = 1024
LINEAR = 4 * 1.3
LEAST = 0.004
"""Seconds below which a ratio says nothing."""
MARK = "\x1f"

UNITS = (
    "<", "{", "[", '"', "'", "`", "\\", " ", "\n", "a", "(", ",", ";", "=", ":", "}", "]", ">", "&lt;", "&lt;tool_call&gt;", '{"', "[{", "[[",
    '{"a":', "{'a':", '["', "```\n", "```json\n", "~~~\n", "```json\n{", " `", "\n\n", " \n", "\\\"", '\\"}', "// ", "# ", "/*", "“", "’", "a(b=", "a(",
    "[a(", "a.b(", "x = ", "to=", "Action: ", "\nAction: a\nAction Input: ", "\nThought: ", "Observation:", "\nObservation:", "Final Answer:", "For example: ",
    '{"name": ', '{"name": "get_weather", "arguments": {', '{"name": "get_weather", "arguments": {}} ', '{"name": "a", "arguments": {}}',
    '{"tool_calls": [', "<tool_call>", "<tool_call>{", '<tool_call>{"', "<tool_call>{'\"</tool_call>", "</tool_call>", "<think>", "</think>",
    "<think><tool_call>{", "<function=", "<function=get_weather>", "<parameter=a>", "</parameter>", "<function=get_weather><parameter=city>",
    "<｜", "<|", "|>", "<|tool_call|>", "<|channel|>", "<|im_end|>", "[TOOL_CALLS]", "[ARGS]", "functools[", "call:a{", "<invoke name=\"get_weather\">",
    "<arg_key>a</arg_key><arg_value>", ">>>", ">>>a\n", "<tool_response>", "get_weather\n{", "&quot;", "\u2028", "\U0001f600", "<![CDATA[", "1e9", "-",
)  # fmt: skip


def written(spec: Format, city: str) -> str:
    nowhere = Span(0, 0)
    call = ParsedCall(
        "get_weather", {"city": city}, "call00001", Outcome.STRICT, (), nowhere, nowhere, nowhere, spec.id
    )
    return spec.render_call(call)


def markers(spec: Format) -> list[str]:
    """What the format itself looks for, as far as these are plain texts."""
    grammar = getattr(spec, "grammar", None)
    return [] if grammar is None or spec.native else list(grammar.openers.literals)


def texts(spec: Format | None, size: int) -> Iterator[tuple[str, str]]:
    """Pairs of a title and a text of about that size."""
    own = markers(spec) if spec else []
    halves = [marker[: len(marker) // 2] for marker in own if len(marker) > 3]
    for unit in dict.fromkeys((*UNITS, *own, *halves)):
        yield f"{unit!r}", unit * (size // len(unit))
    for unit in ("<", "[", "{", '{"a":', '[{"a":', "<tool_call>", "(", "a("):
        deep = unit * 10_000
        yield f"10,000 deep {unit!r}", (deep * (size // len(deep) + 1))[:size]
    for lead in ('{"name": "get_weather", "arguments": {"city": "', "[get_weather(city='"):
        for unit in ("<", "{", "'", "\\\\", "\\'", "a", '"', '",', '":'):
            yield f"{lead[:6]!r}… {unit!r}", lead + unit * (size // len(unit))
    if spec is None:
        return
    head, _, tail = written(spec, MARK).partition(MARK if not spec.native else "\\u001f")
    for unit in dict.fromkeys((*UNITS, *own)):
        yield f"argument {unit!r}", head + unit * (size // len(unit)) + tail
        yield f"open argument {unit!r}", head + unit * (size // len(unit))
    call = head + "Rome" + tail
    for name, unit in (
        ("cut off", call[: len(call) * 2 // 3]),
        ("begun", call[: len(call) // 3]),
        ("headless", call[len(call) // 3 :]),
        ("whole", call + "\n"),
        ("glued", call),
        ("quoted", f"`{call}` "),
        ("fenced", f"```\n{call}\n```\n"),
        ("escaped", call.replace('"', '\\"')),
        ("single quotes", call.replace('"', "'")),
        ("argument twice", f"{head}a{tail}{tail}"),
    ):
        yield f"calls {name}", unit * max(1, size // len(unit))
        yield f"thinking, calls {name}", "<think>" + unit * max(1, size // len(unit))
        yield f"code, calls {name}", "Look:\n```python\n" + unit * max(1, size // len(unit))


def parse(spec: Format, pieces: int) -> Callable[[str], object]:
    def work(text: str) -> object:
        parser = spec.parser(TOOLS)
        for at in range(0, len(text), pieces or len(text) or 1):
            parser.feed(text[at : at + (pieces or len(text))])
        parser.finish()
        return parser.result()

    return work


def stream_sanitizer(pieces: int) -> Callable[[str], object]:
    def work(text: str) -> object:
        cleaner = StreamSanitizer()
        for at in range(0, len(text), pieces or 4):
            cleaner.feed(text[at : at + (pieces or 4)])
        return cleaner.finish()

    return work


def timed(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def growth(work: Callable[[str], object], small: str, big: str) -> tuple[float, float]:
    """How many times longer the big text takes, and its seconds; a bad ratio is tried again."""
    short, long = timed(work, small), timed(work, big)
    for _ in range(5):
        if long < LEAST or long / short <= LINEAR:
            break
        short, long = min(short, timed(work, small)), min(long, timed(work, big))
    return long / max(short, 1e-9), long


def held(work: Callable[[str], object], text: str) -> float:
    """The most memory that the work held at a time, in bytes a character of the text."""
    tracemalloc.start()
    work(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / len(text)


def main() -> int:
    options = argparse.ArgumentParser(description="Time and memory of hostile text.")
    options.add_argument("--only", action="append", default=[], metavar="NAME")
    options.add_argument("--size", type=int, default=32, help="KiB of the bigger text")
    options.add_argument("--pieces", type=int, default=0, help="characters a piece; 0: whole")
    options.add_argument("--memory", action="store_true")
    options.add_argument("--match", default="", help="only texts whose title holds this")
    chosen = options.parse_args()
    works: list[tuple[str, Format | None, Callable[[str], object]]] = [
        (spec.id, spec, parse(spec, chosen.pieces)) for spec in list_formats()
    ]
    works += [
        ("sanitize", None, sanitize),
        ("stream_sanitizer", None, stream_sanitizer(chosen.pieces)),
        ("leaked_markers", None, leaked_markers),
    ]
    size = chosen.size * KIB
    broken = 0
    for name, spec, work in works:
        if chosen.only and name not in chosen.only:
            continue
        slowest, most = (0.0, ""), (0.0, "")
        smaller = dict(texts(spec, size // 4))
        for title, text in texts(spec, size):
            if chosen.match not in title or (title not in smaller):
                continue
            if chosen.memory:
                most = max(most, (held(work, text), title))
                continue
            ratio, took = growth(work, smaller[title], text)
            slowest = max(slowest, (took / len(text) * 1e6, title))
            if took >= LEAST and ratio > LINEAR:
                broken += 1
                print(f"{name:20} ! × {ratio:5.1f} {took * 1000:7.0f} ms  {title}", flush=True)
        if chosen.memory:
            print(f"{name:20} {most[0]:7.0f} bytes a character  {most[1]}", flush=True)
        else:
            print(f"{name:20} slowest {slowest[0]:7.2f} µs a character  {slowest[1]}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

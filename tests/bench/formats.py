"""How fast every format is parsed, whole and streamed, and whether its cost stays linear as a reply grows.

    python tests/bench/formats.py                   2 kB and 64 kB of every format
    python tests/bench/formats.py --full            1 MiB too
    python tests/bench/formats.py --only qwen_xml   one format; may be given several times
    python tests/bench/formats.py --json            one JSON object a line instead of the table

Two texts, both written by the format itself: many small calls, and one call with a long string argument.
Columns: MB/s of the whole text and its share of the speed of `json.loads` over the same calls; microseconds a delta of
4 characters, and how many times that of `list.append`; growth, the cost of a character relative to that in 2 kB
(linear is 1, the budget 1.2). A `!` marks what breaks a budget: growth in every format, 4 µs a delta and 0.4 of
`json.loads` in qwen_xml. Times are processor time, the shortest of several runs.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.parse import KIB, TOOLS
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.protocols import Format
from workbench.formats import get_format, list_formats

DELTA = 4
ROUNDS = 6
BUDGETS = {"qwen_xml": (0.4, 4.0)}
"""Least share of the speed of `json.loads`, most microseconds a delta."""
GROWTH = 1.2
LINE = 'def f(x):\n    return "a" + x  # <b>bold</b>\n'


def call(name: str, arguments: dict[str, Any], number: int = 1) -> ParsedCall:
    nowhere = Span(0, 0)
    return ParsedCall(name, arguments, f"call{number:05}", Outcome.STRICT, (), nowhere, nowhere, nowhere, "")


def written(spec: Format, calls: list[ParsedCall]) -> str:
    """A turn as the format writes it; of a native format, the message as JSON."""
    if not spec.native:
        return spec.render_turn("", calls).text
    message = json.loads(spec.render_call(calls[0]))
    key = next(key for key, value in message.items() if isinstance(value, list))
    message[key] = [json.loads(spec.render_call(one))[key][0] for one in calls]
    return json.dumps(message)


def many_calls(count: int) -> list[ParsedCall]:
    return [call("get_weather", {"city": f"Rome {n % 10}", "days": n % 10}, n) for n in range(count)]


def long_call(count: int) -> list[ParsedCall]:
    return [call("write_file", {"path": "a.py", "content": LINE * count})]


TEXTS = {"many": many_calls, "long": long_call}


def fitted(spec: Format, kind: str, size: int) -> tuple[list[ParsedCall], str]:
    """The calls that fill a text of `size` characters and no more (1 MiB is the most that one JSON value may have)."""
    make = TEXTS[kind]
    one, two = (len(written(spec, make(count))) for count in (10, 20))
    count = 10 + (size - one) * 10 // (two - one)
    while len(written(spec, make(count))) > size:
        count -= max(1, count // 100)
    calls = make(count)
    return calls, written(spec, calls)


def timed(work: Callable[[], object]) -> float:
    """Processor time of one run in seconds: other programs do not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def stream(spec: Format, deltas: list[str]) -> object:
    parser = spec.parser(TOOLS)
    for delta in deltas:
        parser.feed(delta)
    parser.finish()
    return parser.result()


def append(deltas: list[str]) -> list[str]:
    parts: list[str] = []
    for delta in deltas:
        parts.append(delta)  # noqa: PERF402
    return parts


class Reply:
    """One text in one size, with what is timed over it."""

    def __init__(self, spec: Format, kind: str, size: int) -> None:
        calls, self.text = fitted(spec, kind, size)
        self.size = size
        bodies = [json.dumps({"name": one.name, "arguments": one.arguments}) for one in calls]
        deltas = [self.text[at : at + DELTA] for at in range(0, len(self.text), DELTA)]
        found = spec.parse(self.text, TOOLS)
        assert len(found.calls) == len(calls), f"{spec.id} does not read its own text: {found.problems[:1]}"
        self.deltas = len(deltas)
        self._works: dict[str, Callable[[], object]] = {
            "whole": lambda: spec.parse(self.text, TOOLS),
            "json": lambda: [json.loads(body) for body in bodies],
            "stream": lambda: stream(spec, deltas),
            "append": lambda: append(deltas),
        }
        self.best = dict.fromkeys(self._works, float("inf"))

    def run(self) -> None:
        """Time everything once more, and several times where it is short; the shortest counts."""
        for _ in range(max(1, 32 * KIB // self.size)):
            for name, work in self._works.items():
                self.best[name] = min(self.best[name], timed(work))

    def of(self, name: str) -> float:
        """Seconds a character."""
        return self.best[name] / len(self.text)


def measured(spec: Format, kind: str, sizes: tuple[int, ...]) -> list[Reply]:
    """Time all sizes by turns, so that a slow minute of the machine slows them all; without garbage collection, as `timeit` does."""
    replies = [Reply(spec, kind, size) for size in sizes]
    gc.disable()
    for turn in range(ROUNDS):
        for reply in replies:
            if turn < 2 or reply.size <= 64 * KIB:
                reply.run()
        gc.collect()
    gc.enable()
    return replies


def row_of(spec: Format, kind: str, sizes: tuple[int, ...]) -> dict[str, Any]:
    """The numbers of one text in all sizes, and the budgets that it breaks."""
    replies = measured(spec, kind, sizes)
    first, last = replies[0], replies[-1]
    shares = [one.best["json"] / one.best["whole"] for one in replies]
    us = [one.best["stream"] / one.deltas * 1e6 for one in replies]
    growth = {name: [one.of(name) / first.of(name) for one in replies[1:]] for name in ("whole", "stream")}
    share, most = BUDGETS.get(spec.id, (0.0, float("inf")))
    checks = {
        "json.loads": shares[1] >= share,
        "delta": max(us) <= most,
        "whole": max(growth["whole"]) <= GROWTH,
        "stream": max(growth["stream"]) <= GROWTH,
    }
    return {
        "format": spec.id,
        "text": kind,
        "mb_s": 1 / last.of("whole") / 1e6,
        "of_json": shares[-1],
        "us": us,
        "of_append": last.best["stream"] / last.best["append"],
        "growth_whole": growth["whole"],
        "growth": growth["stream"],
        "broken": [name for name, kept in checks.items() if not kept],
    }


def shown(row: dict[str, Any]) -> str:
    us = " ".join(f"{value:6.2f}" for value in row["us"])
    whole = " ".join(f"{value:5.2f}" for value in row["growth_whole"])
    growth = " ".join(f"{value:5.2f}" for value in row["growth"])
    flags = "  ! " + ", ".join(row["broken"]) if row["broken"] else ""
    return (
        f"{row['format']:20} {row['text']:5} {row['mb_s']:7.1f} {row['of_json']:6.2f}  {us}  × {row['of_append']:5.0f}"
        f"   {whole}   {growth}{flags}"
    )


def main() -> int:
    options = argparse.ArgumentParser(description="Speed and growth of every format.")
    options.add_argument("--only", action="append", default=[], metavar="FORMAT")
    options.add_argument("--full", action="store_true", help="1 MiB too")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    specs = [get_format(name) for name in chosen.only] or list_formats()
    sizes = (2 * KIB, 64 * KIB, 1024 * KIB) if chosen.full else (2 * KIB, 64 * KIB)
    if not chosen.json:
        names = " ".join(f"{size // KIB:>4}kB" for size in sizes)
        print(f"{'format':20} text     MB/s  ×json  µs a delta at {names}  ×append   growth whole, streamed")
    broken = 0
    for spec in specs:
        for kind in TEXTS:
            row = row_of(spec, kind, sizes)
            print(json.dumps(row) if chosen.json else shown(row), flush=True)
            broken += bool(row["broken"])
    if not chosen.json:
        print(f"{broken} of {2 * len(specs)} texts break a budget.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

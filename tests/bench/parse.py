"""How fast replies are parsed, against yardsticks measured in the same run.

    python tests/bench/parse.py            qwen_xml whole and streamed; `formats.py` and `hostile.py` beside it take all formats

Whole: speed relative to `json.loads` over the same bodies (budget: at least 0.4).
Streamed in deltas of 4 characters: microseconds a delta (budget: at most 4, flat from 2 kB to 1 MiB).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workbench.core.tools import ToolSpec
from workbench.formats import get_format

TOOLS = (
    ToolSpec(
        "get_weather",
        "",
        {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    ),
    ToolSpec(
        "write_file", "", {"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}}
    ),
)
KIB = 1024


def best(work: Callable[[], object], least: float = 0.2) -> float:
    """Return the shortest processor time of several runs, in seconds: other programs do not count."""
    times: list[float] = []
    begin = time.perf_counter()
    while len(times) < 3 or (time.perf_counter() - begin < least and len(times) < 200):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def many_calls(size: int) -> tuple[str, list[str]]:
    bodies = []
    total = 0
    while total < size:
        body = json.dumps({"name": "get_weather", "arguments": {"city": f"Rome {len(bodies)}", "days": len(bodies)}})
        bodies.append(body)
        total += len(body) + 26
    return "\n".join(f"<tool_call>\n{body}\n</tool_call>" for body in bodies), bodies


def long_call(size: int) -> tuple[str, list[str]]:
    line = 'def f(x):\n    return "a" + x  # <b>bold</b>\n'
    body = json.dumps(
        {"name": "write_file", "arguments": {"path": "a.py", "content": (line * (size // len(line) + 1))[:size]}}
    )
    return f"<tool_call>\n{body}\n</tool_call>", [body]


def whole(name: str, text: str, bodies: list[str]) -> None:
    spec = get_format("qwen_xml")
    ours = best(lambda: spec.parse(text, TOOLS))
    yard = best(lambda: [json.loads(body) for body in bodies])
    found = spec.parse(text, TOOLS)
    assert len(found.calls) == len(bodies), "the benchmark's own text must parse"
    print(
        f"whole    {name:11} {len(text) / ours / 1e6:8.1f} MB/s   json.loads {len(text) / yard / 1e6:8.1f} MB/s   ratio {yard / ours:5.2f}  (≥ 0.4)"
    )


def stream(name: str, make: Callable[[int], tuple[str, list[str]]]) -> None:
    spec = get_format("qwen_xml")
    totals: dict[int, float] = {}
    for size in (2 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, 1024 * KIB):
        text = make(size)[0]
        deltas = [text[at : at + 4] for at in range(0, len(text), 4)]

        def run(deltas: list[str] = deltas) -> object:
            parser = spec.parser(TOOLS)
            for delta in deltas:
                parser.feed(delta)
            parser.finish()
            return parser.result()

        def append(deltas: list[str] = deltas) -> object:
            parts: list[str] = []
            for delta in deltas:
                parts.append(delta)  # noqa: PERF402
            return parts

        totals[size] = best(run) * (size / len(text))
        print(
            f"stream   {name:11} {size // KIB:5} kB  {best(run) / len(deltas) * 1e6:6.2f} µs a delta (≤ 4)   "
            f"list.append {best(append) / len(deltas) * 1e6:5.3f} µs"
        )
    print(f"stream   {name:11} 64 kB against 32 × 2 kB: {totals[64 * KIB] / (32 * totals[2 * KIB]):.2f}  (≤ 1.2)")


if __name__ == "__main__":
    for label, maker in (("many calls", many_calls), ("long call", long_call)):
        whole(label, *maker(64 * KIB))
        stream(label, maker)

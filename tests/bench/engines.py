"""How far our strict reading agrees with the parsers of model servers, over the samples of the formats.

    python tests/bench/engines.py PYTHON [PYTHON…]     environments with vllm or sglang

A sample agrees where the server gives out the same calls, names and arguments, as our strict reading; streamed is told in
pieces of 4 characters, as tokens come. What differs is listed below the table: it is not said who is right.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.kit.parser_contract import TOOLS, cases
from workbench.formats import get_format
from workbench.formats.conformance import Sample
from workbench.replay.engine_parsers import ENGINES, Ask, parser_names, read_with_engines, sentences, strict_calls

PIECE = 4


def cut(raw: str) -> list[str]:
    """As tokens come."""
    return [raw[at : at + PIECE] for at in range(0, len(raw), PIECE)]


def asked() -> list[Sample]:
    """Samples whose format a server has a parser for."""
    return [one for one in cases() if any(parser_names(one.format, engine) for engine in ENGINES)]


def main(pythons: list[str]) -> None:
    """Ask, count, print."""
    chosen = asked()
    tools = tuple(TOOLS.values())
    ours = [strict_calls(get_format(one.format).parse(one.raw, tools)) for one in chosen]
    asks = [Ask(one.raw, tuple(cut(one.raw)) or (one.raw,), one.format, tools) for one in chosen]
    answers = asyncio.run(read_with_engines(pythons, asks))
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    told = []
    for one in answers.readings:
        row = counts[one.name, asks[one.at].format]
        same = [list(way.calls) == ours[one.at] and not way.error for way in (one.whole, one.streamed)]
        row[0] += 1
        row[1] += same[0]
        row[2] += same[1]
        if not all(same):
            told.append((asks[one.at].format, asks[one.at].text, sentences(one, ours[one.at])))
    print(f"{'parser':<36}{'format':<20}{'samples':>8}{'whole':>8}{'streamed':>10}")
    for (name, format_id), (total, whole, streamed) in sorted(counts.items()):
        print(f"{name:<36}{format_id:<20}{total:>8}{whole:>8}{streamed:>10}")
    for format_id, text, lines in told:
        print(f"\n{format_id}: {text[:100]!r}")
        for line in lines:
            print(f"  {line}")
    for line in answers.missing:
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])

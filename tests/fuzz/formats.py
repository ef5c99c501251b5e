"""A long run of made-up and mutated replies over all formats and the sanitizer; not part of the test suite.

    python tests/fuzz/formats.py --count 1000000 --seed 1
    python tests/fuzz/formats.py --count 1000000 --seed 1 --jobs 2 --start 250000     go on, on both cores
    python tests/fuzz/formats.py --seed 1 --only 4711        one reply again, made smaller as far as it still fails

The formats take turns; each reply is read by one of them: whole, in one random chunking, and one character at a time.
The sanitizer reads the text that is left, and the raw reply: whole, in the random chunking, and every eighth reply one
character at a time, when the regions for colouring are made as well. Checked: no exception, no difference between the
readings or between result and events, no number that is not finite, spans inside the text, no marker in what was
sanitized, sanitizing again changes nothing, at most two seconds for a reply. Each reply depends on the seed and its number
alone (and on the samples in `tests/data/formats`), and none is kept: memory stays the same however long it runs. A failing
reply is made smaller and written to a file of its own (`--out`).
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.fuzz.replies import Reply, reply
from workbench.core.calls import CallRead, Outcome, ParseResult, ProblemRead, ReasoningRead, TextRead
from workbench.formats.sanitize import StreamSanitizer, leaked_markers, sanitize

BLOCK = 1000
"""So many replies are handed to a process at once."""
SECONDS = 2.0
"""No reply may take longer, all readings together."""


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
    """Tell whether all numbers in a value are."""
    if isinstance(found, dict):
        return all(map(finite, found.values()))
    if isinstance(found, list):
        return all(map(finite, found))
    return not isinstance(found, float) or math.isfinite(found)


def fault(one: Reply) -> str:
    """Say what is wrong with the readings of a reply; empty if nothing is."""
    begin = time.process_time()
    try:
        raw = one.raw
        cuts = [int(cut * len(raw)) for cut in one.cuts]
        pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
        whole, told = read(one, [raw])
        wrong = fault_of_parser(one, whole, told, pieces) or fault_of_sanitizer(one, whole.text, pieces)
    except Exception:
        return traceback.format_exc()
    took = time.process_time() - begin
    return wrong or (f"it took {took:.1f} s" if took > SECONDS else "")


def fault_of_parser(one: Reply, whole: ParseResult, told: ParseResult, pieces: Sequence[str]) -> str:
    """Compare the readings of the format, and look at the result."""
    if told != whole:
        return f"result and events differ:\n  {whole}\n  {told}"
    for how, chunks in (("in random chunks", pieces), ("by characters", list(one.raw))):
        for found in read(one, chunks):
            if found != whole:
                return f"whole and {how} differ:\n  {whole}\n  {found}"
    for item in whole.calls:
        if not finite(item.arguments) or not item.id or (item.outcome is Outcome.STRICT) != (not item.repairs):
            return f"unsound call: {item}"
    spans = [item.span for item in whole.calls] + [item.span for item in whole.problems]
    spans = [span for span in spans if span.source == "text"]  # of a native call's arguments the text is another one
    if not all(0 <= span.start <= span.end <= len(one.raw) for span in spans):
        return f"a span lies outside of the text: {spans}"
    if one.thorough:
        one.spec.regions(one.raw, whole)
    return ""


def fault_of_sanitizer(one: Reply, text: str, pieces: Sequence[str]) -> str:
    """Look at what is left of the reply's text, and of the raw reply."""
    for source in (text, one.raw) if text != one.raw else (one.raw,):
        clean = sanitize(source)
        if leaked_markers(clean):
            return f"a marker is left: {clean!r}"
        if clean != source and sanitize(clean) != clean:
            return f"sanitized again it changes: {clean!r}\n  {sanitize(clean)!r}"
    for chunks in (pieces, list(one.raw)) if one.thorough else (pieces,):
        stream = StreamSanitizer()
        found = "".join(map(stream.feed, chunks)) + stream.finish()
        if found != clean:
            return f"sanitized whole and in {len(chunks)} pieces differ:\n  {clean!r}\n  {found!r}"
    return ""


def smaller(one: Reply) -> Reply:
    """Leave out what the failure does not need, as far as a minute goes: a slow reply stays slow for long."""
    size, end = len(one.raw) // 2, time.process_time() + 60
    while size:
        at = 0
        while at < len(one.raw) and time.process_time() < end:
            less = replace(one, raw=one.raw[:at] + one.raw[at + size :])
            if fault(less):
                one = less
            else:
                at += size
        size //= 2
    return one


def told(seed: int, number: int, one: Reply) -> str:
    """Return a failure as text."""
    tools = None if one.tools is None else [tool.name for tool in one.tools]
    head = f"reply {number} of seed {seed}: {one.spec.id} tools={tools} reason={one.reason} {one.flags}"
    return f"{head}\n  {one.raw!r}\n  {fault(one)}"


def block(numbers: range, seed: int) -> list[tuple[int, str]]:
    """Read a block of replies; return the failures, made smaller."""
    failed = []
    for number in numbers:
        one = reply(seed, number)
        if fault(one):
            failed.append((number, told(seed, number, smaller(replace(one, thorough=True)))))
    return failed


def end_with(parent: int) -> None:
    """End this process when the one that started it has ended, killed for example."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def results(blocks: Sequence[range], seed: int, jobs: int) -> Iterator[list[tuple[int, str]]]:
    """Read the blocks in order, on so many cores."""
    work = partial(block, seed=seed)
    if jobs < 2:
        yield from map(work, blocks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, end_with, (os.getpid(),)) as pool:
        yield from pool.imap(work, blocks)


def run(options: argparse.Namespace) -> int:
    """Read all replies, and tell how far it is."""
    last = options.start + options.count
    blocks = [range(at, min(at + BLOCK, last)) for at in range(options.start, last, BLOCK)]
    begin, failed, done = time.monotonic(), 0, 0
    for numbers, found in zip(blocks, results(blocks, options.seed, options.jobs), strict=False):
        done, took = numbers.stop - options.start, time.monotonic() - begin
        for number, text in found:
            failed += 1
            print(text, flush=True)
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"{options.seed}-{number}.txt").write_text(text, encoding="utf-8", errors="backslashreplace")
        if done % (10 * BLOCK) == 0:
            print(f"{done} replies, {failed} failed, {done / took:.0f} a second", flush=True)
        if failed >= options.failures or took > options.seconds:
            break
    took = time.monotonic() - begin
    print(
        f"seed {options.seed}: {done} replies from {options.start} on, {failed} failed, {took:.0f} s,"
        f" {done / took:.0f} a second; go on with --start {options.start + done}"
    )
    return 1 if failed else 0


def main() -> int:
    """Read the command line, and one reply or many."""
    ask = argparse.ArgumentParser(description="Reads made-up and mutated replies in all formats.")
    ask.add_argument("--count", type=int, default=100_000)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--start", type=int, default=0, help="number of the first reply")
    ask.add_argument("--jobs", type=int, default=1, help="processes")
    ask.add_argument("--only", type=int, help="read this one reply and make it smaller")
    ask.add_argument("--seconds", type=float, default=math.inf, help="stop after that time")
    ask.add_argument("--failures", type=int, default=10, help="stop after so many")
    ask.add_argument("--out", type=Path, default=Path("scratch/fuzz"), help="folder for failing replies")
    options = ask.parse_args()
    if options.only is None:
        return run(options)
    one = replace(reply(options.seed, options.only), thorough=True)
    failing = bool(fault(one))
    print(told(options.seed, options.only, smaller(one) if failing else one))
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())

"""`workbench parse`: read a raw model output with one format or all of them. Nothing heavy is imported.

workbench parse --format F|auto|all [--tools FILE] [--policy strict|safe|likely|tolerant|cross_format] [--chunk N] [--json] [FILE]
workbench parse --batch FILE.jsonl|FILE.parquet [--out DIR] [--on local:8|tcp://HOST:8786]
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from workbench.cli.parse_rows import (
    POLICIES,
    WHO,
    RowDefaults,
    answer_line,
    answer_lines,
    as_row,
    pieces,
    plugin_faults,
    readings,
    tools_of,
)
from workbench.cli.raw_input import read_reply
from workbench.cli.text import json_text, visible
from workbench.core.calls import Outcome, ParsedCall, ParseResult
from workbench.core.errors import InvalidInput, WorkbenchError, with_hint
from workbench.core.json_text import parse_json
from workbench.core.whole_files import lines_of_file, opened_file, text_of_file
from workbench.formats.registry import get_format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.core.tools import ToolSpec

BLOCK = 500
"""Lines of a piece, where others do the work."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    options = _options().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        for fault in plugin_faults(_home(options.home)):
            print(f"workbench parse: {fault}", file=sys.stderr)
        _check(options)
        return _batch(options) if options.batch else _single(options)
    except WorkbenchError as error:
        print(f"workbench parse: {visible(str(error))}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _home(named: str | None) -> str:
    return named or os.environ.get("WORKBENCH_HOME", "").strip()


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="workbench parse", description="Read a raw model output.")
    parser.add_argument("reply", nargs="?", metavar="FILE", help="the raw reply; without it, or for -, standard input")
    parser.add_argument("--format", default="auto", help="format id, 'auto' (best reading) or 'all' (every reading)")
    parser.add_argument("--tools", metavar="FILE", help="JSON list of tools; without it any tool name is accepted")
    parser.add_argument("--policy", choices=POLICIES, default="tolerant", help="which readings count as calls")
    parser.add_argument("--chunk", type=int, default=0, metavar="N", help="feed the parser N characters at a time")
    parser.add_argument("--finish-reason", metavar="REASON", help="the provider's finish reason, such as 'length'")
    parser.add_argument("--think-open", action="store_true", help="the reply begins inside a reasoning block")
    parser.add_argument("--calls-in-reasoning", action="store_true", help="calls inside reasoning count")
    parser.add_argument(
        "--batch", metavar="FILE", help="JSON lines with id, format, raw or chunks; '-' for standard input"
    )
    parser.add_argument(
        "--on", metavar="PLACE", default="", help="with --batch: local:8 processes, or a Dask scheduler's address"
    )
    parser.add_argument("--out", metavar="DIR", help="with --batch FILE.parquet: folder for the answers, as Parquet")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--asked", metavar="FORMAT", help="with --format all: the format that the server was set to")
    parser.add_argument(
        "--external", metavar="PYTHON", nargs="?", const="", action="append",
        help="also ask the parsers of vllm and sglang in this environment; without a path in those of the settings",
    )  # fmt: skip
    parser.add_argument("--home", metavar="DIR", help="data folder: its folder 'plugins' holds your own formats")
    return parser


def _check(options: argparse.Namespace) -> None:
    """Complain of what says nothing; raise InvalidInput."""
    if options.chunk < 0:
        raise InvalidInput(f"--chunk {options.chunk} is negative.", hint="Give a number of characters.")
    if options.reply is not None and options.batch:
        raise InvalidInput("--batch has a file of its own.", hint=f"Leave {options.reply!r} out, or --batch.")
    if options.on and not options.batch:
        raise InvalidInput("--on belongs to --batch.", hint="Add --batch FILE, or leave it out.")
    if options.asked and (options.batch or options.format != "all"):
        raise InvalidInput("--asked belongs to --format all.", hint="Add --format all, or leave it out.")
    if options.external is not None and options.batch:
        raise InvalidInput("--external belongs to one reply.", hint="Leave --batch out.")
    if options.format not in ("auto", "all"):
        get_format(options.format)


def _single(options: argparse.Namespace) -> int:
    tools = _read_tools(options.tools) if options.tools else None
    text = read_reply(WHO, options.reply or "-")
    chunks = pieces(text, options.chunk)
    found = readings(
        options.format, chunks, tools, options.finish_reason, options.policy,
        think_open=options.think_open, calls_in_reasoning=options.calls_in_reasoning,
    )  # fmt: skip
    engines = None
    if options.external is not None:
        from workbench.cli.parse_engines import ask_engines

        engines = ask_engines(options.external, _home(options.home), text, chunks, tools or (), found)
    if options.json:
        rows = [as_row("", result, graded=True) for result in found]
        value: Any = rows if options.format == "all" else rows[0]
        _print(json_text(value if engines is None else {"readings": rows, "engines": engines.documents()}))
    else:
        told = [_attribution(text, tools, options)] if options.format == "all" else []
        theirs = ["\n".join(engines.lines())] if engines is not None else []
        _print(visible("\n\n".join([*told, *theirs, *(_describe(result) for result in found)])))
    return 0


def _attribution(text: str, tools: Sequence[ToolSpec] | None, options: argparse.Namespace) -> str:
    """Say in a sentence who is to blame, the model or the parser."""
    from workbench.formats.survey.attribution import Circumstances, attribute
    from workbench.formats.survey.forensics import survey

    seen = survey(
        text, tools, options.finish_reason, asked=options.asked or "",
        think_open=options.think_open, calls_in_reasoning=options.calls_in_reasoning,
    )  # fmt: skip
    return attribute(seen, Circumstances(reason=options.finish_reason or "")).sentence


def _print(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InvalidInput(f"The output cannot be written: {error.strerror}.") from error


def _batch(options: argparse.Namespace) -> int:
    defaults = RowDefaults(
        options.format, options.policy, _read_tools(options.tools) if options.tools else None, options.finish_reason,
        options.chunk, options.think_open, options.calls_in_reasoning, _home(options.home),
    )  # fmt: skip
    if options.out or str(options.batch).endswith(".parquet"):
        from workbench.cli.parse_parquet import parse_parquet

        return parse_parquet(options.batch, options.out, defaults, options.on)
    try:
        source: IO[bytes] = sys.stdin.buffer if options.batch == "-" else opened_file(Path(options.batch), pipes=True)
    except OSError as error:
        raise InvalidInput(f"{options.batch!r} cannot be read: {error.strerror}.") from error
    with source:
        lines = ((number, line) for number, line in enumerate(_lines(source, options.batch), 1) if line.strip())
        for row in _answers(lines, defaults, options.on):
            _print(json_text(row))
    return 0


def _answers(lines: Iterable[tuple[int, bytes]], defaults: RowDefaults, place: str) -> Iterator[dict[str, Any]]:
    """The answers in the order of the lines; each as soon as its line is there, where the work is done here."""
    if not place:
        yield from (answer_line(number, line, defaults) for number, line in lines)
        return
    from workbench.jobs import executor_on

    with executor_on(place) as executor:
        blocks = iter(lambda: list(islice(lines, BLOCK)), [])
        for rows in executor.map(partial(answer_lines, defaults), blocks):
            yield from rows


def _lines(source: IO[bytes], place: str) -> Iterable[bytes]:
    try:
        yield from lines_of_file(source, place)
    except OSError as error:
        raise InvalidInput(f"{place!r} cannot be read: {error.strerror}.") from error


def _read_tools(path: str) -> tuple[ToolSpec, ...]:
    try:
        value = parse_json(text_of_file(Path(path), pipes=True), exact=True)
    except OSError as error:
        raise InvalidInput(f"{path!r} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InvalidInput(f"{path!r} is not JSON: {error}.", hint="Give a JSON list of tools.") from error
    return tools_of(value)


def _describe(result: ParseResult) -> str:
    """Describe a reading for people."""
    lines = [f"{result.format}: {_counts(result.calls)}"]
    for number, call in enumerate(result.calls, 1):
        repairs = f" ({', '.join(call.repairs)}: {call.danger.value})" if call.repairs else ""
        arguments = json_text(call.arguments)
        lines.append(f"  {number}. {call.name} {arguments}")
        lines.append(f"     {call.outcome.value}{repairs}, characters {call.span.start}–{call.span.end}, id {call.id}")
    for problem in result.problems:
        mark = problem.outcome.value if problem.outcome is not None else "note"
        lines.append(
            f"  {mark} {problem.code} at {problem.span.start}–{problem.span.end}: {with_hint(problem.message, problem.hint)}"
        )
    for title, text in (("reasoning", result.reasoning), ("text", result.text)):
        if text.strip():
            lines.append(f"  {title}: {text.strip()}")
    return "\n".join(lines)


def _counts(calls: Iterable[ParsedCall]) -> str:
    calls = tuple(calls)
    if not calls:
        return "no call"
    strict = sum(call.outcome is Outcome.STRICT for call in calls)
    return f"{len(calls)} call{'s' if len(calls) > 1 else ''}, {strict} strict, {len(calls) - strict} recovered"


if __name__ == "__main__":
    sys.exit(main())

"""`workbench parse`: read a raw model output with one format or all of them. Nothing heavy is imported.

workbench parse --format F|auto|all [--tools FILE] [--policy strict|safe|likely|tolerant|cross_format] [--chunk N] [--json] < raw
workbench parse --batch FILE.jsonl
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from workbench.cli.raw_input import decode, read_reply
from workbench.cli.text import json_text, read_json, visible
from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult
from workbench.core.errors import InvalidInput, WorkbenchError, with_hint
from workbench.formats.registry import get_format

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.tools import ToolSpec

_POLICIES = ("strict", "safe", "likely", "tolerant", "cross_format")
_TOLERANT, _WHO = "tolerant", "workbench parse"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    options = _options().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        _use_plugins(options.home)
        _check(options)
        return _batch(options) if options.batch else _single(options)
    except WorkbenchError as error:
        print(f"workbench parse: {visible(str(error))}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _use_plugins(home: str | None) -> None:
    """Know the user's own formats too, where a data folder is named; faulty ones are told."""
    named = home or os.environ.get("WORKBENCH_HOME", "").strip()
    folder = Path(named).expanduser() / "plugins" if named else None
    if folder is None or not any(folder.glob("*.py")):
        return
    from workbench.formats.plugins import install, load_plugins

    found = load_plugins(folder, entry_points=False)
    install(found)
    for fault in found.faults:
        print(
            f"workbench parse: plug-in {fault.origin} is not used: {with_hint(fault.message, fault.hint)}",
            file=sys.stderr,
        )


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="workbench parse", description="Read a raw model output from standard input.")
    parser.add_argument("--format", default="auto", help="format id, 'auto' (best reading) or 'all' (every reading)")
    parser.add_argument("--tools", metavar="FILE", help="JSON list of tools; without it any tool name is accepted")
    parser.add_argument("--policy", choices=_POLICIES, default="tolerant", help="which readings count as calls")
    parser.add_argument("--chunk", type=int, default=0, metavar="N", help="feed the parser N characters at a time")
    parser.add_argument("--finish-reason", metavar="REASON", help="the provider's finish reason, such as 'length'")
    parser.add_argument("--think-open", action="store_true", help="the reply begins inside a reasoning block")
    parser.add_argument("--calls-in-reasoning", action="store_true", help="calls inside reasoning count")
    parser.add_argument(
        "--batch", metavar="FILE", help="JSON lines with id, format, raw or chunks; '-' for standard input"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--asked", metavar="FORMAT", help="with --format all: the format that the server was set to")
    parser.add_argument("--home", metavar="DIR", help="data folder: its folder 'plugins' holds your own formats")
    return parser


def _check(options: argparse.Namespace) -> None:
    """Complain of what says nothing; raise InvalidInput."""
    if options.chunk < 0:
        raise InvalidInput(f"--chunk {options.chunk} is negative.", hint="Give a number of characters.")
    if options.asked and (options.batch or options.format != "all"):
        raise InvalidInput("--asked belongs to --format all.", hint="Add --format all, or leave it out.")
    if options.format not in ("auto", "all"):
        get_format(options.format)


def _single(options: argparse.Namespace) -> int:
    tools = _read_tools(options.tools) if options.tools else None
    text = read_reply(_WHO)
    chunks = _pieces(text, options.chunk)
    found = _readings(
        options.format, chunks, tools, options.finish_reason, options.policy,
        think_open=options.think_open, calls_in_reasoning=options.calls_in_reasoning,
    )  # fmt: skip
    if options.json:
        rows = [_row("", result, graded=True) for result in found]
        _print(json_text(rows if options.format == "all" else rows[0]))
    else:
        told = [_attribution(text, tools, options, found)] if options.format == "all" else []
        _print(visible("\n\n".join([*told, *(_describe(result) for result in found)])))
    return 0


def _pieces(text: str, size: int) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)] if size else [text]


def _attribution(
    text: str, tools: Sequence[ToolSpec] | None, options: argparse.Namespace, found: Sequence[ParseResult]
) -> str:
    """Say in a sentence who is to blame, the model or the parser."""
    from workbench.formats.survey.attribution import Circumstances, attribute
    from workbench.formats.survey.forensics import Reading, gather, survey, unknown_call

    if options.asked or options.policy != _TOLERANT:
        seen = survey(
            text, tools, options.finish_reason, asked=options.asked or "",
            think_open=options.think_open, calls_in_reasoning=options.calls_in_reasoning,
        )  # fmt: skip
    else:
        seen = gather(text, [Reading(result.format, result) for result in found])
        if not seen.found:
            seen = replace(seen, unknown=unknown_call(text, tools))
    return attribute(seen, Circumstances(reason=options.finish_reason or "")).sentence


def _print(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InvalidInput(f"The output cannot be written: {error.strerror}.") from error


def _batch(options: argparse.Namespace) -> int:
    try:
        source: IO[bytes] = sys.stdin.buffer if options.batch == "-" else Path(options.batch).open("rb")  # noqa: SIM115
    except OSError as error:
        raise InvalidInput(f"{options.batch!r} cannot be read: {error.strerror}.") from error
    default = {
        "format": options.format,
        "policy": options.policy,
        "tools": _read_tools(options.tools) if options.tools else None,
        "finish_reason": options.finish_reason,
        "chunk": options.chunk,
        "think_open": options.think_open,
        "calls_in_reasoning": options.calls_in_reasoning,
    }
    with source:
        for number, line in enumerate(_lines(source, options.batch), 1):
            if line.strip():
                _print(json_text(_batch_row(number, line, default)))
    return 0


def _lines(source: IO[bytes], place: str) -> Iterable[bytes]:
    try:
        yield from source
    except OSError as error:
        raise InvalidInput(f"{place!r} cannot be read: {error.strerror}.") from error


def _batch_row(number: int, line: bytes, default: dict[str, Any]) -> dict[str, Any]:
    """Answer one line; whatever is wrong with it becomes its answer."""
    ident = asked = None
    try:
        row = read_json(decode(line, _WHO))
        if not isinstance(row, dict):
            raise InvalidInput(f"Line {number} is not a JSON object.")
        ident, asked = row.get("id"), row.get("format")
        name, chunks, tools, reason, policy = _batch_input(row, default)
        found = _readings(
            name, chunks, tools, reason, policy,
            think_open=bool(row.get("think_open", default["think_open"])),
            calls_in_reasoning=bool(row.get("calls_in_reasoning", default["calls_in_reasoning"])),
        )  # fmt: skip
        if row.get("format", default["format"]) == "all":
            return {"id": ident, "format": "all", "readings": [_row(ident, result) for result in found]}
        return _row(ident, found[0])
    except (WorkbenchError, ValueError, RecursionError) as error:
        message = str(error) if isinstance(error, WorkbenchError) else f"Line {number} is not JSON: {error}"
        return {**_row(ident, ParseResult()), "format": asked, "error": message}


def _batch_input(
    row: dict[str, Any], default: dict[str, Any]
) -> tuple[str, list[str], tuple[ToolSpec, ...] | None, str | None, str]:
    raw, chunks = row.get("raw"), row.get("chunks")
    if chunks is None:
        chunks = _pieces(raw, default["chunk"]) if isinstance(raw, str) else None
    if not isinstance(chunks, list) or not all(isinstance(chunk, str) for chunk in chunks):
        raise InvalidInput("The row has neither 'raw' text nor a list of 'chunks'.")
    tools = _tools(row["tools"]) if row.get("tools") is not None else default["tools"]
    policy = row.get("policy") or default["policy"]
    if policy not in _POLICIES:
        raise InvalidInput(f"There is no policy {policy!r}.", hint=f"Known: {', '.join(_POLICIES)}.")
    name = row.get("format") or default["format"]
    if not isinstance(name, str):
        raise InvalidInput("'format' is not text.")
    reason = row.get("finish_reason") or default["finish_reason"]
    return name, chunks, tools, reason if isinstance(reason, str) else None, policy


def _readings(
    name: str, chunks: list[str], tools: Sequence[ToolSpec] | None, reason: str | None, policy: str,
    *, think_open: bool = False, calls_in_reasoning: bool = False,
) -> list[ParseResult]:  # fmt: skip
    text = "".join(chunks)
    if name in ("auto", "all"):
        from workbench.core.target import Policy
        from workbench.formats.survey.crossread import apply_policy, best_reading, read_all

        flags = {"think_open": think_open, "calls_in_reasoning": calls_in_reasoning}
        if name == "auto":
            return [best_reading(text, tools, reason, Policy(policy), **flags)]
        every = read_all(text, tools, reason, **flags)
        return [apply_policy(result, text, tools, Policy(policy), reason) for result in every]
    parser = get_format(name).parser(tools, think_open=think_open, calls_in_reasoning=calls_in_reasoning)
    for chunk in chunks:
        parser.feed(chunk)
    parser.finish(reason)
    result = parser.result()
    if policy == _TOLERANT:
        return [result]
    from workbench.core.target import Policy
    from workbench.formats.survey.crossread import apply_policy

    return [apply_policy(result, text, tools, Policy(policy), reason)]


def _read_tools(path: str) -> tuple[ToolSpec, ...]:
    try:
        value = read_json(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidInput(f"{path!r} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path!r} is not JSON: {error}.", hint="Give a JSON list of tools.") from error
    return _tools(value)


def _tools(value: Any) -> tuple[ToolSpec, ...]:
    from workbench.core.tools import tools_from_json

    return tools_from_json(value)


def _row(ident: Any, result: ParseResult, *, graded: bool = False) -> dict[str, Any]:
    """A reading as it is printed; the rows of a batch have no danger grades: their keys are a contract."""
    grades = [{"danger": call.danger.value} if graded else {} for call in result.calls]
    return {
        "id": ident,
        "format": result.format,
        "calls": [_call(call) | grade for call, grade in zip(result.calls, grades, strict=True)],
        "text": result.text,
        "reasoning": result.reasoning,
        "problems": [_problem(problem) for problem in result.problems],
    }


def _call(call: ParsedCall) -> dict[str, Any]:
    return {
        "name": call.name,
        "arguments": call.arguments,
        "id": call.id,
        "outcome": call.outcome.value,
        "repairs": list(call.repairs),
        "span": list(call.span[:2]),
    }


def _problem(problem: ParseProblem) -> dict[str, Any]:
    row: dict[str, Any] = {"code": problem.code}
    if problem.outcome is not None:
        row["outcome"] = problem.outcome.value
    row |= {"span": list(problem.span[:2]), "message": with_hint(problem.message, problem.hint)}
    return row


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

"""Rows of `workbench parse --batch`: a JSON document with a raw reply in, its reading out. Nothing heavy is imported."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from workbench.cli.raw_input import decode
from workbench.core.calls import ParsedCall, ParseProblem, ParseResult
from workbench.core.errors import InvalidInput, WorkbenchError, with_hint
from workbench.core.json_text import parse_json
from workbench.core.whole_files import expanded
from workbench.formats.registry import get_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.tools import ToolSpec

POLICIES = ("strict", "safe", "likely", "tolerant", "cross_format")
TOLERANT, WHO = "tolerant", "workbench parse"


@dataclass(frozen=True, slots=True)
class RowDefaults:
    """What a row leaves open."""

    format: str = "auto"
    policy: str = TOLERANT
    tools: tuple[ToolSpec, ...] | None = None
    finish_reason: str | None = None
    chunk: int = 0
    """Characters that the parser gets at a time; 0: the whole text."""
    think_open: bool = False
    calls_in_reasoning: bool = False
    home: str = ""
    """Data folder with the user's own formats; empty: none."""


def answer_lines(defaults: RowDefaults, lines: Sequence[tuple[int, bytes]]) -> list[dict[str, Any]]:
    """Answer numbered lines; a piece of a big job."""
    plugin_faults(defaults.home)
    return [answer_line(number, line, defaults) for number, line in lines]


@cache
def plugin_faults(home: str) -> tuple[str, ...]:
    """Know the formats of a data folder too; return what is wrong with some of them."""
    folder = expanded(home) / "plugins"
    if not home or not any(folder.glob("*.py")):
        return ()
    from workbench.formats.plugins import install, load_plugins

    found = load_plugins(folder, entry_points=False)
    install(found)
    return tuple(
        f"plug-in {fault.origin} is not used: {with_hint(fault.message, fault.hint)}" for fault in found.faults
    )


def answer_line(number: int, line: bytes, defaults: RowDefaults) -> dict[str, Any]:
    """Answer one line; whatever is wrong with it becomes its answer."""
    ident = asked = None
    try:
        row = parse_json(decode(line, WHO), exact=True)
        if not isinstance(row, dict):
            raise InvalidInput(f"Line {number} is not a JSON object.")
        ident, asked = row.get("id"), row.get("format")
        return answer_row(row, defaults)
    except (WorkbenchError, ValueError, RecursionError) as error:
        message = str(error) if isinstance(error, WorkbenchError) else f"Line {number} is not JSON: {error}"
        return {**as_row(ident, ParseResult()), "format": asked, "error": message}


def answer_row(row: dict[str, Any], defaults: RowDefaults) -> dict[str, Any]:
    """Read one row; raise WorkbenchError."""
    ident = row.get("id")
    name, chunks, tools, reason, policy = _batch_input(row, defaults)
    found = readings(
        name, chunks, tools, reason, policy,
        think_open=bool(row.get("think_open", defaults.think_open)),
        calls_in_reasoning=bool(row.get("calls_in_reasoning", defaults.calls_in_reasoning)),
    )  # fmt: skip
    if row.get("format", defaults.format) == "all":
        return {"id": ident, "format": "all", "readings": [as_row(ident, result) for result in found]}
    return as_row(ident, found[0])


def _batch_input(
    row: dict[str, Any], defaults: RowDefaults
) -> tuple[str, list[str], tuple[ToolSpec, ...] | None, str | None, str]:
    raw, chunks = row.get("raw"), row.get("chunks")
    if chunks is None:
        chunks = pieces(raw, defaults.chunk) if isinstance(raw, str) else None
    if not isinstance(chunks, list) or not all(isinstance(chunk, str) for chunk in chunks):
        raise InvalidInput("The row has neither 'raw' text nor a list of 'chunks'.")
    tools = tools_of(row["tools"]) if row.get("tools") is not None else defaults.tools
    policy = row.get("policy") or defaults.policy
    if policy not in POLICIES:
        raise InvalidInput(f"There is no policy {policy!r}.", hint=f"Known: {', '.join(POLICIES)}.")
    name = row.get("format") or defaults.format
    if not isinstance(name, str):
        raise InvalidInput("'format' is not text.")
    reason = row.get("finish_reason") or defaults.finish_reason
    return name, chunks, tools, reason if isinstance(reason, str) else None, policy


def readings(
    name: str, chunks: list[str], tools: Sequence[ToolSpec] | None, reason: str | None, policy: str,
    *, think_open: bool = False, calls_in_reasoning: bool = False,
) -> list[ParseResult]:  # fmt: skip
    """Read a text with one format, the best (`auto`) or `all` of them; raise UnknownName."""
    text = "".join(chunks)
    if name in ("auto", "all"):
        from workbench.core.target import Policy
        from workbench.formats.survey.crossread import apply_policy, best_reading, read_all

        flags = {"think_open": think_open, "calls_in_reasoning": calls_in_reasoning}
        if name == "auto":
            return [best_reading(text, tools, reason, Policy(policy), **flags)]
        every = read_all(text, tools, reason, **flags, alone=True)
        return [apply_policy(result, text, tools, Policy(policy), reason) for result in every]
    parser = get_format(name).parser(tools, think_open=think_open, calls_in_reasoning=calls_in_reasoning)
    for chunk in chunks:
        parser.feed(chunk)
    parser.finish(reason)
    result = parser.result()
    if policy == TOLERANT:
        return [result]
    from workbench.core.target import Policy
    from workbench.formats.survey.crossread import apply_policy

    return [apply_policy(result, text, tools, Policy(policy), reason)]


def pieces(text: str, size: int) -> list[str]:
    """A text in pieces of `size` characters; 0: in one."""
    return [text[i : i + size] for i in range(0, len(text), size)] if size else [text]


def tools_of(value: Any) -> tuple[ToolSpec, ...]:
    """Tools of a JSON list; raise InvalidInput."""
    from workbench.core.tools import tools_from_json

    return tools_from_json(value)


def as_row(ident: Any, result: ParseResult, *, graded: bool = False) -> dict[str, Any]:
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

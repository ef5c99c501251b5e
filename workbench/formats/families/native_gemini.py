"""Parts of the Gemini API: `functionCall` beside text and thoughts.

    {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": {"name": "get_weather", "args": {"city": "Rome"}}}]},
      "finishReason": "STOP"}]}

The finish reason is STOP even for calls; MALFORMED_FUNCTION_CALL means that the API could not read the model's call
(mozilla-ai/any-llm#1202). Calls written as text, `<call:default_api:NAME{key:value}/>`, are recovered for declared names.
Source: the Gemini API reference.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.core.messages import NativeCall
from workbench.formats.kit.braced import read_braced
from workbench.formats.kit.calls import Draft, report, settle
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.native import argument_text, cut_code, left_open, read_native
from workbench.formats.kit.native_spec import NativeSpec, begins_message
from workbench.formats.kit.toolset import ToolSet
from workbench.formats.kit.unread import without_net

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.formats.kit.odd_key import OddKey

_WRITTEN = re.compile(
    r"<call:(?:default_api:)?([A-Za-z_][\w.\-]{0,127})(?=\{)|\bdefault_api:([A-Za-z_][\w.\-]{0,127})(?=\{)"
)


class _Parts(NamedTuple):
    """What a message holds: text, calls, thoughts, keys of arguments that are not the API's, and what is cut."""

    said: str
    calls: Sequence[NativeCall] = ()
    thoughts: str = ""
    odd: Mapping[int, OddKey | None] = {}
    cut: Mapping[int, str] = {}


def read_message(text: str, tools: ToolSet, reason: str | None = None) -> ParseResult:
    """Read a response, a list of those of a stream, a candidate, its content or parts; text that is none stays text."""
    at = len(text) - len(text.lstrip())
    if not begins_message(text):
        return _read(_Parts(text), tools, reason)
    read = read_json(text, at, close=True)
    chunks = read.value if isinstance(read.value, list) else [read.value]
    if read.error or not all(isinstance(chunk, dict) for chunk in chunks):
        code = "truncated" if read.error and (reason == "length" or read.error == "truncated") else "bad_json"
        problem = report(code, Span(0, len(text)), f"This is no model's content: {read.message or 'not an object.'}")
        return ParseResult(problems=(problem,), format="native_gemini")
    candidates = [_first(chunk.get("candidates")) or chunk for chunk in chunks]
    parts: list[Any] = []
    for candidate in candidates:
        content = candidate.get("content")
        found = (content if isinstance(content, dict) else candidate).get("parts")
        parts += found if isinstance(found, list) else [candidate]
    ends = [candidate for candidate in candidates if candidate.get("finishReason")] or [{}]
    finish = str(ends[-1].get("finishReason") or "")
    reason = reason or {"MAX_TOKENS": "length"}.get(finish)
    result = _read(_parts(parts, tools, left_open(text, at, read.value), reason), tools, reason)
    if finish != "MALFORMED_FUNCTION_CALL":
        return result
    message = str(ends[-1].get("finishMessage") or "The API could not read the model's call.")
    return replace(result, problems=(*result.problems, report("bad_json", Span(0, 0), message)))


def _read(parts: _Parts, tools: ToolSet, reason: str | None) -> ParseResult:
    """Judge the calls; where there are none, look for those written as text."""
    result = read_native(parts.said, parts.calls, tools, reason, "native_gemini", parts.odd, parts.cut)
    written = _read_text(result.text, tools) if not parts.calls else ParseResult(text=result.text)
    told = result.problems if not (written.calls or written.problems) else without_net(result.problems)
    return ParseResult(
        result.calls + written.calls,
        written.text,
        parts.thoughts + result.reasoning,
        told + written.problems,
        "native_gemini",
    )


def _first(value: Any) -> dict[str, Any] | None:
    return value[0] if isinstance(value, list) and value and isinstance(value[0], dict) else None


def _parts(parts: list[Any], tools: ToolSet, unclosed: frozenset[int], reason: str | None) -> _Parts:
    """Take the parts apart."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[NativeCall] = []
    odd: dict[int, OddKey | None] = {}
    cut: dict[int, str] = {}
    for part in parts:
        if not isinstance(part, dict):
            continue
        call = part.get("functionCall") or part.get("function_call")
        if isinstance(call, dict):
            name = str(call.get("name") or "")
            arguments, odd[len(calls)] = argument_text(call, "args", name, tools)
            cut[len(calls)] = cut_code(part, call, arguments, unclosed, reason)
            calls.append(NativeCall(len(calls), str(call.get("id") or ""), name, arguments))
        elif isinstance(part.get("text"), str):
            (thoughts if part.get("thought") else texts).append(part["text"])
    return _Parts("".join(texts), calls, "".join(thoughts), odd, cut)


def _read_text(text: str, tools: ToolSet) -> ParseResult:
    """Find calls that were written as text: declared names count, others are reported."""
    calls: list[ParsedCall] = []
    problems: list[ParseProblem] = []
    kept: list[str] = []
    at = 0
    for match in _WRITTEN.finditer(text):
        if match.start() < at:
            continue
        name = match.group(1) or match.group(2)
        read = read_braced(text, match.end(), len(text), '"')
        end = read.end + 2 if text.startswith("/>", read.end) else read.end
        span = Span(match.start(), end)
        kept.append(text[at : match.start()])
        at = end
        if read.error:
            problems.append(report("bad_json", span, f"The call of {name!r} cannot be read.", name=name))
            continue
        draft = Draft(
            name, read.value, span, Span(match.start(), match.end()), Span(match.end(), read.end),
            repairs=("wrong_family",), format="native_gemini",
        )  # fmt: skip
        item = settle(draft, tools)
        if isinstance(item, ParsedCall):
            calls.append(item._replace(id=f"call_{len(calls) + 1}", outcome=Outcome.RECOVERED))
        elif item is not None:
            problems.append(item)
    kept.append(text[at:])
    return ParseResult(tuple(calls), "".join(kept), "", tuple(problems), "native_gemini")


def write_call(call: ParsedCall) -> str:
    """Write one call as the content that carries it."""
    part = {"functionCall": {"name": call.name, "args": call.arguments}}
    return json.dumps({"role": "model", "parts": [part]}, ensure_ascii=False)


FORMATS = (
    NativeSpec(
        id="native_gemini", family="native_gemini", models="Gemini API", grammar=Grammar(), write_call=write_call,
        native=True, read=read_message,
    ),
)  # fmt: skip

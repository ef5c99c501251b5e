"""The evidence of an upstream report, piece by piece: what was expected, what came, where it broke, with which versions."""

from __future__ import annotations

import json
import platform
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import workbench
from workbench.app.forensics import examine
from workbench.app.pasted import PASTED
from workbench.cases.expectation_document import expectation_to_document
from workbench.cases.proposal import propose
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.core.case import ExpectedArgument
from workbench.core.json_text import json_or, parse_json
from workbench.core.tools import tools_from_json
from workbench.core.versions import PARSER_VERSION
from workbench.export.report_facts import ChunkLine, SpanLine, parser_in
from workbench.export.truth import truths
from workbench.formats import get_format
from workbench.formats.detect import detect
from workbench.formats.kit.unread import NET_CODES
from workbench.formats.model_rules import current_rules
from workbench.formats.sanitize import leaked_markers
from workbench.formats.survey.forensics import attempts
from workbench.localserver.records import read_records
from workbench.replay.faults import CutsMatter, FailedReading, MissingCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app.forensics import Specimen, TextChunk
    from workbench.app.pasted_setup import ServerSetup
    from workbench.core.case import ExpectedCall
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary
    from workbench.core.tools import ToolSpec
    from workbench.export.exchanges import RecordedExchange
    from workbench.export.exported_run import ExportedRun
    from workbench.export.report_facts import ReportFacts, SmallestReply
    from workbench.formats.survey.forensics import Survey
    from workbench.replay.faults import Fault
    from workbench.replay.minimise import Minimising

BESIDE = 2
"""Chunks shown on both sides of the one that breaks the call."""
_PARAMETERS = ("model", "stream", "temperature", "top_p", "seed", "max_tokens", "max_completion_tokens", "tool_choice",
               "parallel_tool_calls", "stop", "reasoning_effort")  # fmt: skip
GUESSED = "This is not confirmed."
_LOCAL = ("127.0.0.1", "localhost", "::1")


def title_of(fault: Fault | None, given: dict[str, Any]) -> str:
    """What is wrong, in the few words of a title; empty without a fault."""
    match fault:
        case MissingCall(name=name, asked=asked, other=other):
            if asked.format.id == other.format.id:
                return f"call of {name} stands inside the reasoning"
            kept = "stays in the content, tool_calls is empty" if not given.get("tool_calls") else "is lost"
            return f"call of {name} {kept} (written as {other.format.id})"
        case CutsMatter():
            return "a streamed reply is read otherwise than as one text"
        case FailedReading(fault=found):
            what = {Outcome.REPORTED: "cannot be read", Outcome.RECOVERED: "is damaged"}.get(found.outcome, "")
            name = found.culprit.name
            told = " ".join(word for word in (f"call of {name}" if name else "tool call", what) if word)
            codes = ", ".join(sorted(found.codes)).replace("_", " ")
            if codes == "schema":
                return f"{told} breaks its schema"
            return f"{told}: {codes}" if codes else told
    return ""


class Expected(NamedTuple):
    """What should have come."""

    document: Any = None
    """A list of calls, or an expectation as cases write it; None: nobody knows."""
    basis: str = ""
    calls: tuple[dict[str, Any], ...] = ()
    """The calls that leave no choice."""


def expected_of(exported: ExportedRun, number: int, check: SchemaChecker) -> Expected:
    """The right calls of a reply by its case; without one what should probably have come of the run, said to be a guess."""
    truth = truths(exported).get(number)
    if truth is not None and truth.confirmed:
        return Expected(list(truth.calls), truth.basis, truth.calls)
    wanted, basis = exported.case.expectation, f"{exported.place} expects it of the run"
    if wanted is None:
        found = propose(exported.events, check)
        wanted, basis = found.expectation, f"{' '.join(found.notes)} {GUESSED}"
    if wanted is None:
        return Expected(None, basis.replace(GUESSED, "").strip())
    calls = tuple(one for call in wanted.calls if (one := _plain_call(call)) is not None)
    document = expectation_to_document(wanted)
    return Expected(document.get("calls", document) if isinstance(document, dict) else document, basis, calls)


def _plain_call(call: ExpectedCall) -> dict[str, Any] | None:
    """The call with its only possible values; None where there is a choice."""
    if any(rule != ExpectedArgument(rule.values) or len(rule.values) != 1 for rule in call.arguments.values()):
        return None
    return {"name": call.name, "arguments": {name: rule.values[0] for name, rule in call.arguments.items()}}


def to_the_letter(name: str, calls: Sequence[dict[str, Any]]) -> str:
    """The calls as the format writes them."""
    spec = get_format(name) if name else None
    if spec is None or spec.native:
        return ""
    here = Span(0, 0)
    made = [
        ParsedCall(one["name"], one["arguments"], f"call_{at}", Outcome.STRICT, (), here, here, here, spec.id)
        for at, one in enumerate(calls, 1)
    ]
    return spec.render_turn("", made).text if made else ""


def given_message(exported: ExportedRun, number: int) -> dict[str, Any]:
    """The message as the server delivered it."""
    reply = next((reply for step, reply in exported.run.replies if step.number == number), None)
    if reply is None:
        return {}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.native_calls
    ]
    given: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.reasoning:
        given["reasoning_content"] = reply.reasoning
    given["tool_calls"] = calls
    return given | ({"finish_reason": reply.finish_reason} if reply.finish_reason else {})


def span_lines(small: SmallestReply, specimen: Specimen) -> tuple[SpanLine, ...]:
    """The attempts in the smallest reply, as the asked format and the best other one read them."""
    tools = _specs(small, specimen)
    exam = examine(replace(specimen, text=small.text, tools=tools, chunks=()))
    lines: dict[tuple[int, int, str], SpanLine] = {}
    readings = [exam.survey.reading(exam.survey.asked), exam.survey.best]
    for reading in readings:
        for call in reading.result.calls if reading else ():
            told = f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}"
            why = f" ({', '.join(call.repairs)})" if call.repairs else ""
            line = SpanLine(call.span.start, call.span.end, call.format, f"{call.outcome}{why}", told)
            lines[line.start, line.end, line.reader] = line
        for problem in reading.result.problems if reading else ():
            if problem.outcome is not None and reading is not None and problem.code not in NET_CODES:
                line = SpanLine(
                    problem.span.start,
                    problem.span.end,
                    reading.format,
                    f"{problem.outcome} ({problem.code})",
                    problem.message,
                )
                lines[line.start, line.end, line.reader] = line
    return tuple(sorted(lines.values()))


def _specs(small: SmallestReply, specimen: Specimen) -> tuple[ToolSpec, ...] | None:
    return tools_from_json(list(small.tools)) if small.tools else specimen.tools


def breaking_chunk(specimen: Specimen, survey: Survey) -> tuple[tuple[ChunkLine, ...], str]:
    """The chunk from which on the first lost or mended call goes wrong, with its neighbours, and a sentence."""
    pieces = [chunk for chunk in specimen.chunks if chunk.text]
    if len(pieces) < 2 or "".join(chunk.text for chunk in pieces) != specimen.text:
        return (), "The reply came in one piece: the cuts of a stream play no part." if len(pieces) == 1 else ""
    wrong = next(
        (
            one
            for one in attempts(survey)
            if (not one.by_asked or one.outcome is not Outcome.STRICT) and one.span.source == "text"
        ),
        None,
    )
    if wrong is None:
        return (), ""
    begins, ends = _chunk_at(pieces, wrong.span.start), _chunk_at(pieces, max(wrong.span.end - 1, wrong.span.start))
    shown = range(max(begins - BESIDE, 0), min(begins + BESIDE + 1, len(pieces)))
    lines = tuple(ChunkLine(at + 1, pieces[at].at_us, pieces[at].text, at == begins) for at in shown)
    place = f"chunk {begins + 1}" if begins == ends else f"chunks {begins + 1} to {ends + 1}"
    return (
        lines,
        f"The call stands in {place} of {len(pieces)} that carry text; it goes wrong from chunk {begins + 1} on.",
    )


def _chunk_at(pieces: Sequence[TextChunk], offset: int) -> int:
    """Index of the piece that holds a character."""
    end = 0
    for at, piece in enumerate(pieces):
        end += len(piece.text)
        if offset < end:
            return at
    return len(pieces) - 1


def search_words(
    facts: ReportFacts, exported: ExportedRun, search: Minimising | None, survey: Survey
) -> tuple[str, ...]:
    """Queries for a tracker: by parser (the one that the server was started with, where that is known), by model and fault, by marker."""
    model = exported.run.served_model or exported.started.executor.model
    short = "" if exported.started.origin == PASTED else model.rpartition("/")[2].partition(":")[0]
    codes = [one.codes[0].replace("_", " ") for one in attempts(survey) if one.codes]
    marks = [survey.text[span.start : span.end].strip() for span in leaked_markers(survey.text)]
    parser = parser_in(facts.command) or next((name for _, name in facts.parsers), facts.format)
    found = [f"{parser} tool parser {codes[0] if codes else 'tool_calls empty'}"]
    found += [f"{short} tool_calls"] if short else []
    found += [f'"{marks[0]}" content tool_calls'] if marks else []
    if search is not None and search.cuts_matter:
        found.append(f"{parser} streaming tool call")
    return tuple(dict.fromkeys(found))


def parser_names(model: str) -> tuple[tuple[str, str], ...]:
    """What vLLM and SGLang call the parser of this model's calls."""
    rule = next((one for one in current_rules().rules if one.id == detect(model).family), None)
    return tuple((name, value) for name in ("vllm", "sglang") if rule and (value := getattr(rule, name)))


def parsers_of_format(name: str) -> tuple[tuple[str, str], ...]:
    """The same for a format whose model is not known: the first family that is served with such a parser."""
    rule = next((one for one in current_rules().rules if one.formats[:1] == (name,) and one.vllm), None)
    return tuple((kind, value) for kind in ("vllm", "sglang") if rule and (value := getattr(rule, kind)))


def versions_of(
    run: RunSummary, exchange: RecordedExchange | None, told_of: ServerSetup
) -> tuple[tuple[str, str], ...]:
    """What is known of both sides; `told_of`: what stood beside a pasted reply."""
    started = run.started
    assert started is not None  # else the run could not be exported
    pasted = started.origin == PASTED
    found = [
        ("model asked", "" if pasted else started.executor.model),
        ("model served", run.served_model),
        ("model", told_of.model),
        *told_of.versions,
        ("simulated", "yes, by the Tool-Calling Workbench" if started.executor.simulated else ""),
        ("protocol", "" if pasted else started.executor.wire),
        ("server header", exchange.header("server") if exchange else ""),
        ("system fingerprint", _fingerprint(exchange)),
        ("format asked", started.executor.format),
        ("read by", f"Tool-Calling Workbench {workbench.__version__}, parser {PARSER_VERSION}"),
        ("client", f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"),
    ]
    return tuple((name, value) for name, value in found if value)


def _fingerprint(exchange: RecordedExchange | None) -> str:
    """What servers of OpenAI's protocol say of their build: llama.cpp puts its version there."""
    for line in (exchange.body if exchange else b"").decode(errors="replace").splitlines():
        record = line.removeprefix("data:").strip()
        if "system_fingerprint" in record and record.startswith("{"):
            try:
                found = parse_json(record).get("system_fingerprint")
            except (ValueError, AttributeError):
                continue
            if isinstance(found, str):
                return found
    return ""


def request_flags(exchange: RecordedExchange | None) -> tuple[tuple[str, str], ...]:
    """The parameters of the request, prompts and tools aside."""
    body = json_or(exchange.request.body, None) if exchange else {}
    if not isinstance(body, dict):
        return ()
    told = [(name, json.dumps(body[name], ensure_ascii=False)) for name in _PARAMETERS if name in body]
    tools = body.get("tools")
    return tuple(told) + ((("tools", str(len(tools))),) if isinstance(tools, list) else ())


class ServerHere(NamedTuple):
    """What is known of a server on this computer."""

    system: str = ""
    command: str = ""


def server_here(records: Path, exported: ExportedRun) -> ServerHere:
    """System and command line of the run's server, where it ran here; home folders are `~`."""
    where = urlsplit(exported.started.executor.base_url)
    if where.hostname not in _LOCAL:
        return ServerHere()
    names = {"Darwin": "Mac"}
    system = names.get(platform.system(), platform.system())
    record = next((one for one in read_records(records) if one.port == where.port), None)
    if record is None:
        return ServerHere(system)
    line = " ".join((Path(record.program).name, *record.arguments))
    return ServerHere(system, line.replace(str(Path.home()), "~"))

"""From an examination to what the page Forensics and the inspector show: lines, words, and a report as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.core.versions import PARSER_VERSION
from workbench.formats import get_format
from workbench.formats.survey.forensics import attempts
from workbench.ui.run.forensics_rows import (
    MOST_CALLS,
    AttemptStretch,
    FieldWords,
    FindingLine,
    FormatLine,
    VerdictWords,
    call_line,
    count_words,
)
from workbench.ui.run.span_index import SpanIndex, path_text, value_at
from workbench.ui.theme.translation import tr, translated_sentence
from workbench.ui.widgets.quantities import counted, seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app.forensics import Examination, Specimen
    from workbench.core.calls import FieldSpan, ParsedCall, ParseProblem, ParseResult, Region, Span
    from workbench.formats.survey.forensics import FormatReading

_MOST_STRETCHES = 2_000


def format_lines(exam: Examination) -> list[FormatLine]:
    """One line for each format, in the survey's order."""
    asked = exam.survey.asked
    return [_line(one, asked) for one in exam.survey.readings]


def _line(reading: FormatReading, asked: str) -> FormatLine:
    calls = reading.result.calls
    shown = [call_line(call.name, call.arguments) for call in calls[:MOST_CALLS]]
    if len(calls) > MOST_CALLS:
        shown[-1] = tr("… and {calls:,} more calls", calls=len(calls) - 1)
    mine = reading.format == asked
    return FormatLine(
        reading.format,
        "asked" if mine else "",
        count_words(*reading.strict),
        count_words(*reading.tolerant),
        tuple(shown),
        tuple(AttemptStretch(*place) for place in reading.places[:_MOST_STRETCHES]),
        " · ".join(reading.why[:4]),
        reading.found or mine,
        len(calls),
    )


def verdict_words(exam: Examination) -> VerdictWords:
    """The head of the page."""
    told = exam.attribution
    layers = tuple((state.layer, state.state) for state in told.layers)
    headline, detail = translated_sentence(told.headline), translated_sentence(told.detail)
    return VerdictWords(told.title, bool(told.layer), headline, detail, told.confidence, layers, _policies(exam))


def _policies(exam: Examination) -> tuple[tuple[str, str], ...]:
    """What each policy gives out of what the model tried."""
    survey = exam.survey
    reading = survey.reading(survey.asked) if survey.asked else survey.best
    total = len(attempts(survey))
    if reading is None or not total:
        return ()
    noun = "call" if total == 1 else "calls"
    rows = [
        (
            tr("{format}, strict", format=reading.format),
            tr("{strict:,} of {total:,} {noun}", strict=reading.tolerant.strict, total=total, noun=noun),
        ),
        ("tolerant", tr("{calls:,} of {total:,}", calls=reading.tolerant.calls, total=total)),
    ]
    if survey.asked and not reading.tolerant.calls and not reading.native:
        others = [one for one in survey.readings if one is not reading]
        best = max(others, key=lambda one: (one.tolerant.strict, one.tolerant.calls), default=None)
        rows.append(("cross-format", f"{best.tolerant.calls if best else 0:,} of {total:,}"))
    return tuple(rows)


def chosen_format(exam: Examination, wanted: str = "") -> str:
    """Whose reading colours the text: the wanted one, else the asked one if it found something, else the best."""
    survey = exam.survey
    if wanted and survey.reading(wanted) is not None:
        return wanted
    asked = survey.reading(survey.asked) if survey.asked else None
    if asked is not None and (asked.found or survey.best is None):
        return asked.format
    return survey.best.format if survey.best else ""


def result_of(exam: Examination, name: str) -> ParseResult | None:
    """The tolerant reading of a format."""
    reading = exam.survey.reading(name)
    return reading.result if reading else None


def colours(exam: Examination, name: str) -> tuple[Region, ...]:
    """Roles of the text's characters as one format reads them."""
    result = result_of(exam, name)
    if result is None:
        return ()
    return tuple(one for one in get_format(name).regions(exam.survey.text, result) if one.span.source == "text")


def finding_lines(text: str, result: ParseResult) -> list[FindingLine]:
    """Calls and problems of a reading in the order of the text."""
    found = [_call_line(text, call) for call in result.calls]
    found += [_problem_line(text, problem) for problem in result.problems]
    return sorted(found, key=lambda line: (line.start, line.end))


def _call_line(text: str, call: ParsedCall) -> FindingLine:
    why = f" · {', '.join(call.repairs)}" if call.repairs else ""
    where = f"{call.outcome.value}{why} · {_place(text, call.span)}"
    return FindingLine(call.outcome.value, call_line(call.name, call.arguments), where, *_in_text(call.span))


def _problem_line(text: str, problem: ParseProblem) -> FindingLine:
    outcome = problem.outcome.value if problem.outcome else "note"
    told = f"{translated_sentence(problem.message)} {translated_sentence(problem.hint)}"
    title = f"{problem.code}: {told}".strip().replace("\n", " ")
    return FindingLine(outcome, title, f"{outcome} · {_place(text, problem.span)}", *_in_text(problem.span))


def _in_text(span: Span) -> tuple[int, int]:
    return (span.start, span.end) if span.source == "text" else (0, 0)


def _place(text: str, span: Span) -> str:
    if span.source != "text":
        return tr("characters {start:,}–{end:,} of {source}", start=span.start, end=span.end, source=span.source)
    return tr(
        "characters {start:,}–{end:,}, line {chr:,}",
        start=span.start,
        end=span.end,
        chr=text.count(chr(10), 0, span.start) + 1,
    )


def field_index(exam: Examination, name: str) -> SpanIndex:
    """Where the arguments of a reading's calls stand in the text."""
    fields: list[tuple[FieldSpan, ...]] = []
    result = result_of(exam, name)
    for call in result.calls if result else ():
        in_text = call.arguments_span.source == "text"
        fields.append(get_format(call.format).argument_spans(exam.survey.text, call) if in_text else ())
    return SpanIndex(fields)


def field_words(exam: Examination, name: str, index: SpanIndex, offset: int) -> FieldWords | None:
    """The argument at a character of the text."""
    hit, result = index.field_at("text", offset), result_of(exam, name)
    if hit is None or result is None:
        return None
    call = result.calls[hit.call]
    value = value_at(call.arguments, hit.path)
    role = "string" if isinstance(value, str) else "text" if isinstance(value, dict | list) else "number"
    where = _place(exam.survey.text, hit.span)
    if kind := _schema_type(exam.specimen, call.name, hit.path):
        where += tr(" · type from schema: {kind}", kind=kind)
    told = json.dumps(value, ensure_ascii=False, default=str)
    return FieldWords(path_text(hit.path), told, role, where, name, hit.span)


def _schema_type(specimen: Specimen, tool: str, path: Sequence[str | int]) -> str:
    spec = next((one for one in specimen.tools or () if one.name == tool), None)
    schema = spec.properties.get(str(path[0])) if spec and len(path) == 1 else None
    kind = schema.get("type") if isinstance(schema, dict) else None
    return kind if isinstance(kind, str) else ""


def took_words(exam: Examination) -> str:
    """`102 readings in 1.9 ms`: each format is read once, and gives two readings."""
    took = exam.survey.took_us
    time = tr("{took:.1f} ms", took=took / 1000) if took < 10_000 else seconds(took)
    return tr("{count} readings in {time}", count=2 * len(exam.survey.readings), time=time)


def report(exam: Examination) -> str:
    """Everything as text, for an issue or a mail."""
    specimen, survey = exam.specimen, exam.survey
    lines = [exam.attribution.sentence, exam.attribution.confidence, ""]
    if specimen.title:
        lines.append(f"Prompt: {specimen.title}")
    if specimen.place:
        lines.append(f"Where: {specimen.place}")
    asked = survey.asked or tr("not known")
    lines += [
        tr("Format asked: {asked}; finish reason: {reason}", asked=asked, reason=specimen.reason or tr("not known")),
        tr("Parser: {parser_version}", parser_version=PARSER_VERSION),
        "",
    ]
    for line in (one for one in format_lines(exam) if one.found):
        strict, tolerant = ("".join(word.text for word in words) for words in (line.strict, line.tolerant))
        lines.append(f"{line.format}{' (asked)' if line.note else ''}: strict {strict}; tolerant {tolerant}")
        lines += [f"    {call}" for call in line.calls]
        lines += [f"    {line.why}"] if line.why else []
    lines += [
        "",
        tr(
            "{formats} found nothing: {nothing}",
            formats=counted(len(survey.nothing), "format"),
            nothing=", ".join(survey.nothing) or "–",
        ),
        "",
    ]
    name = chosen_format(exam)
    if (result := result_of(exam, name)) is not None:
        lines.append(f"{name}:")
        lines += [f"    {line.title} ({line.where})" for line in finding_lines(survey.text, result)]
    lines += ["", tr("Raw text, {characters}:", characters=counted(len(survey.text), "character")), survey.text]
    return "\n".join(lines)

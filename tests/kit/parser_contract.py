"""What every format must do, checked from data: a new format gets its tests by adding a file under tests/data/formats.

A data file names cases: `raw` text, the `calls` it holds (name, arguments), and optionally `text`, `reasoning`, `outcome`,
`repairs` (a subset of those reported), `problems` (codes), `tools` (a list of names out of TOOLS, or null), `reason`, `flags`.
Cases under `examples` must be strict; cases under `malformed` say what becomes of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from workbench.core.calls import CallRead, Outcome, ParseResult, ProblemRead, ReasoningRead, TextRead
from workbench.core.protocols import Format, StreamParser
from workbench.core.tools import ToolResult, ToolSpec
from workbench.formats import get_format

DATA = Path(__file__).resolve().parents[1] / "data" / "formats"

TOOLS = {
    spec.name: spec
    for spec in (
        ToolSpec(
            "get_weather",
            "Current weather in a city.",
            {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "metric": {"type": "boolean"}},
                "required": ["city"],
            },
        ),
        ToolSpec("now", "The time.", {"type": "object", "properties": {"zone": {"type": "string"}}}),
        ToolSpec(
            "write_file",
            "Write a file.",
            {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "content": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "options": {"type": "object"},
                },
                "required": ["path", "content"],
            },
        ),
    )
}


@dataclass(frozen=True)
class Case:
    """One text and what must be read in it."""

    format: str
    name: str
    raw: str
    want: dict[str, Any]
    strict: bool

    @property
    def tools(self) -> tuple[ToolSpec, ...] | None:
        names = self.want.get("tools", list(TOOLS))
        return None if names is None else tuple(TOOLS[name] for name in names)


@cache
def cases() -> tuple[Case, ...]:
    """Return all cases of all data files."""
    found = []
    for path in sorted(DATA.glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        for group in ("examples", "malformed"):
            for number, want in enumerate(data.get(group) or ()):
                name = f"{path.stem}-{group}-{number}-{want.get('why', '')}".replace(" ", "_")[:70]
                found.append(Case(path.stem, name, want["raw"], want, group == "examples"))
    return tuple(found)


def contract(*formats: str) -> type:
    """Return a test class that checks the formats of one family from their data files."""
    found = [case for case in cases() if case.format in formats]
    strict = [case for case in found if case.strict]
    every = pytest.mark.parametrize("case", found, ids=[case.name for case in found])
    each_strict = pytest.mark.parametrize("case", strict, ids=[case.name for case in strict])
    each_format = pytest.mark.parametrize("name", formats)

    class Family:
        @every
        def test_reading(self, case: Case) -> None:
            check_reading(case)

        @every
        def test_spans(self, case: Case) -> None:
            check_spans(case)

        @every
        def test_every_cut_reads_the_same(self, case: Case) -> None:
            check_cuts(case)

        @each_strict
        def test_rendering_is_the_inverse(self, case: Case) -> None:
            check_render(case)

        @each_format
        def test_prompt_holds_the_tools(self, name: str) -> None:
            check_prompt(get_format(name))

        @each_format
        def test_results_go_back(self, name: str) -> None:
            check_results(name, next(case for case in strict if case.format == name and case.want.get("calls")))

        @each_format
        def test_hostile_text_is_harmless(self, name: str) -> None:
            check_hostile(get_format(name))

    return Family


def parser_of(case: Case) -> StreamParser:
    return get_format(case.format).parser(case.tools, **case.want.get("flags", {}))


def read(case: Case, pieces: list[str]) -> tuple[ParseResult, ParseResult]:
    """Feed the pieces; return the parser's result and the one that its events alone make."""
    parser = parser_of(case)
    events = [event for piece in pieces for event in parser.feed(piece)]
    events += parser.finish(case.want.get("reason"))
    result = parser.result()
    from_events = ParseResult(
        tuple(event.call for event in events if isinstance(event, CallRead)),
        "".join(event.text for event in events if isinstance(event, TextRead)),
        "".join(event.text for event in events if isinstance(event, ReasoningRead)),
        tuple(event.problem for event in events if isinstance(event, ProblemRead)),
        result.format,
    )
    return result, from_events


def check_reading(case: Case) -> None:
    """The text is read as the data file says."""
    result, _ = read(case, [case.raw])
    want = case.want
    assert [(call.name, call.arguments) for call in result.calls] == [
        (call["name"], call.get("arguments", {})) for call in want.get("calls", ())
    ], result
    if "ids" in want:
        assert [call.id for call in result.calls] == want["ids"]
    if "text" in want:
        assert result.text == want["text"]
    if "reasoning" in want:
        assert result.reasoning == want["reasoning"]
    codes = {code for call in result.calls for code in call.repairs}
    assert set(want.get("repairs", ())) <= codes, codes
    problems = [problem.code for problem in result.problems]
    assert sorted(problems) == sorted(want.get("problems", ())), result.problems
    if case.strict:
        assert all(call.outcome is Outcome.STRICT for call in result.calls), result.calls
    elif "outcome" in want:
        assert result.outcome.value == want["outcome"], result


def check_spans(case: Case) -> None:
    """Spans stay inside the text, and a strict call's name span holds its name."""
    result, _ = read(case, [case.raw])
    spec = get_format(case.format)
    for call in result.calls:
        assert 0 <= call.span.start <= call.span.end
        for span in (call.name_span, call.arguments_span):
            if not spec.native:
                assert call.span.start <= span.start <= span.end <= call.span.end <= len(case.raw)
        if case.strict and not spec.native:
            assert call.name in case.raw[call.name_span.start : call.name_span.end]
    regions = spec.regions(case.raw, result)
    assert all(a.span.end <= b.span.start for a, b in pairwise(regions))


def check_cuts(case: Case) -> None:
    """Whole, one character at a time, and every single cut give the same, also through the events."""
    raw = case.raw
    whole, from_events = read(case, [raw])
    assert from_events == whole
    assert read(case, list(raw)) == (whole, whole)
    step = max(1, len(raw) // 100)
    for cut in range(1, len(raw), step):
        assert read(case, [raw[:cut], raw[cut:]]) == (whole, whole), (raw[:cut], raw[cut:])


def check_render(case: Case) -> None:
    """A strict call written by the format is read back as it was."""
    spec = get_format(case.format)
    result, _ = read(case, [case.raw])
    for call in result.calls:
        assert_inverse(spec, call.name, call.arguments, case.tools)


def assert_inverse(spec: Format, name: str, arguments: dict[str, Any], tools: tuple[ToolSpec, ...] | None) -> None:
    """Rendering a call and parsing it gives the call back, strictly."""
    from workbench.core.calls import ParsedCall, Span

    nowhere = Span(0, 0)
    call = ParsedCall(name, arguments, "call00001", Outcome.STRICT, (), nowhere, nowhere, nowhere, spec.id)
    text = spec.render_call(call)
    result = spec.parse(text, tools)
    assert [(found.name, found.arguments) for found in result.calls] == [(name, arguments)], (text, result)
    assert result.calls[0].outcome is Outcome.STRICT, (text, result)
    assert not result.text.strip(), (text, result)
    if not spec.native:
        turn = spec.render_turn("", [call, call]).text
        assert len(spec.parse(turn, tools).calls) >= 1, turn


def check_prompt(spec: Format) -> None:
    """The prompt names every tool and argument, and says what the tool choice wants."""
    tools = tuple(TOOLS.values())
    text = spec.prompt(tools)
    if spec.native:
        assert text == ""
        return
    for tool in tools:
        assert tool.name in text
        assert all(argument in text for argument in tool.properties)
    assert spec.prompt(tools, "none") == spec.prompt(()) == ""
    assert "must call" in spec.prompt(tools, "required")
    assert "`now`" in spec.prompt(tools, {"type": "function", "function": {"name": "now"}})


def check_results(name: str, case: Case) -> None:
    """Results go back as messages that hold them."""
    spec = get_format(name)
    call = spec.parse(case.raw, case.tools).calls[0]
    messages = spec.result_messages([(call, ToolResult(True, {"sky": "blue"}))])
    assert messages
    assert all("blue" in message.text for message in messages)
    assert "blue" in spec.render_result(call, ToolResult(True, {"sky": "blue"}))
    assert spec.result_messages([]) == ()


def check_hostile(spec: Format) -> None:
    """Odd texts are text: nothing raises, nothing is lost."""
    for text in (
        "",
        " ",
        "\n\n",
        "<",
        "{",
        "[",
        "Hello.",
        "\ufeff",
        "\ud800",
        "\x00",
        "a" * 5000,
        '{"a": 1}',
        "[1, 2]",
    ):
        result = spec.parse(text, ())
        assert not result.calls
        if not spec.native:
            assert result.text == text

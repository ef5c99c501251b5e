"""What a format must keep, checked with samples: for a user's own formats, from the file that lies beside them.

A sample names a raw text and the calls in it. `examples` must be read strictly, `malformed` say what becomes of them:

    examples:
    - raw: '<<now {"zone": "UTC"}>>'
      calls: [{name: now, arguments: {zone: UTC}}]
    malformed:
    - raw: '<<now {"zone": "UTC",}>>'
      calls: [{name: now, arguments: {zone: UTC}}]
      repairs: [trailing_comma]

Further keys: `format` (if the file holds several), `why`, `text`, `tools` (a list, or null for any name), `reason`,
`problems` (codes). Nothing is caught here: whoever runs a check of other people's code guards it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import ReasoningRead, TextRead
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolResult, ToolSpec, tools_from_json
from workbench.formats.registry import list_formats
from workbench.formats.sanitize import leaked_markers, sanitize
from workbench.formats.sanitizer.marker_table import other_formats, use_formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.core.calls import ParseResult
    from workbench.core.protocols import Format

MOST_CUTS = 400
HOSTILE = ("<" * 2_000, "{" * 2_000, "[" * 2_000, '"' * 2_000, "\x00\ud800\u2028", "<tool_call>" * 200)
"""Texts that must do no harm, beside the empty one."""
PROBE = ToolSpec("look_up", "Looks something up.", {"type": "object", "properties": {"word": {"type": "string"}}})
"""A tool for prompts; its name must be in the text that teaches the format."""


class Sample(NamedTuple):
    """One text and what must be read in it."""

    name: str
    format: str
    """Empty: the only format of its file."""
    raw: str
    calls: tuple[tuple[str, dict[str, Any]], ...]
    strict: bool
    text: str | None = None
    tools: tuple[ToolSpec, ...] | None = None
    reason: str | None = None
    repairs: frozenset[str] = frozenset()
    problems: frozenset[str] = frozenset()


Check = tuple[str, "Callable[[], list[str]]"]
"""A title, and a function that tells what is wrong."""


def samples_of(data: Any, place: str) -> tuple[Sample, ...]:
    """Read a file of samples; raise InvalidInput naming the sample."""
    if not isinstance(data, dict):
        raise InvalidInput(f"{place} holds no samples.", hint="Write lists under 'examples' and 'malformed'.")
    found = []
    for group in ("examples", "malformed"):
        rows = data.get(group) or ()
        if not isinstance(rows, list | tuple):
            raise InvalidInput(f"{place}: {group!r} is not a list.")
        found += [_sample(row, f"{place}: {group}[{at}]", strict=group == "examples") for at, row in enumerate(rows)]
    return tuple(found)


def _sample(row: Any, place: str, *, strict: bool) -> Sample:
    if not isinstance(row, dict) or not isinstance(row.get("raw"), str):
        raise InvalidInput(f"{place} has no 'raw' text.")
    calls = row.get("calls") or ()
    if not isinstance(calls, list | tuple) or not all(isinstance(one, dict) and "name" in one for one in calls):
        raise InvalidInput(f"{place}: 'calls' is not a list of objects with 'name' and 'arguments'.")
    tools = row.get("tools")
    why = str(row.get("why") or "")
    return Sample(
        f"{place}{f' ({why})' if why else ''}",
        str(row.get("format") or ""),
        row["raw"],
        tuple((str(one["name"]), dict(one.get("arguments") or {})) for one in calls),
        strict,
        row.get("text"),
        None if tools is None else tools_from_json(tools),
        row.get("reason"),
        frozenset(row.get("repairs") or ()),
        frozenset(row.get("problems") or ()),
    )


def checks(spec: Format, samples: Sequence[Sample]) -> Iterator[Check]:
    """Yield everything that must hold for a format; each check is run by itself."""
    for sample in samples:
        yield f"{sample.name}: reading", partial(_reading, spec, sample)
        yield f"{sample.name}: every cut reads the same", partial(_cuts, spec, sample)
        if sample.strict and sample.calls:
            yield f"{sample.name}: what is written is read back", partial(_written, spec, sample)
    markerless = getattr(getattr(spec, "grammar", None), "markerless", False)
    if not spec.native and not markerless and any(sample.calls for sample in samples):
        yield "the sanitizer leaves nothing of a call", partial(_sanitized, spec, samples)
    yield "hostile texts", partial(_hostile, spec)
    yield "the prompt names the tools", partial(_prompt, spec)
    if not any(sample.strict and sample.calls for sample in samples):
        yield "samples", lambda: ["There is no strict example with a call."]


def _reading(spec: Format, sample: Sample) -> list[str]:
    result = spec.parse(sample.raw, sample.tools, sample.reason)
    wrong = []
    found = tuple((call.name, call.arguments) for call in result.calls)
    if found != sample.calls:
        wrong.append(f"calls are {list(found)!r}, not {list(sample.calls)!r}")
    if sample.text is not None and result.text != sample.text:
        wrong.append(f"text is {result.text!r}, not {sample.text!r}")
    repairs = {code for call in result.calls for code in call.repairs}
    if sample.strict and (repairs or result.lost):
        wrong.append(f"an example must be strict, but there is {sorted(repairs) or result.lost[0].code!r}")
    if missing := sample.repairs - repairs:
        wrong.append(f"repairs are {sorted(repairs)}, without {sorted(missing)}")
    if missing := sample.problems - {problem.code for problem in result.problems}:
        wrong.append(f"problems are without {sorted(missing)}")
    wrong += [
        f"the span of {call.name!r} lies outside of the text"
        for call in result.calls
        if not 0 <= call.span.start < call.span.end <= len(sample.raw)
    ]
    return wrong


def _cuts(spec: Format, sample: Sample) -> list[str]:
    whole = _fed(spec, sample, (sample.raw,))
    step = max(1, len(sample.raw) // MOST_CUTS)
    for at in range(1, len(sample.raw), step):
        if _fed(spec, sample, (sample.raw[:at], sample.raw[at:])) != whole:
            return [f"cut at character {at}, the reading is another one"]
    if _fed(spec, sample, tuple(sample.raw)) != whole:
        return ["fed character by character, the reading is another one"]
    return []


def _fed(spec: Format, sample: Sample, pieces: Sequence[str]) -> tuple[ParseResult, str, str]:
    parser = spec.parser(sample.tools)
    events = [event for piece in pieces for event in parser.feed(piece)]
    events += parser.finish(sample.reason)
    told = "".join(event.text for event in events if isinstance(event, TextRead))
    thought = "".join(event.text for event in events if isinstance(event, ReasoningRead))
    return parser.result(), told, thought


def _written(spec: Format, sample: Sample) -> list[str]:
    wrong = []
    for call in spec.parse(sample.raw, sample.tools, sample.reason).calls:
        again = spec.parse(spec.render_call(call), sample.tools)
        if [(one.name, one.arguments) for one in again.calls] != [(call.name, call.arguments)]:
            wrong.append(f"{spec.render_call(call)!r} is not read back as {call.name!r} with {call.arguments!r}")
        if not spec.result_messages([(call, ToolResult(success=True, result="ok"))]):
            wrong.append("a result makes no message")
    return wrong


def _sanitized(spec: Format, samples: Sequence[Sample]) -> list[str]:
    before = other_formats()
    use_formats((*before, *(() if spec in list_formats() else (spec,))))
    try:
        for sample in samples:
            for call in spec.parse(sample.raw, sample.tools, sample.reason).calls if sample.strict else ():
                written = spec.render_call(call)
                if kept := sanitize(written).strip():
                    return [f"of {written!r} it leaves {kept!r}: declare markers=((opener, closer), …)"]
            if leaked := leaked_markers(sanitize(sample.raw)):
                return [f"of {sample.raw!r} it leaves a marker at {leaked[0].start}"]
    finally:
        use_formats(before)
    return []


def _hostile(spec: Format) -> list[str]:
    for text in ("", *HOSTILE):
        spec.parse(text, None, "length")
        _fed(spec, Sample("", "", text, (), strict=False), tuple(text[:200]))
    return []


def _prompt(spec: Format) -> list[str]:
    if spec.native or PROBE.name in spec.prompt([PROBE]):
        return []
    return [f"the tool {PROBE.name!r} is not in it"]

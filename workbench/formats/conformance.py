"""What every format must keep, the shipped ones and a user's own, checked with the samples of its data file.

A sample names a raw text and the calls in it. `examples` must be read strictly, `malformed` say what becomes of them:

    examples:
    - raw: '<<now {"zone": "UTC"}>>'
      calls: [{name: now, arguments: {zone: UTC}}]
    malformed:
    - raw: '<<now {"zone": "UTC",}>>'
      calls: [{name: now, arguments: {zone: UTC}}]
      repairs: [trailing_comma]

Further keys: `format` (if the file holds several), `why`, `text`, `reasoning`, `ids`, `outcome`, `tools` (a list, or null for
any name), `reason` (why the reply ended), `flags` (keywords of `parser`), `problems` (all codes, none if absent).
Nothing is caught here: whoever runs a check of other people's code guards it.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import (
    CallRead,
    Outcome,
    ParsedCall,
    ParseResult,
    ProblemRead,
    ReasoningRead,
    Span,
    TextRead,
)
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolResult, ToolSpec, tools_from_json
from workbench.formats.registry import list_formats
from workbench.formats.sanitize import leaked_markers, sanitize
from workbench.formats.sanitizer.marker_table import other_formats, use_formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from workbench.core.protocols import Format

MOST_CUTS = 100
PLAIN = ("", " ", "\n\n", "<", "{", "[", "Hello.", "\ufeff", "\ud800", "\x00", "a" * 5000, '{"a": 1}', "[1, 2]")
"""Texts that hold no call and come back as they are."""
HOSTILE = ("<" * 2_000, "{" * 2_000, "[" * 2_000, '"' * 2_000, "\x00\ud800\u2028", "<tool_call>" * 200)
"""Texts that must do no harm."""
OTHERS = (
    "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "</think>", "<|im_end|>", "</function>", "</invoke>", "<function_calls>", "```",
    "Action: x", "</arg_value>", "<|call|>", "<tool_response>", "<|tool_call_end|>", "<｜tool▁call▁end｜>",
)  # fmt: skip
"""Markers of several formats: in an argument they are data."""
_TEXT = {"type": "string"}
PROBE = ToolSpec(
    "look_up", "Looks something up.", {"type": "object", "properties": {"word": _TEXT, "note": _TEXT}, "required": ["word"]}
)  # fmt: skip
"""A tool for prompts and for values; its name must be in the text that teaches the format."""


class Sample(NamedTuple):
    """One text and what must be read in it."""

    name: str
    format: str
    """Empty: the only format of its file."""
    raw: str
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    strict: bool = False
    text: str | None = None
    tools: tuple[ToolSpec, ...] | None = None
    reason: str | None = None
    repairs: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()
    reasoning: str | None = None
    ids: tuple[str, ...] | None = None
    outcome: str = ""
    flags: Mapping[str, bool] = {}  # never changed


Check = tuple[str, "Callable[[], list[str]]"]
"""A title, and a function that tells what is wrong."""


def samples_of(data: Any, place: str, known: Mapping[str, ToolSpec] | None = None) -> tuple[Sample, ...]:
    """Read a file of samples; raise InvalidInput naming the sample.

    `known` are tools that samples may call by name; all of them are declared where a sample says nothing of tools.
    """
    if not isinstance(data, dict):
        raise InvalidInput(f"{place} holds no samples.", hint="Write lists under 'examples' and 'malformed'.")
    found = []
    for group in ("examples", "malformed"):
        rows = data.get(group) or ()
        if not isinstance(rows, list | tuple):
            raise InvalidInput(f"{place}: {group!r} is not a list.")
        for at, row in enumerate(rows):
            found.append(_sample(row, f"{place}: {group}[{at}]", known, strict=group == "examples"))
    return tuple(found)


def _sample(row: Any, place: str, known: Mapping[str, ToolSpec] | None, *, strict: bool) -> Sample:
    if not isinstance(row, dict) or not isinstance(row.get("raw"), str):
        raise InvalidInput(f"{place} has no 'raw' text.")
    calls = row.get("calls") or ()
    if not isinstance(calls, list | tuple) or not all(isinstance(one, dict) and "name" in one for one in calls):
        raise InvalidInput(f"{place}: 'calls' is not a list of objects with 'name' and 'arguments'.")
    why = str(row.get("why") or "")
    ids = row.get("ids")
    return Sample(
        f"{place}{f' ({why})' if why else ''}",
        str(row.get("format") or ""),
        row["raw"],
        tuple((str(one["name"]), dict(one.get("arguments") or {})) for one in calls),
        strict,
        row.get("text"),
        _tools(row.get("tools", None if known is None else list(known)), known or {}),
        row.get("reason"),
        frozenset(row.get("repairs") or ()),
        tuple(sorted(row.get("problems") or ())),
        row.get("reasoning"),
        None if ids is None else tuple(ids),
        str(row.get("outcome") or ""),
        dict(row.get("flags") or {}),
    )


def _tools(given: Any, known: Mapping[str, ToolSpec]) -> tuple[ToolSpec, ...] | None:
    if given is None:
        return None
    if isinstance(given, list) and all(isinstance(one, str) and one in known for one in given):
        return tuple(known[name] for name in given)
    return tools_from_json(given)


def checks(spec: Format, samples: Sequence[Sample]) -> Iterator[Check]:
    """Yield everything that must hold for a format; each check is run by itself."""
    for sample in samples:
        yield f"{sample.name}: reading", partial(_reading, spec, sample)
        yield f"{sample.name}: spans", partial(_spans, spec, sample)
        yield f"{sample.name}: every cut reads the same", partial(_cuts, spec, sample)
        if sample.strict and sample.calls:
            yield f"{sample.name}: what is written is read back", partial(_written, spec, sample)
    example = next((sample for sample in samples if sample.strict and sample.calls), None)
    if not spec.native and not getattr(getattr(spec, "grammar", None), "markerless", False) and example is not None:
        yield "the sanitizer leaves nothing of a call", partial(_sanitized, spec, samples)
        yield "a value that holds the format's own closer", partial(_values, spec, own_closers(spec))
        yield "a value that holds other formats' markers", partial(_values, spec, OTHERS)
    yield "plain texts", partial(_plain, spec)
    yield "hostile texts", partial(_hostile, spec)
    yield "the prompt names the tools", partial(_prompt, spec)
    if example is None:
        yield "samples", lambda: ["There is no strict example with a call."]
    else:
        yield "results go back", partial(_results, spec, example)


def own_closers(spec: Format) -> tuple[str, ...]:
    """Return what closes a call of the format, as far as its grammar says."""
    grammar = getattr(spec, "grammar", None)
    literals: Mapping[str, str] = getattr(grammar, "literals", dict)()
    ends = (text for text, kind in literals.items() if kind == "orphan")
    return tuple(dict.fromkeys((*getattr(grammar, "closes", ()), *ends)))


def read_pieces(spec: Format, sample: Sample, pieces: Sequence[str]) -> tuple[ParseResult, ParseResult]:
    """Feed a sample's text; return the parser's result, and the one that its events alone make."""
    parser = spec.parser(sample.tools, **sample.flags)
    events = [event for piece in pieces for event in parser.feed(piece)]
    events += parser.finish(sample.reason)
    result = parser.result()
    told = ParseResult(
        tuple(event.call for event in events if isinstance(event, CallRead)),
        "".join(event.text for event in events if isinstance(event, TextRead)),
        "".join(event.text for event in events if isinstance(event, ReasoningRead)),
        tuple(event.problem for event in events if isinstance(event, ProblemRead)),
        result.format,
    )
    return result, told


def _reading(spec: Format, sample: Sample) -> list[str]:
    result, _ = read_pieces(spec, sample, [sample.raw])
    found = [(call.name, call.arguments) for call in result.calls]
    pairs: list[tuple[str, object, object]] = [("calls", found, list(sample.calls))]
    if sample.ids is not None:
        pairs.append(("ids", tuple(call.id for call in result.calls), sample.ids))
    pairs += [("text", result.text, sample.text)] if sample.text is not None else []
    pairs += [("reasoning", result.reasoning, sample.reasoning)] if sample.reasoning is not None else []
    pairs += [("outcome", result.outcome.value, sample.outcome)] if sample.outcome and not sample.strict else []
    pairs.append(("problems", tuple(sorted(problem.code for problem in result.problems)), sample.problems))
    wrong = [f"{what} is {got!r}, not {wanted!r}" for what, got, wanted in pairs if got != wanted]
    repairs = {code for call in result.calls for code in call.repairs}
    if sample.strict and repairs:
        wrong.append(f"an example must be strict, but there is {sorted(repairs)}")
    if missing := sample.repairs - repairs:
        wrong.append(f"repairs are {sorted(repairs)}, without {sorted(missing)}")
    return wrong


def _spans(spec: Format, sample: Sample) -> list[str]:
    """Spans stay inside the text and the call, a strict call's name span holds its name, regions do not overlap."""
    result, _ = read_pieces(spec, sample, [sample.raw])
    wrong = []
    for call in result.calls:
        whole, inner = call.span, (call.name_span, call.arguments_span)
        inside = all(whole.start <= one.start <= one.end <= whole.end for one in inner) or spec.native
        if not (0 <= whole.start <= whole.end and inside and (spec.native or whole.end <= len(sample.raw))):
            wrong.append(f"a span of {call.name!r} lies outside of the text or of the call")
        elif sample.strict and not spec.native and call.name not in sample.raw[slice(*call.name_span[:2])]:
            wrong.append(f"the name of {call.name!r} does not stand where its span says")
    if not all(a.span.end <= b.span.start for a, b in pairwise(spec.regions(sample.raw, result))):
        wrong.append("regions overlap")
    return wrong


def _cuts(spec: Format, sample: Sample) -> list[str]:
    raw = sample.raw
    whole, told = read_pieces(spec, sample, [raw])
    if told != whole:
        return ["the events tell another reading than the result"]
    if read_pieces(spec, sample, list(raw)) != (whole, whole):
        return ["fed character by character, the reading is another one"]
    for at in range(1, len(raw), max(1, len(raw) // MOST_CUTS)):
        if read_pieces(spec, sample, [raw[:at], raw[at:]]) != (whole, whole):
            return [f"cut at character {at}, the reading is another one"]
    return []


def _written(spec: Format, sample: Sample) -> list[str]:
    result, _ = read_pieces(spec, sample, [sample.raw])
    return [why for call in result.calls for why in not_inverse(spec, call.name, call.arguments, sample.tools)]


def not_inverse(spec: Format, name: str, arguments: dict[str, Any], tools: tuple[ToolSpec, ...] | None) -> list[str]:
    """Tell what is wrong where a call that is written and read again is another one, or not strict."""
    call = _call(spec, name, arguments)
    text = spec.render_call(call)
    again = spec.parse(text, tools)
    wrong = []
    if [(one.name, one.arguments) for one in again.calls] != [(name, arguments)]:
        wrong.append(f"{text!r} is not read back as {name!r} with {arguments!r}")
    elif again.calls[0].outcome is not Outcome.STRICT:
        wrong.append(f"{text!r} needs the repairs {list(again.calls[0].repairs)}")
    if again.text.strip():
        wrong.append(f"of {text!r} there is left {again.text!r}")
    if not spec.native and not spec.parse(spec.render_turn("", [call, call]).text, tools).calls:
        wrong.append("a turn of two calls is not read")
    return wrong


def _call(spec: Format, name: str, arguments: dict[str, Any]) -> ParsedCall:
    nowhere = Span(0, 0)
    return ParsedCall(name, arguments, "call00001", Outcome.STRICT, (), nowhere, nowhere, nowhere, spec.id)


def _sanitized(spec: Format, samples: Sequence[Sample]) -> list[str]:
    with _KnownToSanitizer(spec):
        for sample in samples:
            result, _ = read_pieces(spec, sample, [sample.raw])
            for call in result.calls if sample.strict else ():
                written = spec.render_call(call)
                if kept := sanitize(written).strip():
                    return [f"of {written!r} it leaves {kept!r}: declare markers=((opener, closer), …)"]
            if leaked := leaked_markers(sanitize(sample.raw)):
                return [f"of {sample.raw!r} it leaves a marker at {leaked[0].start}"]
    return []


def _values(spec: Format, markers: Sequence[str]) -> list[str]:
    """What is read back goes as a whole; special tokens alone may not be read back, since none is text in a value."""
    wrong = []
    with _KnownToSanitizer(spec):
        for marker in markers:
            for value in (f"a {marker} b", f"x = 1\n{marker}\ny = 2"):
                written = spec.render_call(_call(spec, PROBE.name, {"word": value, "note": "z"}))
                read = [(call.name, call.arguments) for call in spec.parse(written).calls]
                kept = sanitize(f"Before.\n{written}\nAfter.").split()
                if read != [(PROBE.name, {"word": value, "note": "z"})]:
                    own = getattr(spec, "special_tokens", False) and marker in own_closers(spec)
                    wrong += [] if own else [f"{written!r} is not read back"]
                elif kept != ["Before.", "After."]:
                    wrong.append(f"of {written!r} the sanitizer leaves {' '.join(kept[1:-1])!r}")
    return wrong


class _KnownToSanitizer:
    """Lets the sanitizer know a format that may not be installed: for the whole process, so that nothing else may run in it."""

    def __init__(self, spec: Format) -> None:
        self._before = other_formats()
        self._spec = spec

    def __enter__(self) -> None:
        use_formats((*self._before, *(() if self._spec in list_formats() else (self._spec,))))

    def __exit__(self, *_: object) -> None:
        use_formats(self._before)


def _plain(spec: Format) -> list[str]:
    wrong = []
    for text in PLAIN:
        result = spec.parse(text, ())
        if result.calls or (not spec.native and result.text != text):
            wrong.append(f"{text[:40]!r} does not come back as text")
    return wrong


def _hostile(spec: Format) -> list[str]:
    for text in HOSTILE:
        spec.parse(text, None, "length")
        read_pieces(spec, Sample("", "", text), list(text[:200]))
    return []


def _prompt(spec: Format) -> list[str]:
    if spec.native:
        return [] if spec.prompt([PROBE]) == "" else ["a native format needs no prompt"]
    text = spec.prompt([PROBE])
    names = (PROBE.name, *PROBE.parameters["properties"])
    wrong = [f"the tool {PROBE.name!r} is not in it"] if PROBE.name not in text else []
    wrong += [f"the argument {name!r} is not in it" for name in names[1:] if not wrong and name not in text]
    return wrong + ([] if spec.prompt([PROBE], "none") == spec.prompt(()) == "" else ["it is not empty without tools"])


def _results(spec: Format, example: Sample) -> list[str]:
    call = read_pieces(spec, example, [example.raw])[0].calls[0]
    messages = spec.result_messages([(call, ToolResult(True, {"sky": "blue"}))])
    if not messages or not all("blue" in message.text for message in messages):
        return ["a result does not stand in its message"]
    wrong = [] if "blue" in spec.render_result(call, ToolResult(True, {"sky": "blue"})) else ["a result is not written"]
    return wrong + ([] if spec.result_messages([]) == () else ["no results make a message"])

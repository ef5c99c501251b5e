"""Channel messages of gpt-oss 20B and 120B, and of Beam.

    <|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather
      <|constrain|>json<|message|>{"city": "Rome"}<|call|>
    <|channel|>final<|message|>…<|return|>

The recipient `functions.NAME` is the call, wherever it stands in the header and whatever the channel is called. Analysis
without a recipient is reasoning, commentary without one is a preamble for the user. Source: OpenAI's harmony guide.

     to=get_weather<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="city">
    Rome
    </rfl:parameter><|call|>

So Beam calls: the recipient is the bare name, values are text between tags. Several calls follow each other as messages. Source:
the response template in the parsers of vLLM and SGLang.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem
from workbench.formats.kit.calls import report, settle
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.invoke_tags import as_text, invoke_shape
from workbench.formats.kit.json_body import json_body
from workbench.formats.kit.markers import BARRIER, Marker, MarkerShape, role_word
from workbench.formats.kit.named_json import Head, read_arguments, stretch
from workbench.formats.kit.openers import finder, prefix_regex
from workbench.formats.kit.prefix_patterns import ahead, alt, cls, exact, lit, many, opt, seq
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.tagged import read_body

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_HEADER = 600
"""No header is longer."""
_ENDS = ("<|end|>", "<|call|>", "<|return|>")
_BREAKS = (*_ENDS, "<|start|>", "<|channel|>")
_RECIPIENT = re.compile(r"to\s*(?:=\s*|(?=functions\.))([^\s<]+)")
"""The sign between is lost now and then, where the recipient tells by its prefix what it is."""
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)")
_ROLE = re.compile(r"\s*<\|start\|>\s*([\w.\-]+)")
_FORM = re.compile(r"<\|constrain\|>\s*(?:functions\.)?([\w.\-]+)\s*\Z")
"""What a body is said to be: `json`; a tool's name where the model forgot the recipient."""
_ROLE_OF_TOOL = re.compile(r"\s*<\|start\|>\s*functions")
_NO_TOOLS = ("assistant", "user", "all")
"""Recipients that are no tools."""
_CLEAN = re.compile(r"[A-Za-z_](?:[\w.:/\-]|\\_)*")


_STRIPPED = ("", "commentary ", "analysis ", *(
    f"assistant{channel}{blank}" for channel in ("", "commentary", "analysis", "final") for blank in ("", " ")
))  # fmt: skip
"""What is left before a recipient where a server drops special tokens."""
_BARE_HEADER = re.compile(
    r"[a-z]*[ ]?to=functions\.([\w.\\\-]+?)(?:\s+(?:commentary|analysis|final|[^\x00-\x7f]{1,24}|\.\.\.)){0,3}"
    r"\s*(?:<\|constrain\|>)?\s*(?:(?<=\s)(?:json|code))?\s*"
)
"""What is left of a header, with its channel behind the recipient perhaps, in whatever language (openai/codex#13114)."""
_GLUED = re.compile(r"(?:commentary|analysis|final)?(?:json|code)?\Z")
"""What follows a recipient without a blank where the tokens between them are dropped: its channel, the form of its body."""
_NAMELESS = (
    r"assistant(?:analysis|commentary|final)?[ ]?(?:code|json)\{(?=[\s\"'}]|\Z)",
    prefix_regex(
        f"assistant{channel}{blank}{form}{{x"
        for channel in ("", "analysis", "commentary", "final")
        for blank in ("", " ")
        for form in ("code", "json")
    ),
)
"""The same without a recipient."""


class Harmony(Grammar):
    """The grammar."""

    format = "harmony"
    spots = "={"
    name_shapes = (r"to=(?:functions\.)?([\w.\-]{1,128}+)(?=[\s<])",)
    single = True
    turn_tokens = (*Grammar.turn_tokens, *_ENDS, "<|constrain|>")
    preludes = ("<|message|>",)
    constrained = False
    """A form of the body that is named in the header says that the message is a call."""

    def literals(self) -> Mapping[str, str]:
        """Return what begins a header."""
        return {"<|start|>": "header", "<|channel|>": "header", "<|message|>": "orphan", "<|call|>": "orphan"}

    @cached_property
    def foreign_ends(self) -> frozenset[str]:
        """Every message has a body."""
        return frozenset(("<|message|>",))

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """A reply may begin in the middle of a header, with the recipient; servers drop the tokens and leave the words."""
        words = "(?:assistant(?:commentary|analysis|final)? ?|(?<!\\S)(?:commentary|analysis) |(?<!\\S))"
        alone, behind = (
            prefix_regex(f"{word}to=functions.x" for word in _STRIPPED if word.startswith("assistant") is glued)
            for glued in (False, True)
        )
        return (
            ("recipient", rf"{words}to=functions\.(?=[\w\-])", rf"(?<!\S)(?:{alone})|(?:{behind})"),
            ("nameless", *_NAMELESS),
        )

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a header, and the body if it is a call or reasoning."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        if kind == "nameless":
            return (yield from self._nameless(scan, start, at - 1))
        found = yield from scan.within(at, _HEADER, "<|message|>", *_ENDS, "{")
        if found is None:
            return self._headless(scan, start, at, kind)
        token = scan.text[found[0] : found[1]]
        header = scan.text[start : found[0]]
        recipient = _RECIPIENT.search(header)
        if kind == "recipient" and (token != "<|message|>" or len(header) > 300):
            bare = _BARE_HEADER.fullmatch(header) if token == "{" else None
            name = bare.group(1) if bare is not None else ""
            if scan.tools.resolve(name).tool is None:
                name = _GLUED.sub("", name)
            if bare is None or scan.tools.resolve(name).tool is None:
                return None
            return (yield from self._call(scan, start, start + bare.start(1), name, found[0], ("missing_open_tag",)))
        if (
            token in _ENDS
            and recipient is not None
            and recipient.group(1) not in _NO_TOOLS
            and not _ROLE_OF_TOOL.match(header)
        ):
            return (yield from self._bodiless(scan, start, found, recipient.group(1), start + recipient.start(1)))
        if token in _ENDS and recipient is None and "<|constrain|>" in header and not scan.deferred:
            return Attempt(found[1], (report("bad_name", scan.span(start, found[1]), "The call names no tool."),))
        if token in _ENDS or (token == "{" and recipient is None):
            return Attempt(at if token == "{" else found[0])
        role = _ROLE.match(header)
        if role is not None and role.group(1).startswith("functions"):
            return Attempt((yield from scan.invented(start, found[1])) if not scan.deferred else found[1])
        body = found[1] if token != "{" else found[0]
        channels = _CHANNEL.findall(header)
        if recipient is not None and recipient.group(1) not in _NO_TOOLS:
            bent = (
                len(channels) > 1
                or token == "{"
                or "=" not in recipient.group()[: recipient.start(1) - recipient.start()]
            )
            fix = ("channel_fix",) if bent else ()
            return (yield from self._call(scan, start, start + recipient.start(1), recipient.group(1), body, fix))
        form = _FORM.search(header)
        if form is not None and token == "<|message|>" and form.group(1) in scan.tools.by_name:
            return (yield from self._call(scan, start, start + form.start(1), form.group(1), body, ("channel_fix",)))
        if self.constrained and "<|constrain|>" in header:
            ended = yield from scan.find(body, *_ENDS)
            end = ended[1] if ended is not None else len(scan.text)
            return Attempt(end, (report("bad_name", scan.span(start, end), "The call names no tool."),))
        if channels and channels[-1].startswith("analysis"):
            return (yield from self._analysis(scan, body))
        if channels and channels[-1] == "commentary" and not scan.deferred:
            return (yield from self._commentary(scan, start, body))
        return Attempt(body)

    def _commentary(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """A message on the channel of calls without a recipient is for the user, unless it is the arguments of just one tool."""
        begin = yield from scan.space(at)
        if scan.text[begin : begin + 1] != "{":
            return Attempt(at)
        body = yield from json_body(scan, begin, _BREAKS)
        name = "" if body.error or not body.value else scan.tools.taking(body.value)
        if not name:
            return Attempt(at)
        return (yield from self._call(scan, start, begin, name, begin, ("channel_fix", "name_guessed")))

    def _nameless(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """Only the body and its form are left of a message to a tool: the one that its arguments fit, if there is one."""
        body = yield from json_body(scan, at, _BREAKS)
        name = "" if body.error else scan.tools.taking(body.value)
        if name:
            return (yield from self._call(scan, start, at, name, at, ("missing_open_tag", "name_guessed")))
        return Attempt(body.end, (report("bad_name", scan.span(start, body.end), "The call names no tool."),))

    def _bodiless(
        self, scan: Scanner, start: int, end: tuple[int, int], recipient: str, name_at: int
    ) -> Step[Attempt | None]:
        """A message to a tool ends before its body begins: the token between them is damaged."""
        yield from scan.at_least(name_at)
        name = recipient.removeprefix("functions.")
        message = f"No body begins in the message to {name!r}."
        return Attempt(end[1], (report("bad_json", scan.span(start, end[1]), message, name=name),))

    @staticmethod
    def _headless(scan: Scanner, start: int, at: int, kind: str) -> Attempt | None:
        """The reply ends inside a header."""
        header = scan.text[start : at + _HEADER]
        recipient = _RECIPIENT.search(header)
        if recipient is None or len(header) > 300:
            return None if kind == "recipient" else Attempt(at + len(header) if len(header) < 60 else at)
        message = "The reply ends inside a call's header."
        name = recipient.group(1).removeprefix("functions.")
        return Attempt(len(scan.text), (report("truncated", scan.span(start, len(scan.text)), message, name=name),))

    def _call(
        self, scan: Scanner, start: int, name_at: int, recipient: str, at: int, repairs: tuple[str, ...]
    ) -> Step[Attempt | None]:
        """Read a call's body; the call token is a stop token, so it may be missing."""
        name = recipient
        if name.startswith("functions."):
            name, name_at = name[len("functions.") :], name_at + len("functions.")
        clean = _CLEAN.match(name)
        if clean is not None and clean.group() != name:
            name, repairs = clean.group(), (*repairs, "channel_fix")
        head = Head(start, name, name_at, self.format, True, repairs)
        item, end = yield from read_arguments(scan, head, at, _BREAKS)
        assert item is not None  # the shape is canonical
        after = yield from scan.space(end)
        if scan.text[after : after + 1] == "}":
            item = stretch(scan, item, after + 1, "extra_brace")
            end = after = yield from scan.space(after + 1)
        close = yield from scan.literal(after, *_ENDS)
        if close >= 0:
            return Attempt(close, (stretch(scan, item, close),))
        if isinstance(item, ParsedCall) and after < len(scan.text):
            half = scan.closed and any(mark.startswith(scan.tail(after)) for mark in _ENDS)
            if half:
                return Attempt(len(scan.text), (item,))
            return Attempt(end, (stretch(scan, item, end, "missing_close_tag"),))
        return Attempt(after, (item,))

    @staticmethod
    def _analysis(scan: Scanner, at: int) -> Step[Attempt]:
        """Stream reasoning up to the message's end."""
        search, hold, _ = finder(*_BREAKS)
        while True:
            found = search.search(scan.text, at)
            size = len(scan.text)
            tail = None if found or scan.closed else hold.search(scan.text, max(at, size - 16))
            stop = found.start() if found else tail.start() if tail else size
            scan.thought(at, stop)
            if found is not None:
                ended = found.group() in _ENDS
                return Attempt(found.end() if ended else found.start())
            if scan.closed:
                return Attempt(size)
            tail = None  # it holds the text, which grows
            piece = yield
            at = scan.slide(stop, piece)


_BEAM = replace(
    invoke_shape("rfl:", (), {}), call_starts=("<|start|>",), call_closes=_ENDS, close_optional=True, lines=True
)
"""Beam's tags of parameters; the head of a call is a message's header."""


class Beam(Harmony):
    """The grammar of Beam."""

    format = "beam"
    reach = 96
    single = False
    constrained = True
    name_shapes = (r"to=([\w.\-]{1,128}+)(?=[\s<])",)

    def inside(self) -> tuple[str, ...]:
        """Tags of parameters."""
        return _BEAM.param_starts

    def literals(self) -> Mapping[str, str]:
        """Return what begins a header, and closers without their message."""
        return {**super().literals(), "</rfl:parameter>": "orphan"}

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The prompt opens the message, so a reply may begin with the recipient."""
        name, channel = r"[\w.\\\-]{1,64}", prefix_regex(["<|channel|>"])
        begun = rf"t(?:o(?:=(?:{name}(?:{channel})?)?)?)?"
        whole, hold = rf" ?(?<!\S)to={name}(?=<\|channel\|>)", rf" (?:{begun})?|(?<!\S){begun}"
        (kind, other, other_hold), *_ = super().patterns()
        return ((kind, f"{whole}|{other}", f"{hold}|{other_hold}"),)

    def _bodiless(
        self, scan: Scanner, start: int, end: tuple[int, int], recipient: str, name_at: int
    ) -> Step[Attempt | None]:
        """Read the parameters where they stand in what is left of the header."""
        body = scan.text.find(_BEAM.param_starts[0], start, end[0])
        if body < 0:
            return (yield from super()._bodiless(scan, start, end, recipient, name_at))
        recipient = recipient.partition("<")[0]
        return (yield from self._call(scan, start, name_at, recipient, body, ("channel_fix",)))

    def _call(
        self, scan: Scanner, start: int, name_at: int, recipient: str, at: int, repairs: tuple[str, ...]
    ) -> Step[Attempt | None]:
        """Read the parameters; the call token is a stop token, and the next message closes a call as well."""
        name = recipient.removeprefix("functions.")
        found = yield from read_body(
            scan, start, at, _BEAM, name, name_at + len(recipient) - len(name), canonical=True, form=self.format, repairs=repairs,
            wrapped=True,
        )  # fmt: skip
        assert found is not None  # a body in a message is never text
        draft, end = found
        if isinstance(draft, ParseProblem):
            return Attempt(end, (draft,))
        item = settle(draft, scan.tools)
        return Attempt(end, (item,) if item is not None else ())


def write_beam(calls: Sequence[ParsedCall]) -> str:
    """Write calls as messages that follow each other."""
    messages = []
    for call in calls:
        values = "".join(
            f'<rfl:parameter name="{key}">\n{as_text(value)}\n</rfl:parameter>' for key, value in call.arguments.items()
        )
        messages.append(f" to={call.name}<|channel|>analysis <|constrain|>xml<|message|>{values}")
    return "<|end|><|start|>assistant".join(messages) + "<|call|>"


def write_call(call: ParsedCall) -> str:
    """Write one call as a message."""
    return (
        f"<|start|>assistant<|channel|>commentary to=functions.{call.name} <|constrain|>json<|message|>"
        f"{compact(call.arguments)}<|call|>"
    )


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result as a message authored by the function."""
    return f"<|start|>functions.{call.name} to=assistant<|channel|>commentary<|message|>{result_json(result)}<|end|>"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """A message's header up to its body, and a recipient without one: the prompt opened it, or a server dropped it."""
    tokens = alt(*(lit(f"<|{word}|>") for word in ("start", "channel", "constrain")))
    part = seq(tokens, cls(rf"[^<\n{BARRIER}]", 0, 120))
    header = seq(part, many(part, 3), lit("<|message|>"))
    between = seq(cls(rf"[^<>{{}}\[\]\n{BARRIER}]", 0, 60), opt(lit("\n")))
    rest = opt(seq(between, ahead(r"(?=[{<])"), opt(header)))
    recipient = exact(seq(lit("to=functions."), cls(r"[\w.\-]", 1, 80), rest))
    channel = opt(alt(lit("commentary"), lit("analysis"), lit("final")))
    form = seq(cls(" ", 0, 1), alt(lit("code"), lit("json")), ahead(r"(?=\{)"))
    worded = exact(seq(lit("assistant"), channel, alt(seq(cls(" ", 0, 1), recipient), form)))
    return (
        MarkerShape("assistant", worded, lambda text: Marker("open", "message", "call", sure="<" in text)),
        MarkerShape("<|", alt(header, seq(tokens, opt(role_word()))), _means),
        MarkerShape("to=functions.", recipient, lambda text: Marker("open", "message", "call", sure="<" in text)),
    )


def _means(text: str) -> Marker | None:
    if not text.startswith(("<|start|>", "<|channel|>", "<|constrain|>")):
        return None
    if not text.endswith("<|message|>"):
        return Marker("mark", "message")
    to = "to=" in text
    if to and not re.search(r"to=python|\bcode\b", text):
        return Marker("open", "message", "call", sure=True)
    if to or "analysis" in text:
        return Marker("open", "message", "hidden", taken="call" if to else "thought", sure=to)
    return Marker("mark", "message")


FORMATS = (
    FormatSpec(
        id="harmony", family="harmony", models="gpt-oss 20B and 120B", grammar=Harmony(), write_call=write_call,
        write_result=write_result, stop_sequences=("<|call|>", "<|return|>"), marker_shapes=marker_shapes, special_tokens=True,
    ),
    FormatSpec(
        id="beam", family="harmony", models="Beam", grammar=Beam(), write_call=lambda call: write_beam([call]),
        write_calls=write_beam, write_result=write_result, stop_sequences=("<|call|>", "<|return|>"), special_tokens=True,
        tags=("rfl:parameter",),
    ),
)  # fmt: skip

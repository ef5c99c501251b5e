"""ReAct: labelled lines, for any model.

    Thought: I need the weather.
    Action: get_weather
    Action Input: {"city": "Rome"}
    Observation: (written by the system)
    …
    Final Answer: It is sunny.

The first action with an input wins; what follows it is dropped, an `Observation` of the model's own is reported.
Thoughts are reasoning; a reply that is nothing but a thought is also its text. Source: requirement R2.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem, Span
from workbench.formats.kit.bare_json import BareJson
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import MISSING, Draft, declined, report, settle
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt, Idle
from workbench.formats.kit.labels import label_begun, label_line, label_pair, label_words, plain_label
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.prefix_patterns import cls, exact, lit, opt, seq
from workbench.formats.kit.prompt import definitions, sample_call
from workbench.formats.kit.python_list import read_calls, with_repair
from workbench.formats.kit.react_input import LABELS, LINE, any_label_line, inline_arguments, read_bare, read_object
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolset import NAME, only_text
from workbench.formats.kit.window import TAIL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolResult, ToolSpec
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.toolset import Tool
    from workbench.formats.kit.window import Step

_INPUT = re.compile(rf"[ \t]{{0,8}}{LABELS['input'].full}", re.IGNORECASE)
_PLAIN = re.compile(r"[ \t]*(?:Action(?:[ _]?Input)?)[ \t]*\d*[ \t]*:", re.IGNORECASE)
"""A label without any of that; all others are a repair."""
_STARS = re.compile(r"[*_]{0,3}")
_MEMBER = re.compile(r"""[ \t]*["']action(?:_input)?["']\s*:""")
_OBJECT = r"""\{\s{0,40}["']action["']\s{0,4}:"""
_OBJECT_HOLD = r"""\{\s{0,40}(?:["'](?:a(?:c(?:t(?:i(?:o(?:n(?:["']\s{0,4})?)?)?)?)?)?)?)?"""
"""Both labels as the keys of one object, where no label stands before it."""
_NO_TOOL = re.compile(r"(?:none|n/?a|null|nothing|no (?:tool|action)\b.*|final[ _]?answer|finish|-)\.?", re.IGNORECASE)
_WRAPPING = " \t\r*_`\"'[]<>.,"
_INLINE = re.compile(r"([A-Za-z_][\w.\\\-]*)\s*\((.*)\)\s*")
_BRACKETS = re.compile(r"[ \t*`]*([A-Za-z_][\w.\-]*)\[(.*)\][ \t*`.]*")
"""`Action: search[cats]`, as the first ReAct prompts had it."""


@cache
def _partial() -> re.Pattern[str]:
    """What may become a label."""
    return re.compile("|".join(f"^{label.partial}" for label in LABELS.values()), LINE)


_BLANK = cls("[ \\t]", 0, 2)
_IN_LINE = seq(
    *(lit("Action"), _BLANK, lit(":"), _BLANK, cls(r"[\w.\-]", 1, 64), cls(r"[ \t\r,]", 0, 4), opt(lit("\n")), _BLANK),
    *(lit("Action"), cls("[ _]", 0, 1), lit("Input"), _BLANK, lit(":")),
)
"""An action behind other words on its line, which both labels together say: LangChain's parser looks for no line's start."""
_IN_LINE_BEGINS = r"(?<=[ \t])"
_ANSWER = seq(lit("Final"), cls("[ _]", 1, 1), lit("Answer"), _BLANK, lit(":"))
"""The answer's label behind a thought on its line."""


@cache
def _thought_ends() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What ends a thought, and what may become that: a label, or the object with both of them, also in a fence."""
    fence = r"(?:^`{3}\w{0,10}[ \t]{0,4}\n\s{0,9})?"
    begun = rf"(?:^`{{1,3}}\w{{0,10}}[ \t]{{0,4}}|{fence}(?:{_OBJECT_HOLD})|{fence[:-1]})\Z"
    return re.compile(
        rf"{any_label_line().pattern}|{fence}{_OBJECT}|{_IN_LINE_BEGINS}(?:{_IN_LINE.full}|(?-i:{_ANSWER.full}))", LINE
    ), re.compile(rf"{_partial().pattern}|{begun}|{_IN_LINE_BEGINS}(?:{_IN_LINE.partial}|{_ANSWER.partial})", LINE)


@cache
def _begun_input() -> re.Pattern[str]:
    """The beginning of the input's label, with which a reply ends."""
    return re.compile(rf"[ \t]{{0,8}}(?:{label_words('Action Input').partial})", re.IGNORECASE)


@cache
def _other_input() -> re.Pattern[str]:
    """Other labels of the input, below an action."""
    words = ("Tool Input", "Input", "Params", "Parameters", "Arguments", "Args")
    return re.compile(rf"[ \t]{{0,8}}(?:{'|'.join(label_line(word).full for word in words)})", re.IGNORECASE)


_BENT_LABEL = re.compile(
    r"""(?![^{]{0,56}?\b(?:obs\w*|results?|response|output|returns?|final|answer|thought)\b)(?:[^\n{}"']{1,28}\n)?[^\n{}"']{1,28}"""
    r"""(?P<object>\{)\s{0,9}["'](?P<key>[\w.\-]{1,64})["']\s{0,4}:""",
    re.IGNORECASE,
)
"""What damage left of the input's label, and the object behind it."""
_BENT_REACH = 160


class React(BareJson):
    """The grammar."""

    format = "react"
    name_shapes = (rf"^\s{{0,9}}\**Action\s{{0,9}}\d*\s{{0,9}}:\**\s{{0,9}}{CALL_NAME}(?=\s{{0,9}}\n)",)
    spots = "{:"
    line = "|".join(map(label_begun, ("Action", "Thought", "Observation", "Final")))
    envelope = Envelope("action", ("action_input",))
    markerless = False
    steady: Mapping[str, bool] = {}
    reach = 120
    single = True
    lonely = "after"
    reads_fences = True
    fence_labels = ("", "json", "text", "react", "tool_call", "tool_code", "xml", "plaintext")

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for the labels."""
        labels = tuple((kind, f"^{label.full}", f"^{label.partial}") for kind, label in LABELS.items())
        inside = ("inside", f"{_IN_LINE_BEGINS}{_IN_LINE.full}", f"{_IN_LINE_BEGINS}{_IN_LINE.partial}")
        answer = ("answer", f"{_IN_LINE_BEGINS}(?-i:{_ANSWER.full})", f"{_IN_LINE_BEGINS}{_ANSWER.partial}")
        return (*labels, inside, answer, ("json", _OBJECT, _OBJECT_HOLD))

    def idle(self, marker: str, kind: str) -> Idle | None:  # noqa: ARG002
        """Another family's tag goes, with the emphasis behind it; one with a word alone behind it may have begun a call."""
        return Idle(kept=False, behind=r"(?:[*_]|\s*+[\w.\-]++\s*+(?:[<\[({]\S*+\s*+)?\Z)") if kind == "tag" else None

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read what a label begins."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "inside":
            return (yield from self._action(scan, start, scan.text.index(":", start) + 1, ("near_miss_tag",)))
        if kind == "answer":
            return Attempt(at) if scan.reasoning and not scan.prose.spoke_ever else None
        if kind == "json":
            return self._won(scan, (yield from self.value(scan, start, start, ("near_miss_tag",))))
        if _MEMBER.match(scan.text, start, at):
            return None  # it stands in an object
        at = yield from self._stars(scan, at)
        if kind == "action":
            return (yield from self._action(scan, start, at))
        if kind == "thought" and scan.deferred:
            label = yield from scan.find(at, "\nAction", "\nFinal", "\n```")
            return Attempt(label[0] + 1 if label else len(scan.text))
        if kind == "thought" and not scan.deferred and not scan.prose.muted:
            return (yield from self._thought(scan, at))
        if kind == "observation" and not scan.deferred and scan.attempts:
            return Attempt((yield from scan.invented(start, at)))
        if kind == "input" and not scan.attempts and not scan.deferred:
            quoted = scan.text[start:at].lstrip().startswith(">")
            return None if quoted else (yield from self._nameless(scan, start, at))
        return Attempt(at)

    @staticmethod
    def _nameless(scan: Scanner, start: int, at: int) -> Step[Attempt]:
        """An input with no action above it."""
        body = yield from scan.space(at)
        if scan.text[body : body + 1] == "{":
            _, end = yield from scan.json_end(body)
        elif body >= len(scan.text) or scan.prose.mentioned():
            return Attempt(at)
        else:
            line = yield from scan.find(body, "\n")
            end = line[0] if line else len(scan.text)
        return Attempt(end, (report("bad_name", scan.span(start, end), "The input names no action."),))

    @staticmethod
    def _stars(scan: Scanner, at: int) -> Step[int]:
        """Skip the emphasis that closes after a label's colon."""
        yield from scan.at_least(at + 3)
        return _STARS.match(scan.text, at).end()  # type: ignore[union-attr]

    def _thought(self, scan: Scanner, at: int) -> Step[Attempt]:
        """A thought runs to the next label; it is the answer where nothing else comes."""
        at = yield from scan.space(at)
        parts: list[str] = []
        begin = looked = scan.base + at
        ends, begun = _thought_ends()
        while True:
            label = ends.search(scan.text, max(at, looked - scan.base))
            held = begun.search(scan.text, max(at, len(scan.text) - self.reach))
            stop = label.start() if label else len(scan.text) if scan.closed or not held else held.start()
            stop = at + len(scan.text[at:stop].rstrip()) if label or not scan.closed else stop
            scan.thought(at, stop)
            parts.append(scan.text[at:stop])
            if label is not None or scan.closed:
                break
            held = None  # it holds the text, which grows
            # white space is not given out, and must not be searched again with each piece
            looked = scan.base + len(scan.text) - self.reach
            piece = yield
            at = scan.slide(stop, piece)
        if label is None and not scan.attempts and not scan.prose.spoke_ever:
            scan.prose.say("".join(parts), begin)
        return Attempt(stop)

    def _action(self, scan: Scanner, start: int, at: int, bent: tuple[str, ...] = ()) -> Step[Attempt | None]:
        head = scan.text[start:at]
        bent = bent if _PLAIN.match(head) else ("near_miss_tag",)
        if head.lstrip().startswith(">"):
            return None  # a quotation
        at = yield from scan.space(at)
        if scan.text[at : at + 1] == "{":
            return (yield from self._wrapped(scan, start, at, bent))
        inside = yield from scan.fenced(at)
        opened = scan.text[inside : inside + 1] if inside >= 0 else ""
        if opened == "{" or (opened == "[" and scan.tools.declared):
            return (yield from self._wrapped(scan, start, inside, ("fenced", *bent)))
        if inside >= 0 and "\n" in scan.text[at:inside]:
            return (yield from self._fenced(scan, start, inside, bent))
        line = yield from scan.find(at, "\n")
        end = line[0] if line else len(scan.text)
        same = _INPUT.search(scan.text, at, end)
        if same is not None:
            end = same.start()
        raw = scan.text[at:end]
        name = raw.strip(_WRAPPING)
        name_at = at + raw.find(name) if name else at
        if _NO_TOOL.fullmatch(name):
            return Attempt(end, (declined(scan.span(name_at, name_at + len(name)), name),))
        inline = _INLINE.fullmatch(name)
        if inline is not None:
            name = inline.group(1)
        span = scan.span(name_at, name_at + len(name))
        if same is None:
            label = yield from self._input_label(scan, end)
        else:
            label = _before_fence(scan.text, same.end())
        if label < 0 and name in scan.tools.by_name:
            label = yield from self._input_label(scan, end, _other_input())
            bent = ("near_miss_tag",) if label >= 0 else bent
        if label < 0 and (brackets := _BRACKETS.fullmatch(raw)) is not None and brackets.group(1) in scan.tools.by_name:
            return self._bracketed(scan, start, at, brackets)
        if label < 0:
            if bent and name not in scan.tools.by_name:
                return None  # as in a list of things to do
            return (yield from self._no_label(scan, start, end, name, span, inline))
        return (yield from self._input(scan, start, label, name, span, bent))

    def _wrapped(self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...]) -> Step[Attempt | None]:
        """`Action: {"action": …, "action_input": …}`: one object holds both."""
        attempt = yield from self.value(scan, start, at, ("wrapper_arg", *repairs), marked=True)
        if attempt is None or "fenced" not in repairs:
            return self._won(scan, attempt)
        after = yield from scan.space(attempt.end)
        fence = yield from scan.literal(after, "```")
        return self._won(scan, attempt._replace(end=fence if fence >= 0 else attempt.end))

    def _fenced(self, scan: Scanner, start: int, inside: int, bent: tuple[str, ...]) -> Step[Attempt | None]:
        """A block of code stands where the name belongs: calls of declared tools as Python has them, or none that is known.

        The word behind its fence is a language, and names no tool.
        """
        fence = yield from scan.find(inside, "```")
        end = fence[1] if fence is not None else len(scan.text)
        name = scan.text[inside : fence[0] if fence is not None else end].strip()
        if name in scan.tools.by_name and (label := (yield from self._input_label(scan, end))) >= 0:
            return (
                yield from self._input(
                    scan, start, label, name, scan.span(inside, inside + len(name)), ("fenced", *bent)
                )
            )
        found = (yield from read_calls(scan, self.format, inside)) if scan.tools.declared else None
        items, stop = found[:2] if found is not None else ([], inside)
        after = yield from scan.space(stop)
        close = yield from scan.literal(after, "```")
        whole = close >= 0 or (after >= len(scan.text) and not scan.cut_short)
        if items and whole and all(isinstance(item, ParsedCall) for item in items):
            items[0] = items[0]._replace(span=scan.span(start, items[0].span.end - scan.base))
            for repair in ("fenced", "wrong_family", *bent):
                items = [with_repair(item, repair) for item in items]
            return self._won(scan, Attempt(max(close, stop), tuple(items)))
        named = next((item.name for item in items if item.name in scan.tools.by_name), "")
        if bent and not named:
            return None
        message = "The action is a block of code, and no call of a declared tool."
        return Attempt(end, (report("bad_name", scan.span(start, end), message, name=named),))

    def _bracketed(self, scan: Scanner, start: int, at: int, found: re.Match[str]) -> Attempt | None:
        """A name with its one text in brackets."""
        name, end = found.group(1), at + found.end()
        target = only_text(scan.tools.resolve(name).tool, found.group(2))
        if not target or (scan.cut_short and end >= len(scan.text)):
            message = f"What stands in the brackets is no argument of {name!r}."
            return Attempt(end, (report("args_not_object", scan.span(start, end), message, name=name),))
        named, body = (scan.span(at + found.start(group), at + found.end(group)) for group in (1, 2))
        repairs = ("missing_open_tag", "text_as_argument")
        draft = Draft(
            name, {target: found.group(2)}, scan.span(start, end), named, body, repairs=repairs, format=self.format
        )
        return self._settled(scan, draft, end)

    @staticmethod
    def _input_label(scan: Scanner, at: int, label: re.Pattern[str] = _INPUT) -> Step[int]:
        """Return where the input begins after its label, or -1."""
        at = yield from scan.space(at)
        while True:
            match = label.match(scan.text, at, at + TAIL)
            if match is not None and (scan.closed or match.end() < len(scan.text)):
                return _before_fence(scan.text, match.end())
            if match is None and (scan.closed or len(scan.text) - at >= TAIL or "\n" in scan.tail(at)):
                return -1
            yield from scan.more()

    def _no_label(
        self, scan: Scanner, start: int, end: int, name: str, span: Span, inline: re.Match[str] | None
    ) -> Step[Attempt | None]:
        """No input label follows: JSON alone will do for a declared tool, and a tool that needs nothing."""
        tool = scan.tools.resolve(name).tool
        if inline is not None and tool is not None:
            found = inline_arguments(inline.group(2), tool)
            if found is not None:
                body = Span(span.end, scan.base + end)
                draft = Draft(name, found[0], scan.span(start, end), span, body, repairs=("missing_open_tag", *found[1]), format=self.format)  # fmt: skip
                return self._settled(scan, draft, end)
        after = yield from scan.space(end)
        if scan.text[after : after + 1] == "{" and name in scan.tools.by_name:
            return (yield from self._input(scan, start, after, name, span, ("missing_open_tag",)))
        if tool is not None and (begin := (yield from self._behind_bent_label(scan, after, tool))) >= 0:
            return (yield from self._input(scan, start, begin, name, span, ("near_miss_tag",)))
        if not NAME.fullmatch(name):
            return None
        if (again := (yield from scan.literal(after, "action:"))) >= 0:
            line = yield from scan.find(again, "\n")
            if line is not None and scan.text[again : line[0]].strip(_WRAPPING) == name:
                scan.owed = ("name_dup",)
                return Attempt(end)  # the same line once more
        begun = scan.closed and after < len(scan.text) and _begun_input().fullmatch(scan.text, after) is not None
        if begun or (scan.cut_short and after >= len(scan.text)):
            end = len(scan.text) if begun else end
            return Attempt(end, (report("truncated", scan.span(start, end), "The call is cut off.", name=name),))
        if name not in scan.tools.by_name and scan.tools.declared:
            item = settle(Draft(name, MISSING, scan.span(start, end), span, span), scan.tools)
            return Attempt(end, (item,)) if isinstance(item, ParseProblem) else None
        draft = Draft(name, MISSING, scan.span(start, end), span, Span(span.end, span.end), repairs=("missing_open_tag",), format=self.format)  # fmt: skip
        return self._settled(scan, draft, end)

    @staticmethod
    def _behind_bent_label(scan: Scanner, at: int, tool: Tool) -> Step[int]:
        """Return where an object of the tool's arguments begins behind a label in no known spelling, or -1."""
        yield from scan.at_least(at + _BENT_REACH)
        found = _BENT_LABEL.match(scan.text, at, at + _BENT_REACH)
        return found.start("object") if found is not None and found["key"] in tool.properties else -1

    def _input(
        self, scan: Scanner, start: int, at: int, name: str, span: Span, repairs: tuple[str, ...]
    ) -> Step[Attempt | None]:
        """Read the input: JSON, fenced JSON, or bare text for a tool with one text argument."""
        at = yield from self._stars(scan, at)
        at = yield from scan.space(at)
        stars = yield from scan.space((yield from self._stars(scan, at)))
        begin = yield from scan.brace(stars)
        if scan.text[begin : begin + 1] == "{":
            at, repairs = begin, (*repairs, *scan.odd_layout(stars, begin))
        inside = yield from scan.fenced(at)
        fenced, inline = inside >= 0, False
        if fenced:
            at, repairs = inside, (*repairs, "fenced")
        elif inline := (yield from scan.literal(at, "`{")) >= 0:
            at, repairs = at + 1, (*repairs, "fenced")
        if scan.text[at : at + 1] == "{":
            value, end, repairs = yield from read_object(scan, at, name, repairs)
        else:
            value, end, repairs = yield from read_bare(scan, at, name, repairs, fenced=fenced)
        if isinstance(value, ParseProblem):
            return self._won(scan, Attempt(end, (value._replace(span=scan.span(start, end), name=name),)))
        body = scan.span(at, end)
        if fenced or inline:
            after = yield from scan.space(end)
            close = yield from scan.literal(after, "```" if fenced else "`")
            end = close if close >= 0 else end
        draft = Draft(name, value, scan.span(start, end), span, body, repairs=repairs, format=self.format)
        return self._settled(scan, draft, end)

    def _settled(self, scan: Scanner, draft: Draft, end: int) -> Attempt | None:
        item = settle(draft, scan.tools)
        return None if item is None else self._won(scan, Attempt(end, (item,)))

    @staticmethod
    def _won(scan: Scanner, attempt: Attempt | None) -> Attempt | None:
        """After the first call, text is dropped."""
        good = attempt is not None and any(isinstance(item, ParsedCall) for item in attempt.items)
        if good and not scan.deferred and not scan.prose.mentioned():
            scan.prose.muted = True
        return attempt


def _before_fence(text: str, at: int) -> int:
    """Return where the input begins behind a label that ends at `at`: three backticks are no emphasis of it."""
    return at - 3 if text.endswith("```", 0, at) else at


def write_call(call: ParsedCall) -> str:
    """Write one call as its two lines."""
    return f"Action: {call.name}\nAction Input: {compact(call.arguments)}"


def write_turn(text: str, calls: str) -> str:
    """Write a turn: the text is the thought."""
    if not text:
        return calls
    return f"{text}\n{calls}" if text.lower().startswith("thought") else f"Thought: {text}\n{calls}"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result as an observation."""
    return f"Observation: {result_json(result)}"


def teach(tools: Sequence[ToolSpec]) -> str:
    """Teach the format with the user's tools."""
    listed = "\n".join(f"- {tool.name}: {tool.description}" if tool.description else f"- {tool.name}" for tool in tools)
    return f"""## Tools

You have access to the following tools:

{listed}

Tool definitions (JSON):
{definitions(tools)}

## How to Use Tools

When you need to use a tool, respond with this EXACT format:

Thought: [explain what you need to do and why]
Action: [tool_name from the list above]
Action Input: {{"param": "value"}}

Then STOP. The system will execute the tool and provide an Observation.

For example:

Thought: I need to call {tools[0].name}.
{write_call(sample_call(tools[0]))}

## When You Have the Answer

When you have gathered enough information:

Thought: I now have the information needed
Final Answer: [your complete response to the user]

## Important Rules

1. Use EXACTLY ONE tool per response - no more
2. STOP after Action Input - do not continue
3. Wait for Observation before your next Thought
4. Tool names must be exactly: {", ".join(tool.name for tool in tools)}
5. Action Input must be valid JSON"""


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The labels; words that are common at the start of a line need their capital, or the input's label below."""
    line, mark = Marker("open", "label", "line"), Marker("mark")
    action = line._replace(group="action", taken="call")
    number = opt(seq(cls(r"[ \t]", 0, 2), cls(r"\d", 1, 3)))

    def plain(label: str, means: Marker) -> MarkerShape:
        words = label_words(label) if " " in label else seq(exact(lit(label[0])), lit(label[1:]))
        return MarkerShape(label, plain_label(seq(words, number)), means, label=True)

    return (
        *(MarkerShape(first, label_pair(first), action, label=True) for first in ("Action", "Tool", "Function")),
        plain("Action Input", line), plain("Action", action), plain("Observation", line._replace(taken="result")),
        plain("Final Answer", mark), MarkerShape("Thought", label_line("Thought"), mark, label=True),
    )  # fmt: skip


FORMATS = (
    FormatSpec(
        id="react", family="react", models="any model; the fallback",
        grammar=React(), write_call=write_call, teach=teach, write_result=write_result, write_turn=write_turn,
        stop_sequences=("\nObservation:", "\nObservation"),
        marker_shapes=marker_shapes,
    ),
)  # fmt: skip

"""Key and value tags of GLM, and the plain lines of older GLM models.

    <tool_call>get_weather
    <arg_key>city</arg_key>
    <arg_value>Rome</arg_value>
    </tool_call>                                       glm45: GLM-4.5, GLM-4.6; glm47 (GLM-4.7, 5.x): the same without newlines

    get_weather
    {"city": "Rome"}                                   glm4_legacy: GLM-4-9B, ChatGLM3, GLM-Z1

    <![get_weather>{"city": "Rome"}                    both read this, too: GLM-5.3-Flash writes it
    <user>get_weather⏎<arg_key>…</user>                and this: Laguna

Source: the models' chat templates. Results come back in an observation turn.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.bare_json import goes_on
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, mention, report, settle
from workbench.formats.kit.early_close import with_rest
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.json_end import End
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.markdown_escapes import escaped_name, plain_name
from workbench.formats.kit.named_json import Head, read_named
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


_NAME, _NAME_HELD = escaped_name()
"""A name, and all that may become one."""
_BANG = (
    "bang",
    rf"<!\[(?:[\w ]{{1,32}}/)?{_NAME}>(?=\s{{0,4}}[\[{{])",
    r"<(?:!(?:\[(?:[\w ]{0,32}(?:/[\w.\\\-]{0,64})?|[\w.\\\-]{0,64})(?:>\s{0,4})?)?)?",
)

_WORD = (
    "word",
    rf"<(?!tool_call>|arg_(?:key|value)>)[A-Za-z_]{{1,24}}>{_NAME}\s{{0,4}}(?=<arg_key>)",
    rf"<(?:[A-Za-z_]{{1,24}}(?:>(?:{_NAME_HELD}\s{{0,4}}(?:{prefix_regex(['<arg_key>'])})?)?)?)?",
)
"""Some other word in the tag before a name and its arguments."""


class Glm45(ToolCallTag):
    """The grammar of GLM-4.5."""

    format = "glm45"
    reads = ("bang", "word")
    reach = 112
    bodies = ("pairs",)
    result_markers = (*ToolCallTag.result_markers, "<|observation|>")
    turn_tokens = (*ToolCallTag.turn_tokens, "<|assistant|>")

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The name may stand in a sign of its own, perhaps behind a title."""
        return (*super().patterns(), _BANG, _WORD)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body."""
        if kind not in self.reads:
            return (yield from super().read(scan, match, kind))
        start, at, opener = *match.span(), match.group()
        match = None  # type: ignore[assignment]
        inside = scan.prose.in_sentence and not scan.prose.announced_below
        if kind == "word":
            attempt = yield from self._other_word(scan, start, opener)
        else:
            name = opener[3:-1].rpartition("/")[2]
            head = Head(start, name, at - 1 - len(name), self.format, True, ("near_miss_tag",))
            item, end = yield from read_named(scan, head, at, ("<![", *self.boundaries))
            attempt = Attempt(end, (item,)) if item is not None else None
        if attempt is not None and inside and (yield from goes_on(scan, attempt.end)):
            for item in attempt.items:
                scan.problem(mention(item.span, item.name, "it stands in a sentence"))
            return Attempt(attempt.end, as_text=True)
        return attempt

    def _other_word(self, scan: Scanner, start: int, opener: str) -> Step[Attempt | None]:
        """Read a declared tool's name and pairs behind some word's tag."""
        word, name = opener[1:].strip().split(">")
        if scan.tools.resolve(name).tool is None:
            return None
        return (yield from self._pairs(scan, start, start + len(word) + 2, "named", f"</{word.lower()}>"))


class Glm47(Glm45):
    """The grammar of GLM-4.7."""

    format = "glm47"


class Glm4Legacy(Grammar):
    """A name alone on its line, JSON on the next."""

    format = "glm4_legacy"
    spots = "{"
    name_shapes = (rf"\A{CALL_NAME}(?=[ \t]{{0,9}}\r?\n\s{{0,9}}\{{)",)
    reach = 96
    markerless = True
    single = True
    result_markers = (*Grammar.result_markers, "<|observation|>")
    turn_tokens = (*Grammar.turn_tokens, "<|assistant|>")

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a lone word before a brace on the next line."""
        return (
            ("call", rf"^[ \t]{{0,4}}{_NAME}[ \t]{{0,4}}\r?\n\s{{0,8}}(?=\"?\{{)",
             rf"^[ \t]{{0,4}}(?:{_NAME_HELD}[ \t]{{0,4}}(?:\r?(?:\n\s{{0,8}}\"?)?)?)?"),
        )  # fmt: skip

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:  # noqa: ARG002
        """Read one call: canonical only if the whole object is its arguments."""
        start, at = match.span()
        name = match.group().strip()
        name_at = start + match.group().index(name)
        match = None  # type: ignore[assignment]
        if scan.text[at] == '"':
            return (yield from self._encoded(scan, name, name_at, at))
        state, stop = yield from scan.json_end(at)
        read = read_json(scan.text, at, stop, close=state is End.MORE and not scan.cut_short)
        span = scan.span(name_at, stop)
        if read.error or not isinstance(read.value, dict):
            if plain_name(name) not in scan.tools.by_name:
                return None
            code = "truncated" if state is End.MORE else "bad_json"
            return Attempt(stop, (report(code, span, f"The arguments of {name!r} cannot be read.", name=name),))
        value, stop, more = yield from with_rest(scan, name, read.value, stop)
        draft = Draft(
            name, value, scan.span(name_at, stop), scan.span(name_at, name_at + len(name)), scan.span(at, stop),
            repairs=(*read.repairs, *more), canonical=not scan.tools.declared, format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        if item is None:
            return Attempt(stop, as_text=True)
        return Attempt(stop, (item,))

    def _encoded(self, scan: Scanner, name: str, name_at: int, at: int) -> Step[Attempt | None]:
        """Read a call whose arguments were made a string first."""
        found = yield from scan.find(at, "\n")
        stop = found[0] if found is not None else len(scan.text)
        body = scan.text[at:stop].rstrip()
        if plain_name(name) not in scan.tools.by_name:
            return None
        stop = at + len(body)
        span = scan.span(name_at, stop)
        draft = Draft(
            name, body, span, scan.span(name_at, name_at + len(name)), scan.span(at, stop), format=self.format
        )
        item = settle(draft, scan.tools)
        return Attempt(stop, (item,)) if item is not None else None


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def write_45(call: ParsedCall) -> str:
    """Write one call with newlines."""
    pairs = "".join(
        f"<arg_key>{key}</arg_key>\n<arg_value>{_value(value)}</arg_value>\n" for key, value in call.arguments.items()
    )
    return f"<tool_call>{call.name}\n{pairs}</tool_call>"


def write_47(call: ParsedCall) -> str:
    """Write one call without newlines."""
    pairs = "".join(
        f"<arg_key>{key}</arg_key><arg_value>{_value(value)}</arg_value>" for key, value in call.arguments.items()
    )
    return f"<tool_call>{call.name}{pairs}</tool_call>"


def write_legacy(call: ParsedCall) -> str:
    """Write one call on two lines."""
    return f"{call.name}\n{compact(call.arguments)}"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result."""
    return f"<tool_response>\n{result_json(result)}\n</tool_response>"


FORMATS = (
    FormatSpec(
        id="glm45", family="glm", models="GLM-4.5, GLM-4.6", grammar=Glm45(), write_call=write_45,
        write_result=write_result, stop_sequences=("<|observation|>",),
        tags=("arg_key", "arg_value"),
    ),
    FormatSpec(
        id="glm47", family="glm", models="GLM-4.7, GLM-5.x, Ling 3, Laguna", grammar=Glm47(), write_call=write_47,
        write_result=write_result, stop_sequences=("<|observation|>",),
    ),
    FormatSpec(
        id="glm4_legacy", family="glm", models="GLM-4-9B, ChatGLM3, GLM-Z1", grammar=Glm4Legacy(),
        write_call=write_legacy, stop_sequences=("<|observation|>",),
    ),
)  # fmt: skip

"""JSON calls without markers: the list object of the Straico proxy, and plain objects of small and coder models.

    {"function_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}       function_calls_json
    {"name": "get_weather", "arguments": {"city": "Rome"}}                             bare_json, also fenced

Source: requirement S2 for the first; Qwen2.5-Coder's habit (ollama/ollama#12174) for the second.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from workbench.formats.kit.bare_json import BareJson
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import Head, read_named, stretch
from workbench.formats.kit.prefix_patterns import ahead, alt, cls, lit, opt, seq
from workbench.formats.kit.prompt import sample_call
from workbench.formats.kit.spec import FormatSpec, compact, result_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult, ToolSpec
    from workbench.formats.kit.calls import Item
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


class FunctionCalls(BareJson):
    """The grammar of the list object."""

    format = "function_calls_json"
    envelope = Envelope("name", ("arguments",), many="function_calls")
    own_key = True
    lonely = "both"


_WORDS, _NAME = r"(?:Tool|Function)[ _]?(?:Call|Use)s?", r"[^\W\d][\w.\-]{0,63}"
_CALLING = r"Call(?:ing|ed)[ ](?:tool|function)s?"
_INPUT = r"(?:Input|Arguments|Args|Parameters)"
_LABEL = (
    rf"\[(?:{_WORDS}:|{_CALLING}:?)[ ]?`?{_NAME}`?(?:[ ]\((?:ID:[ ]?)?[\w.:\-]{{1,48}}\))?\]?\s{{0,4}}(?:(?:with[ ])?{_INPUT}:?\s{{0,4}})?\(?(?=\{{)"
    rf"|\*{{5}} Suggested {_WORDS}(?: \([^()\n]{{0,40}}\))?: {_NAME} \*{{5}}\s{{0,4}}Arguments:\s{{0,4}}(?=\{{)"
    rf"|^(?:(?:Tool|Function)(?:[ _]?(?:Call|Name))?:[ ]?)?{_NAME}[ \t]{{0,4}}\r?\n{_INPUT}:\s{{0,4}}(?=\{{)"
    rf"|^{_NAME}[ ]?(?=\{{\s{{0,9}}\"[\w.\-]{{1,64}}\"\s{{0,4}}:)"
    rf"|^\[{_NAME}\]\s{{0,4}}(?=\{{)"
    rf"|^{_CALLING}:[ ]['\"]{_NAME}['\"][ ]with[ ]{_INPUT}:[ ]?(?=\{{)"
    rf"|^```(?:tool|tool_call|json)[ ]{_NAME}[ \t]{{0,4}}\r?\n\s{{0,4}}(?=\{{)"
)
_NAMED = re.compile(
    rf"(?:\A```\w+[ ]|\A\[?(?:{_CALLING}|(?:Tool|Function)[^:\n]{{0,8}}):?[ ]?[`'\"]?|:[ ]?`?|\A\[?)({_NAME})",
    re.IGNORECASE,
)
_BEGUN = (
    rf"\[(?:{_WORDS}:|{_CALLING}:?)[ ]?[^\n]{{0,120}}\s{{0,4}}[^\n]{{0,20}}\s{{0,4}}\(?"
    rf"|\*{{5}} Suggested {_WORDS}[^\n]{{0,120}}\s{{0,4}}[^\n]{{0,16}}\s{{0,4}}"
    rf"|^(?:Tool|Function)[^\n]{{0,80}}\n?(?:[A-Z][a-z]{{0,9}}:?\s{{0,4}})?|^{_NAME}[ ]?(?:\{{\s{{0,9}}(?:\"[\w.\-]{{0,64}}\"?\s{{0,4}})?)?"
    rf"|^\[(?:{_NAME}\]?\s{{0,4}})?"
    rf"|^C(?:a[a-z]{{0,6}}(?:[ ][a-z]{{0,9}}(?::[^\n{{]{{0,90}})?)?)?"
    rf"|^`{{1,3}}(?:(?<=```)(?:t[a-z_]{{0,8}}|j[son]{{0,3}})(?:[ ](?:{_NAME}[ \t]{{0,4}}\r?(?:\n\s{{0,4}})?)?)?)?"
)
_GLUED = re.compile(r"[A-Za-z_][\w.\-]{0,63}+(?=\{)")
"""The next call of that kind directly behind one."""
_AFTER = re.compile(r"\s{0,9}+(?:\)?\]|\*{5,80}|\[/[\w.\-]{1,64}\]|\[END_[A-Z_]{1,32}\]|```(?=\r?\n|\Z))")


class PlainJson(BareJson):
    """The grammar of plain objects, and of those below a label as histories of other programs write them."""

    format = "bare_json"
    envelope = Envelope("name", ("arguments", "parameters"))
    fenced_is_strict = True
    reads = ("labelled",)
    spots = "{[*`"

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for calls below labels too: `[Tool Use: NAME] {…}`, AutoGen's `***** Suggested tool call: NAME *****`, `NAME{…}`,
        `[NAME] {…} [END_TOOL_REQUEST]`, as models of LM Studio write under OpenClaw."""
        begun = rf"\[(?:[TFC][a-z]{{0,7}}[ _]?[A-Za-z]{{0,9}})?|\*{{1,5}}(?: (?:S[a-z]{{0,8}}(?: [A-Za-z_ ]{{0,14}})?)?)?|{_BEGUN}"
        return (*super().patterns(), ("labelled", _LABEL, begun))

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one value."""
        if kind != "labelled":
            return (yield from super().read(scan, match, kind))
        start, at = match.span()
        found = _NAMED.search(match.group())
        match = None  # type: ignore[assignment]
        assert found is not None
        name, name_at = found[1], start + found.start(1)
        if scan.tools.resolve(name).tool is None:
            return None
        items: list[Item] = []
        while True:
            head = Head(start, name, name_at, self.format, False, ("wrong_family",))
            item, end = yield from read_named(scan, head, at, ())
            if item is None:
                return Attempt(start, tuple(items)) if items else None
            items.append(item)
            yield from scan.at_least(end + 90)
            found = _GLUED.match(scan.text, end) if at == name_at + len(name) else None
            if found is None or scan.tools.resolve(found[0]).tool is None:
                break
            start, name, name_at, at = end, found[0], end, found.end()
        found = _AFTER.match(scan.text, end)
        end = found.end() if found is not None else end
        return Attempt(end, (*items[:-1], stretch(scan, items[-1], end)))


def write_list(calls: Sequence[ParsedCall]) -> str:
    """Write calls as the list object."""
    return compact({"function_calls": [{"name": call.name, "arguments": call.arguments} for call in calls]})


def write_plain(call: ParsedCall) -> str:
    """Write one call as a plain object."""
    return compact({"name": call.name, "arguments": call.arguments})


def write_output(call: ParsedCall, result: ToolResult) -> str:
    """Write one result as the proxy does."""
    return f"Tool output for {call.id}: {result_json(result)}"


def write_result(call: ParsedCall, result: ToolResult) -> str:
    """Write one result for the user's turn."""
    return f"Result of `{call.name}`:\n{result_json(result)}"


def teach_list(tools: Sequence[ToolSpec]) -> str:
    """Teach the list object with the user's tools."""
    listed = json.dumps([tool.to_openai() for tool in tools], ensure_ascii=False, indent=2)
    return (
        f"You have access to following tools:\n{listed}\n\n"
        "When calling a function, respond with:\n"
        '{"function_calls": [{"name": "func_name", "arguments": {...}}]}\n\n'
        f"For example:\n{write_list([sample_call(tools[0])])}"
    )


def label_shapes() -> tuple[MarkerShape, ...]:
    """The labels in brackets that stand before an object, or around it: it is the call's. And AutoGen's between stars."""
    tool, name = alt(lit("tool"), lit("function")), seq(cls(r"[^\W\d]", 1, 1), cls(r"[\w.\-]", 0, 63))
    call = seq(tool, cls("[ _]", 0, 1), lit("call"), opt(lit("s")), lit(":"))
    use = seq(tool, cls("[ _]", 0, 1), lit("use"), opt(lit("s")), lit(":"))
    calling = seq(lit("call"), alt(lit("ing"), lit("ed")), lit(" "), tool, opt(lit("s")), opt(lit(":")))
    ident = opt(seq(lit(" ("), cls(r"[^()\n]", 0, 48), lit(")")))
    given = seq(cls(" ", 1, 2), opt(lit("with ")), alt(lit("arguments"), lit("input"), lit("args")), opt(lit(":")))
    around, tick = alt(lit("("), seq(given, cls(" ", 0, 2))), opt(lit("`"))
    named = seq(cls(" ", 0, 1), tick, name, tick, ident)
    # `[Tool Call: f]` alone is a marker by its look: only with a blank behind it is it this one
    label = alt(
        seq(lit("["), call, named, alt(seq(lit("]"), cls(r"\s", 1, 4)), around)),
        seq(lit("["), alt(use, calling), named, alt(seq(lit("]"), cls(r"\s", 0, 4)), around)),
    )
    whole, opens = re.compile(label.full), Marker("open", "called", "call")
    stars = seq(
        lit("***** suggested "), tool, cls("[ _]", 0, 1), lit("call"), ident, lit(": "), name, lit(" *****"),
        cls(r"\s", 0, 4), lit("arguments:"), cls(r"\s", 0, 4),
    )  # fmt: skip
    follows = ahead(r"(?=\{)")
    return (
        MarkerShape("[", seq(label, follows), lambda text: opens if whole.fullmatch(text) else None),
        MarkerShape("*****", seq(stars, follows), opens),
    )


FORMATS = (
    FormatSpec(
        id="function_calls_json", family="plain_json", models="any, through proxies in the style of Straico",
        grammar=FunctionCalls(), write_call=lambda call: write_list([call]), write_calls=write_list, teach=teach_list,
        write_result=write_output, stop_sequences=("\nTool output for",),
    ),
    FormatSpec(
        id="bare_json", family="plain_json", models="Qwen2.5-Coder, many small models", grammar=PlainJson(),
        write_call=write_plain, write_result=write_result, marker_shapes=label_shapes,
    ),
)  # fmt: skip

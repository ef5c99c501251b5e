"""Mistral's token, with a JSON list (older tokenizers) or with name, optional id and arguments token (newer ones).

    [TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Rome"}, "id": "a1B2c3D4e"}]      mistral_json, up to Small 3.1
    [TOOL_CALLS]get_weather[CALL_ID]a1B2c3D4e[ARGS]{"city": "Rome"}                              mistral_args, v11
    [TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}                                                mistral_args, v13

One parser: after the token a bracket means JSON, an identifier the other form. Ids are exactly nine letters or digits, or
the next request fails (vllm-project/vllm#9019). Source: mistral-common's tokenizers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import report
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt, Idle
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import Head, read_named
from workbench.formats.kit.prefix_patterns import exact, lit, opt, seq, words
from workbench.formats.kit.prompt import sample_call, tool_prompt
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.tag_json import NO_WORD_AND_TAG, TagJson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolResult, ToolSpec
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_NAME = re.compile(r"(?:[A-Za-z_][\w.:/\\\-]{0,127}+)?")
_CALL_IDENT = re.compile(r"[A-Za-z0-9_\-]{0,64}+")
_PARTIAL = re.compile(
    r"[A-Za-z_][\w.:/\\\-]{0,127}\s*+(?:\[[A-Z_]{0,8}\]?\s*+[A-Za-z0-9_\-]{0,64}\s*+(?:\[[A-Z]{0,4}\]?)?)?\s*+"
)
_IDENT = re.compile(r"[A-Za-z0-9]{9}")


class MistralJson(TagJson):
    """The grammar of both forms; here JSON is the own one."""

    format = "mistral_json"
    name_shapes = (
        rf"CALLS\]\s{{0,9}}{CALL_NAME}(?=\s{{0,9}}[\[{{])",
        rf"(?<![\w.\-/]){CALL_NAME}(?=\[(?:ARGS|CALL_ID)\])",
    )
    reach = 128
    spots = "["
    envelope = Envelope("name", ("arguments",), "id")
    opens = ("[TOOL_CALLS]",)
    lists = True
    near_misses: Mapping[str, str] = {"[TOOL_CALL]": "[/TOOL_CALL]", "<tool_call>": "</tool_call>"}
    args_form = False
    glued = False
    begins = frozenset(("call",))

    def inside(self) -> tuple[str, ...]:
        """The tokens between name and arguments."""
        return "[ARGS]", "[CALL_ID]"

    def literals(self) -> Mapping[str, str]:
        """Return the token, its near misses, and a closing one, which some models invent."""
        return {**super().literals(), "[/TOOL_CALLS]": "orphan"}

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The token may be lost: `NAME[ARGS]{…}`, or a bare list; or come too late: `NAME[TOOL_CALLS]{…}`."""
        name = r"(?<![\w.\-\]])[A-Za-z_][\w.\-]{0,63}+(?:\[CALL_ID\][A-Za-z0-9]{1,32}+)?\[ARGS\]"
        early = r"(?<![\w.\-\]])[A-Za-z_][\w.\-]{0,63}+\[TOOL_CALLS\]\s{0,4}(?:\[ARGS\]\s{0,4})?(?=\{)"
        hold = r"(?<![\w.\-\]])[A-Za-z_][\w.\-]{0,63}(?:\[[A-Z_]{0,10}(?:\](?:[A-Za-z0-9]{0,32}|\s{0,4})(?:\[[A-Z]{0,4}\]?\s{0,4})?)?)?"
        return (
            ("args", name, hold), ("early", early, ""),
            ("bare", r"\[\s{0,9}(?=\{\s{0,9}\"name\"\s{0,4}:)", r"\[\s{0,9}(?:\{\s{0,9}(?:\"(?:n(?:a(?:m(?:e(?:\"\s{0,4})?)?)?)?)?)?)?"),
        )  # fmt: skip

    def ident(self, number: int) -> str:
        """Make an id that the API takes: nine letters or digits."""
        return f"call{number:05}"

    def json_repairs(self) -> tuple[str, ...]:
        """JSON is the other form's body where arguments stand by themselves."""
        return ("wrong_family",) if self.args_form else ()

    def run(self, scan: Scanner, at: int) -> int:  # noqa: ARG002
        """Take no quick way: calls stand in a list."""
        return at

    def idle(self, marker: str, kind: str) -> Idle | None:
        """Behind a near opener a name may stand before its arguments."""
        return Idle(kept=True, behind=NO_WORD_AND_TAG) if kind == "near" else super().idle(marker, kind)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body."""
        start, at = match.span()
        match = None  # type: ignore[assignment]
        if kind == "args":
            return (yield from self._args(scan, start, start, False))
        if kind == "early":
            name = scan.text[start:at].partition("[")[0]
            if scan.tools.resolve(name).tool is None or (yield from self._holds_name(scan, at)):
                return Attempt(start + len(name), as_text=True)
            head = Head(start, name, start, self.format, False, ("missing_open_tag", "near_miss_tag"))
            item, end = yield from read_named(scan, head, at, ("[TOOL_CALLS]", "</s>"))
            return Attempt(end, (item,)) if item is not None else None
        if kind == "bare":
            return (yield from self._json(scan, start, start, ("missing_open_tag",), kind))
        if kind in ("orphan", "html"):
            return Attempt(at)
        return (yield from self._body(scan, start, at, kind))

    def _holds_name(self, scan: Scanner, at: int) -> Step[bool]:
        """True if the object at `at` names its tool itself, so that the word before the token is none."""
        yield from scan.at_least(at + 80)
        return self.envelope.opening.match(scan.text, at) is not None

    def other_body(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """An identifier: name and arguments."""
        attempt = yield from self._args(scan, start, at, kind == "call")
        while attempt is not None and kind == "call" and attempt.items:
            begin = yield from scan.space(attempt.end)
            more = None
            if (yield from self._named(scan, begin)):
                more = yield from self._args(scan, begin, begin, True, ("missing_open_tag",))
            if more is None:
                break
            attempt = Attempt(more.end, attempt.items + more.items)
        return attempt

    @staticmethod
    def _named(scan: Scanner, at: int) -> Step[bool]:
        """True if a name stands at `at` with the arguments' token right behind it, or a declared one with an object."""
        end = yield from _word(scan, at, _NAME)
        declared = scan.text[end : end + 1] == "{" and scan.text[at:end] in scan.tools.by_name
        return end > at and (declared or (yield from scan.literal(end, "[ARGS]")) >= 0)

    def _args(
        self, scan: Scanner, start: int, at: int, canonical: bool, repairs: tuple[str, ...] = ()
    ) -> Step[Attempt | None]:
        """`NAME[CALL_ID]id[ARGS]{…}`."""
        head = yield from self._head(scan, at)
        if head is None:
            return (yield from self._cut_name(scan, start, at, canonical))
        name, ident, marked, body = head
        repairs += () if self.args_form else ("wrong_family",)
        repairs += () if canonical else ("missing_open_tag",)
        if not marked:
            repairs += ("missing_open_tag",)
        known = Head(start, name, at, self.format, canonical, repairs, ident if _IDENT.fullmatch(ident) else "")
        item, end = yield from read_named(scan, known, body, ("[TOOL_CALLS]", "</s>"))
        if isinstance(item, ParsedCall) and scan.text[body] == "[":
            item = report("args_not_object", item.span, f"The arguments of {name!r} are a list.", name=name)
        return Attempt(end, (item,)) if item is not None else None

    @staticmethod
    def _head(scan: Scanner, at: int) -> Step[tuple[str, str, bool, int] | None]:
        """Read what stands before the arguments: name, id, whether their token is there, and where they begin."""
        end = yield from _word(scan, at, _NAME)
        name, ident = scan.text[at:end], ""
        place = yield from scan.space(end)
        after = (yield from scan.literal(place, "[CALL_ID]")) if name else -1
        if after >= 0:
            begin = yield from scan.space(after)
            end = yield from _word(scan, begin, _CALL_IDENT)
            ident, place = scan.text[begin:end], (yield from scan.space(end))
        after = (yield from scan.literal(place, "[ARGS]")) if name else -1
        place = (yield from scan.space(after)) if after >= 0 else place
        body = (yield from scan.brace(place)) if after >= 0 else place
        if not name or (scan.text[body : body + 1] != "{" and not (yield from _is_value(scan, place, after >= 0))):
            return None
        return name, ident, after >= 0, place

    def _cut_name(self, scan: Scanner, start: int, at: int, canonical: bool) -> Step[Attempt | None]:
        """The reply ends inside the name, or no arguments follow, as for a tool that takes none."""
        rest = scan.tail(at)
        if not canonical or not scan.closed or not _PARTIAL.fullmatch(rest):
            return None
        name = re.split(r"[\[\s]", rest)[0]
        tool = scan.tools.by_name.get(name)
        ended = not tool.required if tool is not None else scan.reason is not None and not scan.tools.declared
        if ended and not scan.cut_short and rest.strip().removesuffix("[ARGS]") == name:
            known = Head(start, name, at, self.format, canonical, () if self.args_form else ("wrong_family",))
            item, end = yield from read_named(scan, known, len(scan.text), ())
            return Attempt(end, (item,)) if item is not None else None
        return Attempt(
            len(scan.text),
            (report("truncated", scan.span(start, len(scan.text)), f"The call of {name!r} is cut off.", name=name),),
        )


def _is_value(scan: Scanner, at: int, marked: bool) -> Step[bool]:
    """True if what stands in the place of an object is a string, which arguments may have been made, or a list of such."""
    if not marked or scan.text[at : at + 1] == '"':
        return scan.text[at : at + 1] == '"'
    return (yield from scan.literal(at, "'", '["', "['")) >= 0


def _word(scan: Scanner, at: int, pattern: re.Pattern[str]) -> Step[int]:
    """Return where a word ends that is complete: something else follows, or nothing at all."""
    while True:
        end = pattern.match(scan.text, at).end()  # type: ignore[union-attr]
        if end < len(scan.text) or not (yield from scan.more()):
            return end


class MistralArgs(MistralJson):
    """The grammar of both forms; here the arguments token is the own one."""

    format = "mistral_args"
    args_form = True


def _ident(call: ParsedCall) -> str:
    return call.id if _IDENT.fullmatch(call.id) else f"call{sum(map(ord, call.id)) % 100_000:05}"


def write_list(calls: Sequence[ParsedCall]) -> str:
    """Write calls as the JSON list."""
    items = [{"name": call.name, "arguments": call.arguments, "id": _ident(call)} for call in calls]
    return f"[TOOL_CALLS]{compact(items)}"


def write_args(call: ParsedCall) -> str:
    """Write one call with the arguments token."""
    return f"[TOOL_CALLS]{call.name}[ARGS]{compact(call.arguments)}"


def result_json_form(call: ParsedCall, result: ToolResult) -> str:
    """Write one result with its id."""
    return f'[TOOL_RESULTS]{{"content": {result_json(result)}, "call_id": "{_ident(call)}"}}[/TOOL_RESULTS]'


def result_args_form(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result."""
    return f"[TOOL_RESULTS]{result_json(result)}[/TOOL_RESULTS]"


def teach_list(tools: Sequence[ToolSpec]) -> str:
    """Teach the list form with the user's tools."""
    first = sample_call(tools[0])
    body = compact([{"name": first.name, "arguments": first.arguments}])
    return tool_prompt(
        tools,
        "IMPORTANT: When you need to use a tool, output EXACTLY this format:\n"
        '[TOOL_CALLS] [{"name": "tool_name", "arguments": {"param": "value"}}]\n\n'
        f"Example - Call {first.name}:\n[TOOL_CALLS] {body}",
    )


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The control tokens, in capitals only: words in brackets are text."""
    known = words(("ARGS", "CALL_ID", "TOOL_CONTENT", "AVAILABLE_TOOLS"))
    return (MarkerShape("[", seq(lit("["), opt(lit("/")), exact(known), lit("]")), _MEANINGS.get),)


_MEANINGS = {
    "[args]": Marker("open", "bare", "call"), "[call_id]": Marker("mark", "inner"), "[tool_content]": Marker("mark", "inner"),
    "[available_tools]": Marker("open", "[availabletool", "call"), "[/available_tools]": Marker("close", "[availabletool"),
}  # fmt: skip


FORMATS = (
    FormatSpec(
        id="mistral_json", family="mistral", models="Mistral 7B v0.3, Nemo, Large 2, Small up to 3.1, Mixtral 8x22B",
        grammar=MistralJson(), write_call=lambda call: write_list([call]), write_calls=write_list,
        write_result=result_json_form, teach=teach_list,
    ),
    FormatSpec(
        id="mistral_args", family="mistral", models="Mistral Small 3.2, Magistral, Devstral 2, Ministral 3, Large 3",
        grammar=MistralArgs(), write_call=write_args, write_calls=lambda calls: "".join(map(write_args, calls)),
        write_result=result_args_form,
        marker_shapes=marker_shapes, special_tokens=True,
    ),
)  # fmt: skip

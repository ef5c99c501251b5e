"""Calls as `invoke` tags with `parameter` tags inside, in a block of their own.

    <function_calls>                                        anthropic_xml, also with a namespace on every tag
    <invoke name="get_weather">
    <parameter name="city">Rome</parameter>
    </invoke>
    </function_calls>

    <xai:function_call name="get_weather"> … </xai:function_call>      the same without a block, from Grok

    <minimax:tool_call> … </minimax:tool_call>              minimax_m2: M2, 2.1, 2.5, 2.7
    <｜DSML｜function_calls> <｜DSML｜invoke name="…"> <｜DSML｜parameter name="…" string="true"> …      deepseek_dsml: V3.2; V4 says tool_calls
    <｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="…"> …        step3
    <function name="get_weather"><param name="city">Rome</param></function>                          minicpm5, CDATA allowed

Values are raw text. Source: Anthropic's older tool prompts, the models' chat templates.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall
from workbench.formats.kit.calls import Draft, report, settle
from workbench.formats.kit.function_tags import read_functions, typed_element
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.invoke_tags import (
    BLANK,
    Invoke,
    as_text,
    flagged_writer,
    invoke_shape,
    mended,
    with_short_closes,
    writer,
)
from workbench.formats.kit.loose_json import MAX_SIZE
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.prefix_patterns import alt, lit, opt, seq, words
from workbench.formats.kit.spec import FormatSpec, result_json
from workbench.formats.kit.tagged_parameter import TAG_LIMIT
from workbench.formats.kit.toolset import NAME, only_text
from workbench.formats.kit.value_end import bare_value, in_cdata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.toolset import Tool, ToolSet
    from workbench.formats.kit.window import Step


_JUNK = r"^(?-i:[a-z][a-z_:]{0,23})"
_ANTHROPIC = {"<function_calls>": "</function_calls>", "<" + "antml:function_calls>": "</" + "antml:function_calls>",
              "<tool_use>": "</tool_use>", "<tml:function_calls>": "</tml:function_calls>"}  # fmt: skip


class AnthropicXml(Invoke):
    """The grammar of older Claude prompts."""

    format = "anthropic_xml"
    wrappers = _ANTHROPIC
    canonical = tuple(_ANTHROPIC)[:2]
    shape = invoke_shape("", ("antml:", "anthropic:", "tml:"), _ANTHROPIC, also=("xai:function_call",))
    close_optional = True

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a misspelt tag, and for a lone word on the line before one: what is left of the block's garbled opener."""
        tags = "|".join(map(re.escape, self.shape.call_starts))
        hold = rf"{_JUNK}(?:[ \t]{{1,4}})?(?:\r?(?:\n\s{{0,4}}(?:{prefix_regex(self.shape.call_starts)})?)?)?"
        misspelt = ("misspelt", *_MISSPELT)
        return (
            misspelt,
            ("junk", rf"{_JUNK}[ \t]{{0,4}}\r?\n\s{{0,4}}(?={tags})", hold),
        )

    def literals(self) -> Mapping[str, str]:
        """Return the tags, and one whose signs are escaped."""
        return {**super().literals(), "&lt;invoke name=": "escaped"}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a block or a tag alone; one that is escaped as a whole, or misspelt, for declared tools only."""
        if kind not in ("escaped", "misspelt"):
            return (yield from super().read(scan, match, kind))
        start, at = match.span()
        match = None  # type: ignore[assignment]
        closes = ("&lt;/invoke&gt;",) if kind == "escaped" else ("</invoke>", "</rivoke>", "</ invoke>")
        found = yield from scan.find(at, *closes)
        if found is None or not scan.tools.declared or found[1] - start > MAX_SIZE:
            return None
        if kind == "escaped":
            calls = mended(scan, start, found[1], unescape(scan.text[start : found[1]]), "html_escaped")
        else:
            text = f"<invoke name={scan.text[at : found[0]]}</invoke>"
            calls = mended(scan, start, found[1], text, self.loose)
        return Attempt(found[1], calls) if len(calls) == 1 else None


_MISSPELT = seq(lit("<"), alt(lit(" invoke"), lit("rivoke")), lit(" name="))
"""What models make of the call's tag."""
_BRACKETLESS = re.compile(
    r"""(?m)^[ \t]*(?=(?:invoke|parameter)\s+name="[^"<>\n]+">)|(?<=>)(?=parameter\s+name="[^"<>\n]+">)"""
)
_BRACKETLESS_CLOSE = re.compile(r"(?<![</])/?(?=(?:invoke|parameter)>[ \t]*(?:\r?\n|\Z|/?invoke>|parameter\s+name=))")
"""Where the signs of tags are lost: `invoke name="f">parameter name="k">valueparameter>invoke>`."""
_M2 = {"<minimax:tool_call>": "</minimax:tool_call>", "<minimax:tool_calls>": "</minimax:tool_calls>"}


class MiniMaxM2(Invoke):
    """The grammar of MiniMax M2."""

    format = "minimax_m2"
    wrappers = _M2
    canonical = ("<minimax:tool_call>",)
    shape = invoke_shape("", ("minimax:",), _M2)
    turn_tokens = (*Grammar.turn_tokens, "[e~[", "]~b]ai", "]~!b[")
    result_markers = (*Grammar.result_markers, "]~b]tool")

    def _other(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """The block's own tags may have lost their signs: quantized models write them so."""
        if scan.tools.declared and (yield from scan.literal(at, 'invoke name="')) >= 0:
            found = yield from scan.find(at, *self.shape.wrapper_closes)
            if found is not None and found[1] - start <= MAX_SIZE:
                inner = _BRACKETLESS.sub("<", _BRACKETLESS_CLOSE.sub("</", scan.text[at : found[0]]))
                calls = mended(scan, start, found[1], inner, self.loose)
                if calls:
                    return Attempt(found[1], calls)
        return (yield from super()._other(scan, start, at))


_SPACES = ("｜DSML｜ ", "|DSML|", "|DSML| ", "||DSML||", "｜｜DSML｜｜", "‖DSML‖", "DSML:", "")
_BENT = ("toolcalls", "tool_call", "tools", "tool")
"""How the block's name comes out as well."""
_DSML = {
    f"<{space}{block}>": f"</{space}{block}>"
    for space in ("｜DSML｜", *_SPACES)
    for block in ("function_calls", "tool_calls", *(("calls",) if space else ()), *(_BENT if "DSML｜" in space else ()))
}


_SHORT = tuple(f"</{space}inv>".lower() for space in ("｜DSML｜", *_SPACES) if space)
"""The closing tag of a call as quantized models write it (ml-explore/mlx-lm)."""


_BARS = ("｜｜", "｜", "||", "|", "‖")
_ABRIDGED = re.compile(
    r"\s*+<[|｜‖]{1,2}DSML[|｜‖]{1,2}m>(?P<text>(?:(?!</?[|｜‖]{1,2}DSML).)*+)(?:</[|｜‖]{1,2}DSML[|｜‖]{1,2}m>)?\s*+",
    re.DOTALL,
)


class DeepSeekDsml(Invoke):
    """The grammar of DeepSeek V3.2, V4, and V4.1, whose tags have a blank before their word."""

    format = "deepseek_dsml"
    wrappers = _DSML
    canonical = (*tuple(_DSML)[:2], "<｜DSML｜ calls>")
    own_tags = True
    shape = with_short_closes(invoke_shape("｜DSML｜", _SPACES, _DSML), _SHORT)
    loose = "wrong_width_pipe"
    reads = ("abridged",)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Tags of one letter: `<｜｜DSML｜｜r=bash>` with `<｜｜DSML｜｜m>` around the one text that the tool takes."""
        bars = "[|｜‖]"
        return (("abridged", rf"<{bars}{{1,2}}DSML{bars}{{1,2}}r=", rf"<{bars}{{1,2}}D?S?M?L?{bars}{{0,2}}(?:r=?)?"),)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a block, a tag alone, or an abridged call of a declared tool."""
        if kind != "abridged":
            return (yield from super().read(scan, match, kind))
        start, at = match.span()
        match = None  # type: ignore[assignment]
        found = yield from scan.within(at, TAG_LIMIT, ">")
        name = scan.text[at : found[0]].strip().strip("\"'") if found else ""
        target = only_text(scan.tools.resolve(name).tool)
        if found is None or not target:
            return None
        begin = found[1]
        found = yield from scan.find(begin, *(f"</{bars}DSML{bars}r>" for bars in _BARS))
        stop, end = found or (len(scan.text), len(scan.text))
        inner = _ABRIDGED.fullmatch(scan.text, begin, stop)
        if inner is None or (found is None and scan.cut_short):
            message = f"The call of {name!r} is cut off, or holds more than one text."
            return Attempt(end, (report("truncated", scan.span(start, end), message, name=name),))
        named, body = scan.span(at, at + len(name)), scan.span(*inner.span("text"))
        draft = Draft(
            name, {target: bare_value(inner["text"], lines=True)}, scan.span(start, end), named, body,
            repairs=("near_miss_tag", "text_as_argument"), format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return None if item is None else Attempt(end, (item,))


_STEP_BEGINS = ("<｜tool_call_begin｜>", "<｜tool_sep｜>", "<|tool_call_begin|>", "<|tool_sep|>")
_STEP_ENDS = ("<｜tool_call_end｜>", "<|tool_call_end|>")
_STEP_TOKENS = (*_STEP_BEGINS, *_STEP_ENDS)
_STEP = {"<｜tool_calls_begin｜>": "<｜tool_calls_end｜>", "<|tool_calls_begin|>": "<|tool_calls_end|>"}


class Step3(Invoke):
    """The grammar of Step 3."""

    format = "step3"
    wrappers = _STEP
    canonical = ("<｜tool_calls_begin｜>",)
    shape = invoke_shape("steptml:", ("",), _STEP, between=_STEP_TOKENS)
    own_tags = True
    skips = (*_STEP_TOKENS, "function")
    preludes = _STEP_BEGINS
    loose = "wrong_width_pipe"

    @staticmethod
    def _named_before(scan: Scanner, at: int) -> Step[int]:
        """The name may stand on a line between the separator and the tag."""
        found = yield from scan.within(at, 160, "\n", "<")
        if found is None or not NAME.fullmatch(scan.text[at : found[0]].strip()):
            return at
        after = yield from scan.space(found[0])
        return after if (yield from scan.literal(after, "<steptml:", "<invoke ")) >= 0 else at

    def _no_call(self, scan: Scanner, begin: int, at: int) -> Step[int]:
        """An entry that is no call loses itself alone: another one may follow it."""
        if scan.text[at : at + 1] in ("{", "[", "<") or not any(token in scan.text[begin:at] for token in _STEP_BEGINS):
            return -1
        found = yield from scan.find(at, *self.shape.wrapper_closes, *self.wrappers, *_STEP_ENDS)
        return found[1] if found is not None and scan.text[found[0] : found[1]].lower() in _STEP_ENDS else -1


_CPM = {f"<{word}>": f"</{word}>" for word in ("tool_calls", "function_calls", "tool_call")}
"""Blocks of other families that calls come in as well."""


_ATTRIBUTE = r"""[ ]?name="[\w.\-]{1,64}">"""
_ATTRIBUTES = re.compile(r"""[ ]?name="([\w.\-]{1,64})">""")


class MiniCpm5(Invoke):
    """The grammar of MiniCPM 5; a server that hides special tokens leaves no more of its tags than ` name="…">`."""

    format = "minicpm5"
    wrappers = _CPM
    shape = invoke_shape(
        "", (), _CPM, call="function", param="param", cdata=True, inner=("<arguments>", "</arguments>"),
        heads=(" ", "name", f"{BLANK}name", f"{BLANK.lower()}name"),
    )  # fmt: skip
    bare_is_call = True
    spots = '<"'
    reach = 160

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """What is left of a call's tag right before what is left of a parameter's."""
        half = rf"""{prefix_regex([' name="'])}|{prefix_regex(['name="'])}|[ ]?name="[\w.\-]{{0,64}}(?:"(?:>[ ]?(?:n(?:a(?:m(?:e=?)?)?)?)?)?)?"""
        begins = r"(?:^|(?<=[.:!?)\]]))"
        return (("hidden", rf"""{begins}{_ATTRIBUTE}(?=[ ]?name=")""", rf"{begins}(?:{half})"),)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a call, whose tags may be hidden."""
        if kind != "hidden":
            return (yield from super().read(scan, match, kind))
        start, name = match.start(), match.group().split('"')[1]
        match = None  # type: ignore[assignment]
        if scan.tools.resolve(name).tool is None:
            return None
        found = yield from scan.find(start, *self.turn_tokens)  # nothing else ends the last value
        end = found[0] if found is not None else len(scan.text)
        text = "" if found is None and scan.cut_short else _restored(scan.text[start:end].rstrip(), scan.tools)
        calls = mended(scan, start, end, text, "missing_open_tag") if text else ()
        if calls:
            return Attempt(end, tuple(call._replace(repairs=(*call.repairs, "open_value")) for call in calls))
        code = "truncated" if found is None and scan.cut_short else "ambiguous"
        message = f"The tags of the call of {name!r} are hidden, and its values have no certain end."
        return Attempt(end, (report(code, scan.span(start, end), message, name=name),))

    def _bare(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """Read a tag alone; values in attributes, and types beside them, are a repair."""
        if (yield from typed_element(scan, at)):
            found = yield from read_functions(scan, start, at, self.format, ("near_miss_tag",))
            return Attempt(found[1], tuple(found[0])) if found else None
        return (yield from super()._bare(scan, start, at, kind))


def _restored(text: str, tools: ToolSet) -> str:
    """Return calls with their tags: of the names in quotes those of declared tools, and of parameters that have no value yet."""
    parts = _ATTRIBUTES.split(text) if "]]>" not in text else []
    calls: list[tuple[Tool, dict[str, str]]] = []
    key = ""
    for name, behind in zip(parts[1::2], parts[2::2], strict=True):
        tool, values = tools.resolve(name).tool, calls[-1][1] if calls else {}
        if tool is not None and (values or not calls):
            calls.append((tool, {}))
            key = ""
            if behind.strip():
                return ""
        elif calls and name in calls[-1][0].properties and name not in values:
            values[name], key = behind, name
        elif key:
            values[key] += f' name="{name}">{behind}'
        else:
            return ""
    return "".join(
        f'<function name="{tool.name}">'
        + "".join(f'<param name="{key}">{in_cdata(value.strip())}</param>' for key, value in values.items())
        + "</function>"
        for tool, values in calls
    )


def write_step(calls: Sequence[ParsedCall]) -> str:
    """Write calls in their tokens."""
    inner = writer("", "", "steptml:", "")
    body = "".join(f"<｜tool_call_begin｜>function<｜tool_sep｜>{inner([call])}<｜tool_call_end｜>" for call in calls)
    return f"<｜tool_calls_begin｜>{body}<｜tool_calls_end｜>"


def write_minicpm(call: ParsedCall) -> str:
    """Write one call; values that look like tags go into CDATA."""
    parameters = ""
    for key, value in call.arguments.items():
        text = as_text(value)
        parameters += f'<param name="{key}">{in_cdata(text) if "<" in text or chr(10) in text else text}</param>'
    return f'<function name="{call.name}">{parameters}</function>'


def result_functions(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result as Claude's older prompts do."""
    return f"<function_results>\n<result>{result_json(result)}</result>\n</function_results>"


def result_response(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result as MiniMax does."""
    return f"<response>{result_json(result)}</response>"


_write_dsml = flagged_writer("function_calls", "｜DSML｜")
_write_anthropic = writer("<function_calls>", "</function_calls>")
_write_m2 = writer("<minimax:tool_call>", "</minimax:tool_call>")


def minimax_markers() -> tuple[MarkerShape, ...]:
    """What begins and ends a turn."""
    turn = seq(lit("]~b]"), opt(words(("ai", "tool", "user", "system"))))
    mark = Marker("mark")
    return (MarkerShape("]~", alt(turn, lit("]~!b[")), mark), MarkerShape("[e~[", lit("[e~["), mark))


FORMATS = (
    FormatSpec(
        id="deepseek_dsml", family="invoke", models="DeepSeek V3.2 and V4", grammar=DeepSeekDsml(),
        write_call=lambda call: _write_dsml([call]), write_calls=_write_dsml, write_result=result_functions,
        special_tokens=True,
    ),
    FormatSpec(
        id="minimax_m2", family="invoke", models="MiniMax M2, 2.1, 2.5, 2.7", grammar=MiniMaxM2(),
        write_call=lambda call: _write_m2([call]), write_calls=_write_m2, write_result=result_response,
        stop_sequences=("[e~[",),
        marker_shapes=minimax_markers,
    ),
    FormatSpec(
        id="anthropic_xml", family="invoke", models="older Claude prompts, Grok, leaks from gateways",
        grammar=AnthropicXml(),
        write_call=lambda call: _write_anthropic([call]), write_calls=_write_anthropic, write_result=result_functions,
        stop_sequences=("</function_calls>",), tags=("function_call",),
    ),
    FormatSpec(
        id="step3", family="invoke", models="Step 3", grammar=Step3(), write_call=lambda call: write_step([call]),
        write_calls=write_step,
        special_tokens=True, tags=("tool_sep",),
    ),
    FormatSpec(
        id="minicpm5", family="invoke", models="MiniCPM 5", grammar=MiniCpm5(), write_call=write_minicpm,
        tags=("functionname", f"function{BLANK}name"),
    ),
)  # fmt: skip

"""Calls as `invoke` tags with `parameter` tags inside, in a block of their own.

    <function_calls>                                        anthropic_xml, also with a namespace on every tag
    <invoke name="get_weather">
    <parameter name="city">Rome</parameter>
    </invoke>
    </function_calls>

    <minimax:tool_call> … </minimax:tool_call>              minimax_m2: M2, 2.1, 2.5, 2.7
    <｜DSML｜function_calls> <｜DSML｜invoke name="…"> <｜DSML｜parameter name="…" string="true"> …      deepseek_dsml: V3.2; V4 says tool_calls
    <｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="…"> …        step3
    <function name="get_weather"><param name="city">Rome</param></function>                          minicpm5, CDATA allowed

Values are raw text. Source: Anthropic's older tool prompts, the models' chat templates.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem
from workbench.formats.kit.calls import Item, report, settle
from workbench.formats.kit.function_tags import read_functions, typed_element
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import stretch
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.prefix_patterns import alt, lit, opt, seq, words
from workbench.formats.kit.spec import FormatSpec, result_json
from workbench.formats.kit.tag_shape import Shape
from workbench.formats.kit.tagged import read_call
from workbench.formats.kit.toolset import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


BLANK = "\u0120"
"""How byte-level tokenizers write a blank."""


def invoke_shape(
    own: str, others: tuple[str, ...], wrappers: Mapping[str, str], *, call: str = "invoke", param: str = "parameter",
    cdata: bool = False, between: tuple[str, ...] = (), inner: tuple[str, ...] = (), heads: tuple[str, ...] = (" ",),
) -> Shape:  # fmt: skip
    """Return the shape of a family whose own tags carry the namespace `own`, and may lose it or carry others.

    `heads` are what may follow a tag's word: more than a blank where the blank gets lost, or a tokenizer's sign for it stays.
    """
    spaces = (own, *others)
    alternatives = "|".join(map(re.escape, sorted(spaces, key=len, reverse=True)))
    gap = r"\s+" if heads == (" ",) else f"[\\s{BLANK}]*"
    name = rf"""{gap}name\s*=\s*["']?(?P<{{}}>[^"'<>]{{{{1,200}}}})["']?"""
    return Shape(
        call_open=re.compile(rf"<(?:{alternatives}){call}{name.format('name')}\s*(?P<closed>/)?>", re.IGNORECASE),
        call_exact=re.compile(rf'<{re.escape(own)}{call}\s+name="[^"<>]+"\s*>'),
        call_starts=tuple(f"<{space}{call}".lower() + head for head in heads for space in spaces),
        call_closes=tuple(f"</{space}{call}>".lower() for space in spaces),
        param_open=re.compile(
            rf"""<(?:{alternatives}){param}{name.format("key")}(?:\s+string\s*=\s*["']?(?P<string>true|false)["']?)?[^<>]{{0,80}}>""",
            re.IGNORECASE,
        ),
        param_starts=tuple(f"<{space}{param}".lower() + head for head in heads for space in spaces),
        param_closes=tuple(f"</{space}{param}>".lower() for space in spaces),
        wrapper_opens=tuple(text.lower() for text in wrappers),
        wrapper_closes=tuple(dict.fromkeys(text.lower() for text in wrappers.values())),
        cdata=cdata,
        between=between,
        inner=inner,
    )


class Invoke(Grammar):
    """A grammar of invoke tags."""

    shape: Shape
    wrappers: Mapping[str, str] = {}
    """Openers of the block with their closers, the canonical ones first."""
    canonical: tuple[str, ...] = ()
    skips: tuple[str, ...] = ()
    """Tokens between the block's marker and a tag that say nothing."""
    loose = "near_miss_tag"
    """Repair for tags in another spelling."""
    bare_is_call = False
    """There is no block: a tag alone is canonical."""
    close_optional = False

    def literals(self) -> Mapping[str, str]:
        """Return blocks, tags without a block, and closers without an opener."""
        closers = (*self.shape.call_closes, *self.shape.param_closes, *self.wrappers.values(), *self.skips)
        return {
            **dict.fromkeys((token for token in closers if token[0] == "<"), "orphan"),
            **dict.fromkeys(self.shape.call_starts, "call" if self.bare_is_call else "bare"),
            **dict.fromkeys(self.wrappers, "block"),
        }

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read a block, or a tag alone."""
        start, at = match.span()
        opener = match.group()
        match = None  # type: ignore[assignment]
        if kind == "orphan":
            return Attempt(at)
        if kind == "junk":
            return (yield from self._bare(scan, start, at, kind))
        if kind == "block":
            return (yield from self._block(scan, start, at, opener))
        return (yield from self._bare(scan, start, start, kind))

    def _bare(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """Read a tag alone, which stands at `at`."""
        repairs = () if kind == "call" else ("missing_open_tag",)
        found = yield from self._one(scan, start, at, repairs, canonical=kind == "call")
        if found is None:
            return None
        item, end = found
        if isinstance(item, ParseProblem) and kind != "call" and item.name not in scan.tools.by_name:
            return None
        return Attempt(end, (item,))

    def _block(self, scan: Scanner, start: int, at: int, opener: str) -> Step[Attempt | None]:
        repairs = () if opener in self.canonical or not self.canonical else (self.loose,)
        items: list[Item] = []
        begin = start
        while True:
            at = yield from self._skip(scan, at)
            close = yield from scan.literal(at, *self.shape.wrapper_closes)
            if close >= 0:
                if items:
                    items[-1] = stretch(scan, items[-1], close)
                return Attempt(close, tuple(items))
            if at >= len(scan.text) and begin == start:
                return self._nothing(scan, start, at)
            if (yield from scan.literal(at, *self.shape.call_starts)) < 0:
                break
            scan.early(items)
            found = yield from self._one(scan, begin, at, repairs, canonical=True, wrapped=True)
            if found is None:
                break
            item, at = found
            items.append(item)
            begin = at
        if begin == start:
            return (yield from self._other(scan, start, at))
        half = scan.closed and any(mark.startswith(scan.tail(at).lower()) for mark in self.shape.wrapper_closes)
        end = len(scan.text) if half else begin
        optional = self.close_optional and (half or at >= len(scan.text))
        if items and isinstance(items[-1], ParsedCall) and not optional:
            items[-1] = stretch(scan, items[-1], end, "missing_close_tag")
        return Attempt(end, tuple(items))

    def _skip(self, scan: Scanner, at: int) -> Step[int]:
        """Pass white space and tokens that say nothing."""
        while True:
            at = yield from scan.space(at)
            past = (yield from scan.literal(at, *self.skips)) if self.skips else -1
            if past < 0:
                return (yield from self._named_before(scan, at))
            at = past

    @staticmethod
    def _named_before(scan: Scanner, at: int) -> Step[int]:
        """Pass a name that stands before the tag, which says it again."""
        yield from scan.at_least(at)
        return at

    @staticmethod
    def _nothing(scan: Scanner, start: int, at: int) -> Attempt | None:
        if scan.prose.mentioned():
            return None
        return Attempt(at, (report("truncated", scan.span(start, at), "The reply ends where a call begins."),))

    def _other(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """The block holds no call: an attempt only if it is closed."""
        rest = scan.tail(at)
        if scan.closed and rest and any(mark.startswith(rest.lower()) for mark in self.shape.call_starts):
            return self._nothing(scan, start, len(scan.text))
        found = yield from scan.find(at, *self.shape.wrapper_closes, *self.wrappers)
        if found is None or scan.text[found[0] : found[1]].lower() not in self.shape.wrapper_closes:
            return None
        message = "What stands between the markers is no call."
        return Attempt(found[1], (report("bad_json", scan.span(start, found[1]), message),))

    def _one(
        self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], *, canonical: bool, wrapped: bool = False
    ) -> Step[tuple[Item, int] | None]:
        found = yield from read_call(
            scan, start, at, self.shape, canonical=canonical, form=self.format, repairs=repairs, wrapped=wrapped
        )
        if found is None:
            return None
        draft, end = found
        if isinstance(draft, ParseProblem):
            return draft, end
        codes = tuple(self.loose if code == "near_miss_tag" else code for code in draft.repairs)
        item = settle(draft._replace(repairs=codes), scan.tools)
        return None if item is None else (item, end)


_JUNK = r"^(?-i:[a-z][a-z_:]{0,23})"
_ANTHROPIC = {"<function_calls>": "</function_calls>", "<" + "antml:function_calls>": "</" + "antml:function_calls>",
              "<tool_use>": "</tool_use>"}  # fmt: skip


class AnthropicXml(Invoke):
    """The grammar of older Claude prompts."""

    format = "anthropic_xml"
    wrappers = _ANTHROPIC
    canonical = tuple(_ANTHROPIC)[:2]
    shape = invoke_shape("", ("antml:", "anthropic:"), _ANTHROPIC)
    close_optional = True

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a lone word on the line before a tag: what is left of the block's garbled opener."""
        tags = "|".join(map(re.escape, self.shape.call_starts))
        hold = rf"{_JUNK}(?:[ \t]{{1,4}})?(?:\r?(?:\n\s{{0,4}}(?:{prefix_regex(self.shape.call_starts)})?)?)?"
        return (("junk", rf"{_JUNK}[ \t]{{0,4}}\r?\n\s{{0,4}}(?={tags})", hold),)


_M2 = {"<minimax:tool_call>": "</minimax:tool_call>", "<minimax:tool_calls>": "</minimax:tool_calls>"}


class MiniMaxM2(Invoke):
    """The grammar of MiniMax M2."""

    format = "minimax_m2"
    wrappers = _M2
    canonical = ("<minimax:tool_call>",)
    shape = invoke_shape("", ("minimax:",), _M2)
    turn_tokens = (*Grammar.turn_tokens, "[e~[", "]~b]ai", "]~!b[")
    result_markers = (*Grammar.result_markers, "]~b]tool")


_SPACES = ("|DSML|", "||DSML||", "｜｜DSML｜｜", "‖DSML‖", "DSML:", "")
_DSML = {
    f"<{space}{block}>": f"</{space}{block}>"
    for space in ("｜DSML｜", *_SPACES)
    for block in ("function_calls", "tool_calls")
}


class DeepSeekDsml(Invoke):
    """The grammar of DeepSeek V3.2 and V4."""

    format = "deepseek_dsml"
    wrappers = _DSML
    canonical = tuple(_DSML)[:2]
    shape = invoke_shape("｜DSML｜", _SPACES, _DSML)
    loose = "wrong_width_pipe"


_STEP_TOKENS = (
    "<｜tool_call_begin｜>", "<｜tool_sep｜>", "<｜tool_call_end｜>", "<|tool_call_begin|>", "<|tool_sep|>", "<|tool_call_end|>",
)  # fmt: skip
_STEP = {"<｜tool_calls_begin｜>": "<｜tool_calls_end｜>", "<|tool_calls_begin|>": "<|tool_calls_end|>"}


class Step3(Invoke):
    """The grammar of Step 3."""

    format = "step3"
    wrappers = _STEP
    canonical = ("<｜tool_calls_begin｜>",)
    shape = invoke_shape("steptml:", ("",), _STEP, between=_STEP_TOKENS)
    skips = (*_STEP_TOKENS, "function")
    loose = "wrong_width_pipe"

    @staticmethod
    def _named_before(scan: Scanner, at: int) -> Step[int]:
        """The name may stand on a line between the separator and the tag."""
        found = yield from scan.within(at, 160, "\n", "<")
        if found is None or not NAME.fullmatch(scan.text[at : found[0]].strip()):
            return at
        after = yield from scan.space(found[0])
        return after if (yield from scan.literal(after, "<steptml:", "<invoke ")) >= 0 else at


class MiniCpm5(Invoke):
    """The grammar of MiniCPM 5."""

    format = "minicpm5"
    shape = invoke_shape(
        "", (), {}, call="function", param="param", cdata=True, inner=("<arguments>", "</arguments>"),
        heads=(" ", "name", f"{BLANK}name", f"{BLANK.lower()}name"),
    )  # fmt: skip
    bare_is_call = True

    def _bare(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """Read a tag alone; values in attributes, and types beside them, are a repair."""
        if (yield from typed_element(scan, at)):
            found = yield from read_functions(scan, start, at, self.format, ("near_miss_tag",))
            return Attempt(found[1], tuple(found[0])) if found else None
        return (yield from super()._bare(scan, start, at, kind))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def writer(opener: str, closer: str, space: str = "", gap: str = "\n") -> Callable[[Sequence[ParsedCall]], str]:
    """Return the function that writes calls as one block."""

    def write(calls: Sequence[ParsedCall]) -> str:
        parts = []
        for call in calls:
            parameters = "".join(
                f'<{space}parameter name="{key}">{_text(value)}</{space}parameter>{gap}'
                for key, value in call.arguments.items()
            )
            parts.append(f'<{space}invoke name="{call.name}">{gap}{parameters}</{space}invoke>{gap}')
        return f"{opener}{gap}{''.join(parts)}{closer}"

    return write


def write_dsml(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one block of V3.2; each value says whether it is text."""
    parts = []
    for call in calls:
        parameters = "".join(
            f'<｜DSML｜parameter name="{key}" string="{str(isinstance(value, str)).lower()}">{_text(value)}</｜DSML｜parameter>\n'
            for key, value in call.arguments.items()
        )
        parts.append(f'<｜DSML｜invoke name="{call.name}">\n{parameters}</｜DSML｜invoke>\n')
    return f"<｜DSML｜function_calls>\n{''.join(parts)}</｜DSML｜function_calls>"


def write_step(calls: Sequence[ParsedCall]) -> str:
    """Write calls in their tokens."""
    inner = writer("", "", "steptml:", "")
    body = "".join(f"<｜tool_call_begin｜>function<｜tool_sep｜>{inner([call])}<｜tool_call_end｜>" for call in calls)
    return f"<｜tool_calls_begin｜>{body}<｜tool_calls_end｜>"


def write_minicpm(call: ParsedCall) -> str:
    """Write one call; values that look like tags go into CDATA."""
    parameters = ""
    for key, value in call.arguments.items():
        text = _text(value)
        parameters += f'<param name="{key}">{f"<![CDATA[{text}]]>" if "<" in text or chr(10) in text else text}</param>'
    return f'<function name="{call.name}">{parameters}</function>'


def result_functions(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result as Claude's older prompts do."""
    return f"<function_results>\n<result>{result_json(result)}</result>\n</function_results>"


def result_response(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result as MiniMax does."""
    return f"<response>{result_json(result)}</response>"


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
        write_call=lambda call: write_dsml([call]), write_calls=write_dsml, write_result=result_functions,
        special_tokens=True,
    ),
    FormatSpec(
        id="minimax_m2", family="invoke", models="MiniMax M2, 2.1, 2.5, 2.7", grammar=MiniMaxM2(),
        write_call=lambda call: _write_m2([call]), write_calls=_write_m2, write_result=result_response,
        stop_sequences=("[e~[",),
        marker_shapes=minimax_markers,
    ),
    FormatSpec(
        id="anthropic_xml", family="invoke", models="older Claude prompts, leaks from gateways", grammar=AnthropicXml(),
        write_call=lambda call: _write_anthropic([call]), write_calls=_write_anthropic, write_result=result_functions,
        stop_sequences=("</function_calls>",),
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

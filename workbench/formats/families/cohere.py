"""Cohere's Command models.

    <|START_THINKING|>plan<|END_THINKING|><|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather",
      "parameters": {"city": "Rome"}}]<|END_ACTION|>                                              command_a: R7B, A, Reasoning, North

    Action: ```json
    [{"tool_name": "get_weather", "parameters": {"city": "Rome"}}]```                             command_r: R, R+ (2024)

    <cofl:tool_calls><cofl:tool_call id="0" name="get_weather"><cofl:tool_param name="city" string="true">Rome</cofl:tool_param>
      <cofl:tool_param name="days" string="false">3</cofl:tool_param></cofl:tool_call></cofl:tool_calls>      cohere_xml: the fifth template,
      or nested: <cofl:value name="city" type="raw">Rome</cofl:value><cofl:value name="tags" type="list"><cofl:value type="raw">a</cofl:value></cofl:value>

The tool `directly-answer` means no call. Answers stand between START_RESPONSE (or START_TEXT) and its end. In the tags,
`string` says whether a value is text or JSON; one template escapes `<`, `>` and `&` in values, another does not: text in
which a `<` stands is not escaped. Nested values are `raw` text, `json`, a `dict` of named ones, or a `list` of nameless ones.
Source: the models' chat templates, cohere-ai/melody's templates and parser, mlc-ai/xgrammar's structural tags.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from workbench.core.calls import ParsedCall
from workbench.formats.kit.bent_close import without_close
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, report, settle
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import REASONING, Attempt, Grammar
from workbench.formats.kit.invoke_tags import Invoke, as_text, invoke_shape
from workbench.formats.kit.loose_json import MAX_DEPTH, read_json
from workbench.formats.kit.markers import BARRIER, Marker, MarkerShape
from workbench.formats.kit.openers import Openers, prefix_regex
from workbench.formats.kit.prefix_patterns import cls, lit, seq
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.tag_json import TagJson
from workbench.formats.kit.tagged_parameter import whole_tag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParseProblem
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_ENVELOPE = Envelope("tool_name", ("parameters",), "tool_call_id", silent=("directly-answer", "directly_answer"))
_CITATIONS = ("drop", r"</?co(?::[^<>\n]{0,64})?>", r"</?(?:c(?:o(?::[^<>\n]{0,64})?)?)?")
"""Marks around cited words: `<co>…</co: 0:[1]>`, in older models `<co: 0>…</co: 0>`."""

_LISTED = r"""\[\s{0,9}(?=\{\s{0,9}"tool_call_id"\s{0,4}:)"""
_LISTED_PART = rf"""\[\s{{0,9}}(?:\{{\s{{0,9}}(?:{prefix_regex(('"tool_call_id" ',))})?\s{{0,4}})?"""


class _Cohere(TagJson):
    """What both have in common."""

    envelope = _ENVELOPE
    lists = True
    reach = 72

    @cached_property
    def nested(self) -> Openers:
        """Marks of citations begin no call."""
        return Openers(
            self.literals(),
            [item for item in self.patterns() if item[0] != "drop"],
            reach=self.reach,
            spots=self._spots,
        )


class CommandA(_Cohere):
    """The grammar of the newer models."""

    format = "command_a"
    opens = ("<|START_ACTION|>",)
    closes = ("<|END_ACTION|>",)
    spots = "<["
    reasoning: Mapping[str, str] = {**REASONING, "<|START_THINKING|>": "<|END_THINKING|>"}
    turn_tokens = (
        *Grammar.turn_tokens, "<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>",
        "<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>",
    )  # fmt: skip
    result_markers = (*Grammar.result_markers, "<|START_TOOL_RESULT|>")

    bare_start = True

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a list that lost its tokens, and for the marks of citations."""
        return (("unopened", _LISTED, _LISTED_PART), _CITATIONS)


class CommandR(_Cohere):
    """The grammar of the older models: a label and a fenced list."""

    format = "command_r"
    reads = ("label",)
    spots = ":<"
    near_misses: Mapping[str, str] = {}
    result_markers = (*Grammar.result_markers, "<results>")
    turn_tokens = CommandA.turn_tokens

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for the label before a fence or a list."""
        hold = (
            "^[ \t]{0,4}(?:"
            + "".join(f"{char}(?:" for char in "actio")
            + r"n(?:\s{0,4}(?::\s{0,4}(?:`{1,3}[a-z]{0,4}\s{0,4})?)?)?"
            + ")?" * 5
            + ")"
        )
        answers = prefix_regex(("grounded answer: ", "answer: "))
        return (
            ("label", r"^[ \t]{0,4}Action\s{0,4}:\s{0,4}(?:```(?:json)?\s{0,4})?(?=[\[{])", hold),
            ("drop", rf"^(?:Grounded answer|Answer):|{_CITATIONS[1]}", rf"^(?:{answers})|{_CITATIONS[2]}"),
        )

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read the list after the label."""
        start, at = match.span()
        fenced = "`" in match.group()
        match = None  # type: ignore[assignment]
        if kind != "label":
            return (yield from super().read(scan, match, kind))
        attempt = yield from self._body(scan, start, at, "call")
        if attempt is None or not fenced:
            return attempt
        after = yield from scan.space(attempt.end)
        close = yield from scan.literal(after, "```")
        return attempt._replace(end=close) if close >= 0 else attempt


_BLOCK = {"<cofl:tool_calls>": "</cofl:tool_calls>"}
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class CohereXml(Invoke):
    """The grammar of tags."""

    format = "cohere_xml"
    name_shapes = (rf"""<cofl:tool_call\s[^<>]{{0,80}}?\bname="{CALL_NAME}"(?=[^<>]{{0,80}}>)""",)
    wrappers = _BLOCK
    canonical = tuple(_BLOCK)
    own_tags = True
    shape = replace(
        invoke_shape("cofl:", (), _BLOCK, call="tool_call", param="tool_param"),
        call_exact=re.compile(r'<cofl:tool_call(?:\s+id="[^"<>]*")?\s+name="[^"<>]+"\s*>'),
    )
    reasoning: Mapping[str, str] = CommandA.reasoning
    turn_tokens = CommandA.turn_tokens
    result_markers = (*CommandA.result_markers, "<cofl:tool_results>")

    def inside(self) -> tuple[str, ...]:
        """Tags of flat and of nested values."""
        return (*super().inside(), "<cofl:value ")

    def _one(
        self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], *, canonical: bool, wrapped: bool = False
    ) -> Step[tuple[ParsedCall | ParseProblem, int] | None]:
        tag = yield from whole_tag(scan, at, self.shape.call_open)
        inside = (yield from scan.space(tag)) if tag is not None and tag > 0 else -1
        if tag is not None and inside >= 0 and (yield from scan.literal(inside, "<cofl:value ")) >= 0:
            return (yield from self._nested(scan, start, at, (tag, inside), repairs, canonical=canonical))
        found = yield from super()._one(scan, start, at, repairs, canonical=canonical, wrapped=wrapped)
        if found is None or not isinstance(found[0], ParsedCall):
            return found
        return found[0]._replace(arguments=_plain(found[0].arguments)), found[1]

    def _nested(
        self, scan: Scanner, start: int, at: int, inside: tuple[int, int], repairs: tuple[str, ...], *, canonical: bool
    ) -> Step[tuple[ParsedCall | ParseProblem, int] | None]:
        """Read a call whose tag stands at `at`, and its nested values behind that (`inside`: where it ends, and they begin)."""
        tag = self.shape.call_open.match(scan.text, at)
        assert tag is not None
        name, name_at = tag["name"].strip("\"'"), scan.text.index(tag["name"].strip("\"'"), tag.start("name"))
        repairs += () if self.shape.call_exact.match(scan.text, at) else ("near_miss_tag",)
        tag = None
        if not canonical and scan.tools.resolve(name).tool is None:
            return None
        found = yield from scan.find(inside[0], *self.shape.call_closes, *self.shape.wrapper_closes)
        stop, end = found or (len(scan.text), len(scan.text))
        values = _Values(scan.text[inside[0] : stop])
        if values.error or (found is None and scan.cut_short):
            code = "truncated" if found is None else "bad_json"
            message = f"The nested values of {name!r} cannot be read."
            return report(code, scan.span(start, end), message, name=name), end
        if found is None or scan.text[stop:end].lower() not in self.shape.call_closes:
            end, repairs = stop, (*repairs, "missing_close_tag")
        draft = Draft(
            name, values.found, scan.span(start, end), scan.span(name_at, name_at + len(name)), scan.span(inside[1], stop),
            repairs=(*repairs, *values.repairs), canonical=canonical, format=self.format,
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return None if item is None else (item, end)


_VALUE = re.compile(r"<(?P<blank>\s*)cofl:value(?P<attributes>(?:\s[^<>]{0,400})?)>")
_VALUE_CLOSE = re.compile(r"</\s*cofl:value\s*>")
_VALUE_END = re.compile(rf"{_VALUE_CLOSE.pattern}|<\s*cofl:value\s")
_ATTRIBUTE = re.compile(r"""\b(name|type)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""")
_SPACE = re.compile(r"\s*+")


class _Values:
    """The nested values in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: dict[str, Any] = {}
        self.repairs: list[str] = []
        self.error = not self._read()

    def _read(self) -> bool:
        """Read all of them; False where something else stands there, or one is not closed."""
        at, open_ones = 0, [cast("dict[str, Any] | list[Any]", self.found)]
        while (at := _SPACE.match(self.text, at).end()) < len(self.text):  # type: ignore[union-attr]
            if (close := _VALUE_CLOSE.match(self.text, at)) is not None and len(open_ones) > 1:
                open_ones.pop()
                at = close.end()
                continue
            tag = _VALUE.match(self.text, at)
            if tag is None or len(open_ones) > MAX_DEPTH:
                return False
            self.repairs += ["near_miss_tag"] if tag["blank"] else []
            said = {one[1]: one[2] or one[3] or "" for one in _ATTRIBUTE.finditer(tag["attributes"])}
            kind, value, at = said.get("type", ""), cast("Any", {}), tag.end()
            if kind in ("dict", "list"):
                value = {} if kind == "dict" else []
            else:
                inside = self._inside(tag.group(), at)
                if inside is None:
                    return False
                text, at = inside
                value = self._leaf(text, kind)
            if not self._keep(open_ones[-1], said.get("name"), value):
                return False
            if kind in ("dict", "list"):
                open_ones.append(value)
        return len(open_ones) == 1

    def _inside(self, tag: str, at: int) -> tuple[str, int] | None:
        """Return what stands behind a tag and where to go on: no value holds such a tag, so that one opens the next value."""
        begin = _SPACE.match(self.text, at).end()  # type: ignore[union-attr]
        if self.text.startswith(tag, begin):  # it is written twice
            self.repairs.append("near_miss_tag")
            at = begin + len(tag)
        end = _VALUE_END.search(self.text, at)
        if end is None or end.group(0)[1] == "/":
            return (self.text[at : end.start()], end.end()) if end is not None else None
        text, bent = without_close(self.text[at : end.start()], "</cofl:value>")
        self.repairs += ("missing_close_tag", *(("near_miss_tag",) if bent else ()))
        return text, end.start()

    def _leaf(self, text: str, kind: str) -> Any:
        """Return a text, or what it says as JSON; without a kind it is text."""
        if kind != "json":
            self.repairs += ["near_miss_tag"] if kind != "raw" else []
            return _plain(text)
        bare = text.strip()
        read = read_json(bare + " ", 0) if bare else None
        if read is not None and (read.error or read.end < len(bare)):
            self.repairs.append("schema_coerced")
            return _plain(text)
        self.repairs += read.repairs if read is not None else ()
        return None if read is None else _plain(read.value)

    def _keep(self, into: dict[str, Any] | list[Any], name: str | None, value: Any) -> bool:
        """Keep a member; False where it has no name in an object, or has one in a list."""
        if isinstance(into, list):
            into.append(value)
            return name is None
        if name is None:
            return False
        key = _plain(name)
        self.repairs += ["name_dup"] if key in into and into[key] != value else []
        into[key] = value
        return True


def _plain(value: Any) -> Any:
    """A value without its entities; text with a `<` in it has none."""
    if isinstance(value, str):
        return value if "<" in value else _ENTITY.sub(lambda found: _ENTITIES[found.group()], value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def write_a(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one list."""
    items = [
        {"tool_call_id": str(number), "tool_name": call.name, "parameters": call.arguments}
        for number, call in enumerate(calls)
    ]
    return f"<|START_ACTION|>{compact(items)}<|END_ACTION|>"


def write_r(calls: Sequence[ParsedCall]) -> str:
    """Write calls as a fenced list."""
    items = [{"tool_name": call.name, "parameters": call.arguments} for call in calls]
    return f"Action: ```json\n{compact(items)}```"


def result_a(call: ParsedCall, result: ToolResult) -> str:
    """Write one result with its id."""
    body = {"tool_call_id": call.id, "results": {"0": result.to_json()}, "is_error": None if result.success else True}
    return f"<|START_TOOL_RESULT|>{compact([body])}<|END_TOOL_RESULT|>"


def result_r(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result."""
    return f"<results>\n{compact(result.to_json())}\n</results>"


def write_xml(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one block, values escaped."""
    return f"<cofl:tool_calls>{''.join(_written(number, call) for number, call in enumerate(calls))}</cofl:tool_calls>"


def _written(number: int, call: ParsedCall) -> str:
    parameters = "".join(
        f'<cofl:tool_param name="{key}" string="{str(isinstance(value, str)).lower()}">{as_text(value).translate(_ESCAPED)}</cofl:tool_param>'
        for key, value in call.arguments.items()
    )
    return f'<cofl:tool_call id="{number}" name="{call.name}">{parameters}</cofl:tool_call>'


def result_xml(call: ParsedCall, result: ToolResult) -> str:
    """Write one result with its id."""
    failed = str(not result.success).lower()
    item = f'<cofl:tool_result_item index="0">{compact(result.to_json())}</cofl:tool_result_item>'
    return f'<cofl:tool_results><cofl:tool_result id="{call.id}" is_error="{failed}">{item}</cofl:tool_result></cofl:tool_results>'


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The tags of values, flat and nested ones."""
    attributes = seq(cls(rf"[^<>\n{BARRIER}]", 0, 200), lit(">"))
    return tuple(
        shape
        for word in ("cofl:tool_param", "cofl:value")
        for shape in (
            MarkerShape(f"<{word}", seq(lit(f"<{word} "), attributes), Marker("open", word, "value")),
            MarkerShape(f"</{word}", lit(f"</{word}>"), Marker("close", word)),
        )
    )


FORMATS = (
    FormatSpec(
        id="command_a", family="cohere", models="Command R7B, A, A Reasoning, North", grammar=CommandA(),
        write_call=lambda call: write_a([call]), write_calls=write_a, write_result=result_a,
        special_tokens=True,
    ),
    FormatSpec(
        id="command_r", family="cohere", models="Command R, R+ (2024)", grammar=CommandR(),
        write_call=lambda call: write_r([call]), write_calls=write_r, write_result=result_r,
    ),
    FormatSpec(
        id="cohere_xml", family="cohere", models="Command models that write calls as tags", grammar=CohereXml(),
        write_call=lambda call: write_xml([call]), write_calls=write_xml, write_result=result_xml, special_tokens=True,
        marker_shapes=marker_shapes,
    ),
)  # fmt: skip

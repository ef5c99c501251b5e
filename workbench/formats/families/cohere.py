"""Cohere's Command models.

    <|START_THINKING|>plan<|END_THINKING|><|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather",
      "parameters": {"city": "Rome"}}]<|END_ACTION|>                                              command_a: R7B, A, Reasoning, North

    Action: ```json
    [{"tool_name": "get_weather", "parameters": {"city": "Rome"}}]```                             command_r: R, R+ (2024)

    <cofl:tool_calls><cofl:tool_call id="0" name="get_weather"><cofl:tool_param name="city" string="true">Rome</cofl:tool_param>
      <cofl:tool_param name="days" string="false">3</cofl:tool_param></cofl:tool_call></cofl:tool_calls>      cohere_xml: the fifth template

The tool `directly-answer` means no call. Answers stand between START_RESPONSE (or START_TEXT) and its end. In the tags,
`string` says whether a value is text or JSON; one template escapes `<`, `>` and `&` in values, another does not: text in
which a `<` stands is not escaped. A third one nests its values (`cofl:value`); such a call is told, and not read.
Source: the models' chat templates, cohere-ai/melody's templates and parser, mlc-ai/xgrammar's structural tags.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParsedCall
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import report
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import REASONING, Attempt, Grammar
from workbench.formats.kit.invoke_tags import Invoke, as_text, invoke_shape
from workbench.formats.kit.openers import Openers, prefix_regex
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.tag_json import TagJson

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

    def _one(
        self, scan: Scanner, start: int, at: int, repairs: tuple[str, ...], *, canonical: bool, wrapped: bool = False
    ) -> Step[tuple[ParsedCall | ParseProblem, int] | None]:
        found = yield from super()._one(scan, start, at, repairs, canonical=canonical, wrapped=wrapped)
        if found is None or not isinstance(found[0], ParsedCall):
            return found
        call = found[0]
        if any(
            isinstance(value, str) and value.lstrip().startswith("<cofl:value ") for value in call.arguments.values()
        ):
            message = f"The values of {call.name!r} are nested, which this format does not read."
            return report("bad_json", call.span, message, name=call.name), found[1]
        return call._replace(arguments=_plain(call.arguments)), found[1]


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
    ),
)  # fmt: skip

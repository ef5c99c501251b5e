"""Functionary v3.2: the recipient on a line after three angles, JSON below it.

    >>>get_weather
    {"city": "Rome"}

`>>>all` is text for the user; below `>>>python` stands program text as it is, the argument `code`. The prompt ends with the angles, so a reply may begin with the recipient alone.
Source: the chat template of functionary-small-v3.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import ParseProblem
from workbench.formats.kit.call_progress import CALL_NAME
from workbench.formats.kit.calls import Draft, report, settle
from workbench.formats.kit.grammar import TURN_TOKENS, Attempt, Grammar
from workbench.formats.kit.markdown_escapes import escaped_name
from workbench.formats.kit.markers import Marker, MarkerShape
from workbench.formats.kit.named_json import Head, read_named
from workbench.formats.kit.prefix_patterns import cls, lit, opt, seq
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.toolset import only_text

if TYPE_CHECKING:
    import re

    from workbench.core.calls import ParsedCall
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_NAME, _NAME_HELD = escaped_name()
"""A recipient, and all that may become one."""


class Functionary(Grammar):
    """The grammar."""

    format = "functionary_v32"
    name_shapes = (
        rf">>>\s{{0,9}}{CALL_NAME}(?=\s{{0,9}}\n)",
        rf"\A{CALL_NAME}(?=[ \t]{{0,9}}\r?\n\s{{0,9}}\{{)",
    )
    reach = 96
    turn_tokens = (*Grammar.turn_tokens, "<|start_header_id|>assistant<|end_header_id|>")

    def inside(self) -> tuple[str, ...]:
        """A recipient's line that names none."""
        return (">>>\n{",)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a recipient's line; without angles only at the very beginning."""
        return (
            ("angles", rf">>>[ \t]{{0,2}}{_NAME}[ \t]{{0,2}}(?:\r?\n|(?=\{{))", rf">{{1,3}}(?:[ \t]{{0,2}}(?:{_NAME_HELD}[ \t]{{0,2}}\r?)?)?"),
            ("first", rf"\A\s{{0,2}}{_NAME}\r?\n(?=\s{{0,8}}\{{)|\A\s{{0,2}}(?:all|python)\r?\n", rf"\A\s{{0,2}}(?:{_NAME_HELD}(?:\r?(?:\n\s{{0,8}})?)?)?"),
        )  # fmt: skip

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read what the recipient gets."""
        start, at = match.span()
        name = match.group().strip(">\r\n\t ")
        name_at = start + match.group().index(name)
        match = None  # type: ignore[assignment]
        if kind == "first" and scan.base:
            return None
        if name == "all":
            return Attempt(at)
        body = yield from scan.space(at)
        while kind == "angles" and (again := (yield from scan.literal(body, f">>>{name}"))) >= 0:
            after = yield from scan.space(again)
            if after < len(scan.text) and "\n" not in scan.text[again:after] and scan.text[after] != "{":
                break  # a longer name
            scan.owed, body = ("name_dup",), after
        if body >= len(scan.text) and kind == "angles":
            return Attempt(
                body, (report("truncated", scan.span(start, body), f"The call of {name!r} is cut off.", name=name),)
            )
        yield from scan.at_least(body + 2)
        if not scan.text.startswith(("{", '"{'), body):
            return (yield from self._text(scan, Head(start, name, name_at, self.format), body, kind))
        item, end = yield from read_named(
            scan,
            Head(
                start,
                name,
                name_at,
                self.format,
                kind == "angles" or not scan.tools.declared or name in scan.tools.by_name,
            ),
            body,
            (">>>",),
        )
        if item is None or (kind == "first" and isinstance(item, ParseProblem) and item.name not in scan.tools.by_name):
            return None
        return Attempt(end, (item,))

    @staticmethod
    def _text(scan: Scanner, head: Head, at: int, kind: str) -> Step[Attempt | None]:
        """What stands below is no JSON: program text for `python`, or the one text that a tool wants."""
        tool = scan.tools.resolve(head.name).tool
        names = (tool.spec.required or list(tool.properties)) if tool is not None else ["code"]
        known = tool.wants_text(names[0]) if tool is not None and len(names) == 1 else tool is None
        if not known or (tool is None and (scan.tools.declared or head.name != "python")):
            if kind != "angles":
                return None
            message = f"No JSON follows {head.name!r}."
            return Attempt(at, (report("args_not_object", scan.span(head.start, at), message, name=head.name),))
        found = yield from scan.find(at, ">>>", *TURN_TOKENS)
        end = at + len(scan.text[at : found[0] if found else len(scan.text)].rstrip())
        if found is None and scan.cut_short:
            message = f"The call of {head.name!r} is cut off."
            return Attempt(end, (report("truncated", scan.span(head.start, end), message, name=head.name),))
        if end <= at:
            message = f"Nothing follows {head.name!r}."
            return Attempt(at, (report("args_not_object", scan.span(head.start, at), message, name=head.name),))
        if tool is not None and not only_text(tool, scan.text[at:end]):
            message = f"The arguments of {head.name!r} are no JSON object."
            return Attempt(end, (report("args_not_object", scan.span(head.start, end), message, name=head.name),))
        name_span = scan.span(head.name_at, head.name_at + len(head.name))
        nothing = tool is not None and scan.text[at:end] == "null"
        draft = Draft(
            head.name, None if nothing else {names[0]: scan.text[at:end]}, scan.span(head.start, end), name_span,
            scan.span(at, end), format=head.form,
            repairs=() if nothing or head.name == "python" else ("schema_coerced", "text_as_argument"),
        )  # fmt: skip
        item = settle(draft, scan.tools)
        return Attempt(end, (item,)) if item is not None else None


def write_call(call: ParsedCall) -> str:
    """Write one call under its recipient."""
    return f">>>{call.name}\n{compact(call.arguments)}"


def marker_shapes() -> tuple[MarkerShape, ...]:
    """The angles with the recipient's line."""
    name = seq(cls("[A-Za-z_]", 1, 1), cls(r"[\w.:\-]", 0, 80), cls(r"[ \t]", 0, 4), opt(lit("\r")), lit("\n"))
    return (MarkerShape(">>>", seq(lit(">>>"), name), _means),)


def _means(text: str) -> Marker:
    return Marker("mark") if text.strip() == ">>>all" else Marker("open", "bare", "call")


FORMATS = (
    FormatSpec(
        id="functionary_v32", family="functionary", models="Functionary v3.2", grammar=Functionary(),
        write_call=write_call,
        marker_shapes=marker_shapes,
    ),
)  # fmt: skip

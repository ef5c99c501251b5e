"""`<tool_call>` with a JSON object inside: Qwen 2.5 and 3, Hermes 2 Pro to 4, Granite 4, ERNIE 4.5 and many more.

    <tool_call>
    {"name": "get_weather", "arguments": {"city": "Rome"}}
    </tool_call>

Results come back in a user turn as `<tool_response>…</tool_response>`. Source: the chat templates of Qwen2.5 and Hermes.
The prompt's sentence and its one-line example are those of requirement K4.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.code_behind import with_code
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.named_json import Head, read_named, stretch
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.toolcall_tag import ToolCallTag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult, ToolSpec
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


_NAMED = re.compile(
    r"""<function(?:\s?=\s?|\s{1,4}name\s?=\s?)["']?(?P<name>[\w.\-]{1,64})["']?\s?>\s{0,9}""", re.IGNORECASE
)
_WRAPPERS = ("<response>", "<json>", "<xml>")
"""Tags that say nothing: around an object that names a declared tool they are those of a call."""


class QwenXml(ToolCallTag):
    """The grammar, with the forms that Hermes models fall back to."""

    format = "qwen_xml"
    reads = ("function", "wrapped")
    bare_start = True
    reach = 128

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a name in a tag before its arguments, and for an object in a tag that says nothing."""
        word = r"""["']?[\w.\-]{0,64}["']?\s?>?\s{0,9}"""
        begun = rf"<function\s{{0,4}}(?:n(?:a(?:m(?:e\s?)?)?)?)?|{prefix_regex(['<function'])}"
        wraps, key = "|".join(_WRAPPERS), prefix_regex(['"name"'])
        return (
            *super().patterns(),
            ("function", rf"{_NAMED.pattern.replace('(?P<name>', '(?:')}(?=\{{|<parameter)", rf"<function(?:\s?=\s?|\s{{1,4}}name\s?=\s?){word}(?:{prefix_regex(['<parameter'])})?|{begun}"),
            ("wrapped", rf'(?:{wraps})\s{{0,9}}(?=\{{\s{{0,9}}"name")', rf"(?:{wraps})\s{{0,9}}(?:\{{\s{{0,9}}(?:{key})?)?|{prefix_regex(_WRAPPERS)}"),
        )  # fmt: skip

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body."""
        if kind not in ("function", "wrapped"):
            return (yield from with_code(scan, (yield from super().read(scan, match, kind))))
        start, at, opener = match.start(), match.end(), match.group()
        match = None  # type: ignore[assignment]
        if kind == "function":
            found = _NAMED.match(opener)
            assert found is not None
            if scan.tools.resolve(found["name"]).tool is None:
                return None
            if scan.text[at] == "<":
                return (yield from self._coder(scan, start, start, "bare"))
            head = Head(start, found["name"], start + found.start("name"), self.format, False, ("wrong_family",))
            item, end = yield from read_named(scan, head, at, ("</function>",))
            attempt = Attempt(end, (item,)) if item is not None else None
        else:
            attempt = yield from self._json(scan, start, at, ("missing_open_tag",), "near")
        if attempt is None or attempt.as_text or not attempt.items:
            return attempt
        closer = "</function>" if kind == "function" else opener.rstrip().replace("<", "</")
        close = yield from scan.literal((yield from scan.space(attempt.end)), closer)
        last = stretch(
            scan, attempt.items[-1], max(close, attempt.end), *(() if close >= 0 else ("missing_close_tag",))
        )
        return Attempt(max(close, attempt.end), (*attempt.items[:-1], last))


def write_call(call: ParsedCall) -> str:
    """Write one call in its tag."""
    return f"<tool_call>\n{compact({'name': call.name, 'arguments': call.arguments})}\n</tool_call>"


def write_result(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result in its tag."""
    return f"<tool_response>\n{result_json(result)}\n</tool_response>"


def teach(tools: Sequence[ToolSpec]) -> str:
    """Teach the format with the user's tools."""
    from workbench.formats.kit.prompt import sample_call, tool_prompt

    first = sample_call(tools[0])
    body = compact({"name": first.name, "arguments": first.arguments})
    return tool_prompt(
        tools,
        "IMPORTANT: When you need to use a tool, output EXACTLY this XML format:\n"
        '<tool_call>{"name": "tool_name", "arguments": {"param": "value"}}</tool_call>\n\n'
        f"Example - Call {first.name}:\n<tool_call>{body}</tool_call>\n\n"
        "Results come back as <tool_response>…</tool_response>. Never write a <tool_response> yourself.",
    )


FORMATS = (
    FormatSpec(
        id="qwen_xml", family="qwen_xml",
        models="Qwen2.5, Qwen3, QwQ, Hermes 2 Pro–4, Granite 4, ERNIE 4.5, Trinity, Bielik",
        grammar=QwenXml(), write_call=write_call, teach=teach, write_result=write_result,
        stop_sequences=("<tool_response>",),
    ),
)  # fmt: skip

"""Code behind a call's object, in a tag of its own: the code mode of Qwen-Agent's prompt.

    <tool_call>
    {"name": "code_interpreter", "arguments": {"code": ""}}
    <code>
    print(1)
    </code>
    </tool_call>

Source: the prompt and the reader of Qwen-Agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import Outcome, ParsedCall
from workbench.formats.kit.calls import report
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.named_json import stretch

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_CLOSE = "</tool_call>"


def with_code(scan: Scanner, attempt: Attempt | None) -> Step[Attempt | None]:
    """Return the attempt; if `code` is empty in its call and stands behind the object, with that."""
    item = attempt.items[-1] if attempt is not None and attempt.items else None
    if attempt is None or not isinstance(item, ParsedCall) or item.arguments.get("code") != "":
        return attempt
    begin = at = yield from scan.literal((yield from scan.space(attempt.end)), "<code>")
    if begin < 0:
        return attempt
    while (found := (yield from scan.find(at, "</code>"))) is not None:
        at = found[1]
        close = yield from scan.literal((yield from scan.space(at)), _CLOSE)
        if close >= 0:
            repairs = (*(code for code in item.repairs if code != "missing_close_tag"), "text_as_argument")
            arguments = {**item.arguments, "code": scan.text[begin : found[0]].strip("\r\n")}
            filled = item._replace(arguments=arguments, repairs=repairs, outcome=Outcome.RECOVERED)
            return Attempt(close, (*attempt.items[:-1], stretch(scan, filled, close)))
    end = len(scan.text)
    span = item.span._replace(end=scan.base + end)
    problem = report("truncated", span, f"The code of {item.name!r} is cut off.", name=item.name)
    return Attempt(end, (*attempt.items[:-1], problem))

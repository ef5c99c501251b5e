"""Tools that a pasted text calls, where nobody says which were offered: their names, out of what has the shape of a call.

<invoke name="get_weather">…     <function=get_weather>…     <get_weather><city>…</city></get_weather>
{"name": "get_weather", "arguments": {…}}     {"tool": …, "tool_input": …}     get_weather(city="Rome")
"""

from __future__ import annotations

import re

from workbench.core.tools import ToolSpec
from workbench.formats.sanitize import leaked_markers

_MOST = 8
_LOOKED_AT = 200_000
_NAME = r"[A-Za-z_][\w.:-]{0,63}"
_MARKED = re.compile(rf"<[^\s<>]{{0,24}}invoke\s[^<>]{{0,80}}?name\s*=\s*[\"']?({_NAME})|<function=({_NAME})\s*>")
_JSON = re.compile(rf"\"(?:name|tool|tool_name|action|function|function_name)\"\s*:\s*\"({_NAME})\"")
_JSON_ARGUMENTS = re.compile(
    r"\"(?:arguments|parameters|params|args|kwargs|input|tool_input|tool_args|action_input)\"\s*:\s*[\[{\"]"
)
_TAG = re.compile(rf"\A\s*<({_NAME})>\s*<({_NAME})>.*</\2>\s*</\1>\s*\Z", re.DOTALL)
_PYTHON = re.compile(rf"\A\s*(?:```\w*\s*)?\[?({_NAME})\((?:\s*[A-Za-z_]\w*\s*=.*)?\)\]?\s*(?:```)?\s*\Z", re.DOTALL)
_FENCED = re.compile(rf"```(?:py|python|tool_code)?[ \t]*\n\s*({_NAME})\((?:\s*[A-Za-z_]\w*\s*=[^`]*)?\)\s*```")
_PAGE = frozenset("html body head div p span table ul ol li a svg form section article main nav pre code xml".split())


def supposed_tools(text: str) -> tuple[ToolSpec, ...]:
    """Return a declaration for each name that is called in a text, of which nothing else is known; at most eight."""
    text = text[:_LOOKED_AT]
    names = [next(filter(None, found)) for found in _MARKED.findall(text)]
    if _JSON_ARGUMENTS.search(text):
        names += _JSON.findall(text)
    if (tag := _TAG.match(text)) is not None and not {tag[1].lower(), tag[2].lower()} & _PAGE:
        names.append(tag[1])
    if (call := _PYTHON.match(text) or _FENCED.search(text)) is not None:
        names.append(call[1])
    return tuple(ToolSpec(name) for name in list(dict.fromkeys(names))[:_MOST] if not leaked_markers(f"<{name}>"))

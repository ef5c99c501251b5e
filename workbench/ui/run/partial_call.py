"""Leaves of a call that is still being written, for the progress view only: which keys are there, which are complete."""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.ui.theme.translation import tr

LONGEST_LOOK = 16_384
"""Beyond this many characters only the size is shown while the call grows."""
_JSON_PAIR = re.compile(
    r'"(?P<key>(?:[^"\\]|\\.)*)"\s*:\s*(?P<value>"(?:[^"\\]|\\.)*(?P<end>"?)|\{[^{}]*(?P<brace>\}?)'
    r'|\[[^\[\]]*(?P<bracket>\]?)|[^\s,{}\["]+(?P<after>(?=[\s,}\]])|)?)',
    re.DOTALL,
)
_XML_PAIR = re.compile(
    r"<(?:parameter=(?P<plain>[^>\s]+)|parameter name=\"(?P<named>[^\"]*)\"[^>]*|arg_key>(?P<glm>[^<]*)</arg_key>\s*<arg_value)>"
    r"(?P<value>.*?)(?P<end></(?:parameter|arg_value)>|\Z)",
    re.DOTALL,
)


class Leaf(NamedTuple):
    """One argument while it is written."""

    key: str
    value: str
    """As written so far."""
    done: bool


def leaves(text: str) -> list[Leaf]:
    """Read what can be read of unfinished arguments; an empty list where the text is in no known shape."""
    if len(text) > LONGEST_LOOK:
        return [Leaf("…", tr("{length:,} characters", length=len(text)), False)]
    found = [_xml_leaf(match) for match in _XML_PAIR.finditer(text)]
    return found or [_json_leaf(match) for match in _JSON_PAIR.finditer(_inside(text))]


def _inside(text: str) -> str:
    """Skip the wrapper's own keys: the arguments begin after `"arguments": {` where that is there."""
    match = re.search(r'"(?:arguments|parameters|args|input)"\s*:\s*\{', text)
    return text[match.end() :] if match else text


def _json_leaf(match: re.Match[str]) -> Leaf:
    value = match["value"]
    if value.startswith('"'):
        done = bool(match["end"])
    elif value.startswith("{"):
        done = bool(match["brace"])
    elif value.startswith("["):
        done = bool(match["bracket"])
    else:
        done = match["after"] is not None and match.end() < len(match.string)
    return Leaf(match["key"], value, done)


def _xml_leaf(match: re.Match[str]) -> Leaf:
    key = match["plain"] or match["named"] or match["glm"] or ""
    return Leaf(key, match["value"].strip("\n"), bool(match["end"]))

"""Arguments as lines with a key and a value, the simplest of what YAML has.

    city: New York            content: |            tags:
    days: 3                     First line            - a
                                Second line           - b

Every key must be expected, and no line may be anything else: then a text is meant so.
"""

from __future__ import annotations

import json
import re
from textwrap import dedent
from typing import TYPE_CHECKING

from workbench.core.json_text import json_or

if TYPE_CHECKING:
    from collections.abc import Collection

_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w.\-]{1,64})(?P=quote):(?:[ \t]++(?P<rest>.*))?\Z""")
_BLOCK = re.compile(r"(?P<style>[|>])(?P<end>[+\-]?)\d?\Z")
_LONGEST = 500_000


def read_lines(text: str, keys: Collection[str]) -> dict[str, str] | None:
    """Return the value of each key as text; None where the text is anything else."""
    if ":" not in text or len(text) > _LONGEST:
        return None
    lines = dedent(text.replace("\r\n", "\n").strip("\n")).rstrip().split("\n")
    found: dict[str, str] = {}
    at = 0
    while at < len(lines):
        head = _KEY.match(lines[at].rstrip(" \t"))
        below = at + 1
        while below < len(lines) and (
            not lines[below].strip() or lines[below][:1] in " \t" or lines[below][:2] == "- "
        ):
            below += 1
        value = _value(head["rest"] or "", lines[at + 1 : below]) if head is not None else None
        if head is None or value is None or head["key"] not in keys or head["key"] in found:
            return None
        found[head["key"]] = value
        at = below
    return found


def _value(rest: str, below: list[str]) -> str | None:
    """Return the value that stands behind a key and in the lines below it; None where it is none."""
    block = _BLOCK.match(rest)
    inner = dedent("\n".join(below)).strip("\n")
    if block is not None:
        inner = inner if block["style"] == "|" else re.sub(r"(?<!\n)\n(?!\n)", " ", inner)
        return inner if block["end"] == "-" else inner + "\n"
    if not inner.strip():
        return _scalar(rest)
    items = [line.strip() for line in inner.split("\n") if line.strip()]
    if rest or not all(item.startswith("- ") for item in items):
        return None
    return json.dumps([_scalar(item[2:].strip()) for item in items], ensure_ascii=False)


def _scalar(text: str) -> str:
    """Return a value without the quotes around it."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return str(json_or(text, text[1:-1]))
    return text[1:-1].replace("''", "'") if len(text) > 1 and text[0] == text[-1] == "'" else text

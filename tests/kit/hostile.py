"""Texts as the worst models and servers write them, and values that hold them in every name and text."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

MARKUP = (
    "<img src='/nowhere/bait.png'>",
    "<img src='file:///nowhere/bait.png'><b>bold</b>",
    "<img src='\\\\server\\share\\bait.png'>",
    "<a href='file:///nowhere/bait.png'>here</a>",
    "<qt><h1>big</h1></qt>",
    '<?xml version="1.0"?><p>x</p>',
    "&lt;img src='/nowhere/bait.png'&gt;",
    "<table background='/nowhere/bait.png'><tr><td>x</td></tr></table>",
    "<style>* { background: url(/nowhere/bait.png) }</style>",
)
ODD = (
    "right\u202eto left\u2066", "zero\u200bwidth\ufeff", "control\x00\x07\x1b[2J\x7f\x85\x9b", "half \ud83d pair",
    "join\u200dED\u00adtag\U000e0041mark\u061c",
)  # fmt: skip
LONG = "w" * 600
"""A word wider than any window."""
HOSTILE = " ".join((*MARKUP[:2], *ODD, LONG))
"""All of it in one line."""

_TEXTS = frozenset(
    ("name", "text", "title", "message", "prompt", "content", "reason", "model", "description", "answer", "summary",
     "subtitle", "error", "sanitized", "reasoning", "system", "notes")
)  # fmt: skip


def poisoned(value: Any, poison: str = HOSTILE) -> Any:
    """The same value with the poison before every name and text in it."""
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            one.name: poison + told
            if isinstance(told := getattr(value, one.name), str) and not isinstance(told, Enum) and one.name in _TEXTS
            else poisoned(told, poison)
            for one in fields(value)
            if one.init
        }
        return replace(value, **changed)
    if isinstance(value, tuple) and hasattr(value, "_replace"):
        made = {
            name: poison + told
            if isinstance(told, str) and not isinstance(told, Enum) and name in _TEXTS
            else poisoned(told, poison)
            for name, told in value._asdict().items()
        }
        return value._replace(**made)
    if isinstance(value, tuple):
        return tuple(poisoned(one, poison) for one in value)
    if isinstance(value, list):
        return [poisoned(one, poison) for one in value]
    return value

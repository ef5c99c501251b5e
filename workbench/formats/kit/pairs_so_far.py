"""What was read of a call whose arguments are key and value between tags: which keys got which values, and what is wrong with that."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from workbench.formats.kit.bent_close import without_close, without_doubled
from workbench.formats.kit.value_end import bare_value

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner

_BENT_VALUE = re.compile(r">\w|>>")
"""A value that begins with what may be the rest of its tag."""


@dataclass(frozen=True)
class Pairs:
    """The tags of one family."""

    key_open: str
    key_close: str
    """Empty where the value's opener ends the key."""
    value_open: str
    value_close: str
    opens: tuple[str, ...]
    """Openers of a call."""
    closes: tuple[str, ...]
    after_name: str = ""
    """A marker between name and arguments."""
    outer_close: str = ""
    """What closes the block around all calls, where there is one."""
    type_open: str = ""
    type_close: str = ""
    """Around the name of a value's type, which may stand before the value and says nothing that the schema does not."""

    @property
    def marks(self) -> tuple[str, ...]:
        """All tags that can follow something."""
        every = (self.key_open, self.key_close, self.value_open, self.value_close, self.after_name)
        return (*(mark for mark in every if mark), *self.opens, *self.closes)


GLM = Pairs("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", ("<tool_call>",), ("</tool_call>",))


@dataclass
class PairsSoFar:
    """What was read of one call so far."""

    scan: Scanner
    pairs: Pairs
    name: str = ""
    values: dict[str, str] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)
    twice: str = ""
    """A key that was given two values."""
    lost: list[str] = field(default_factory=list)
    """Keys that have no value."""
    waiting: list[str] = field(default_factory=list)
    """Keys of those that have another key behind them."""
    row: tuple[list[str], list[str]] = ((), ())  # type: ignore[assignment]
    """The newest keys in a row, and the values behind them."""
    rows: list[tuple[list[str], list[str]]] = field(default_factory=list)
    """Those of more than one key or value, which are no pairs."""
    left: str = ""
    """Text that belongs to no key, or a key that nobody knows without a value."""
    garbled: str = ""
    """A piece that is part of the arguments, and of which cannot be said what."""
    first: int = -1
    last: int = -1
    near: tuple[str, ...] = ()
    """Spellings near those of a call's end."""

    @property
    def ends(self) -> tuple[str, ...]:
        """All that ends a call, in whatever spelling."""
        return (*self.pairs.closes, *self.near)


def wrong_with(reading: PairsSoFar, name: str) -> tuple[str, str] | None:
    """Say what is wrong with arguments that were read to their end: a code and a message."""
    paired = not reading.rows or _paired(reading)
    if reading.twice:
        return "ambiguous", f"{reading.twice!r} is given to {name!r} twice, with two values."
    if reading.garbled:
        return "bad_json", f"{reading.garbled[:80]!r} of {name!r} belongs to no key."
    if lost := [key for key in reading.lost if key not in reading.values]:
        tool = reading.scan.tools.resolve(name).tool
        bent = paired and "near_miss_tag" in reading.repairs
        if tool is not None and not (tool.properties.keys() if bent else tool.required).isdisjoint(lost):
            return "missing_argument", f"{', '.join(map(repr, lost))} of {name!r} has no value."
        reading.repairs.append("open_value")
    if not paired:
        return "bad_json", f"Keys and values of {name!r} do not stand in pairs."
    tool = reading.scan.tools.resolve(name).tool if reading.left else None
    if tool is not None and (missing := tool.missing(reading.values)):
        return "missing_argument", f"{', '.join(map(repr, missing))} of {name!r} may be in {reading.left[:80]!r}."
    return None


def _paired(reading: PairsSoFar) -> bool:
    """Give as many values in a row as there are keys before them to those in order; False where their numbers differ."""
    for keys, texts in reading.rows:
        if len(keys) == len(texts):
            reading.repairs.append("positional")
            reading.values.pop(keys[-1], None)
            for key, text in zip(keys, texts, strict=True):
                if reading.values.setdefault(key, text) != text:
                    reading.twice = key
        elif any(text.strip() for text in texts[bool(keys) :]) or not reading.values.keys() >= set(keys):
            return False
    return True


def drop_key(reading: PairsSoFar, key: str, at: int, *, waits: bool) -> int:
    """Go on behind a key without a value, which is dropped: a problem where the tool requires it, unless `key=value` was meant."""
    reading.repairs.append("missing_open_tag")
    tool = reading.scan.tools.resolve(reading.name).tool
    name, _, value = key.partition("=")
    if tool is not None and key not in tool.properties and name.rstrip() in tool.properties and value.strip():
        text = reading.scan.text
        begin = text.rindex(value, 0, at)
        keep_value(reading, name.rstrip(), begin, begin + len(value), lines=True)
        reading.last = at
        return at
    known = re.split(r"[<\s]", key, maxsplit=1)[0]
    if key and (tool is None or key in tool.properties or known in tool.properties):
        reading.lost.append(key if tool is None or key in tool.properties else known)
        reading.waiting += reading.lost[-1:] if waits else ()
    elif tool is not None and tool.properties and re.search(r"\W[^\W_]", key):
        reading.garbled = key
    else:
        reading.left = reading.left or key
    return at


def keep_value(reading: PairsSoFar, key: str, start: int, end: int, *, lines: bool, closed: bool = True) -> None:
    """Keep the value that stands between two places, without what is left of its tags."""
    text, close = reading.scan.text[start:end], reading.pairs.value_close
    opened = reading.pairs.value_open
    if text[: len(opened)].lower() == opened and close not in text.lower():
        text = text[len(opened) :]
        reading.repairs.append("near_miss_tag")
    text, bent = without_doubled(text, close, opened) if closed else without_close(text, close)
    reading.repairs += ["near_miss_tag"] if bent else []
    token = not reading.pairs.key_close and close in text.lower()  # what ends a value, and is no text
    reading.repairs += ["open_value"] if token or _BENT_VALUE.match(text) else []
    text = bare_value(text, lines=lines)
    key = _whole_key(reading, key)
    if not key:
        reading.repairs.append("open_value")
        reading.garbled = text.strip()
        return
    reading.row = ([one for one, _ in groupby((*reading.waiting, key))], [text])
    if len(reading.row[0]) > 1:
        reading.rows.append(reading.row)
    reading.waiting = []
    if reading.values.setdefault(key, text) != text:
        reading.twice = key


def _whole_key(reading: PairsSoFar, key: str) -> str:
    """Return a key without what is left of a damaged tag behind it; a `<` that is declared, or begins no tag, is the key's own."""
    tool = reading.scan.tools.resolve(reading.name).tool
    known = tool.properties if tool is not None else {}
    if key not in known and key.lstrip(">") in known:
        reading.repairs.append("near_miss_tag")
        return key.lstrip(">")
    head, _, rest = key.partition("<")
    head = head.strip()
    word = reading.pairs.key_close.strip("</>")
    damaged = head and (head in known or (bool(word) and rest.lstrip("/").startswith(word[:3])))
    if head == key or key in known or not damaged:
        return key
    reading.repairs += ("near_miss_tag", "open_value")
    return head

"""Where the members of a JSON value stand, looked up one level at a time: siblings are skipped at the scanner's own speed."""

from __future__ import annotations

import re

from workbench.formats.kit.loose_json import Marks, read_json, scan_once

Path = tuple[str | int, ...]
Place = tuple[int, int, int, int]
"""Value start, value end, key start, key end; the key's are equal where there is no key."""

_SPACE = re.compile(r"[ \t\r\n]*+")
_LIMIT = 4
"""Deeper levels than that are never asked for."""


class Places:
    """The members of the value at `text[start:end]`, by path."""

    __slots__ = ("_known", "_levels", "_shift", "_text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._shift = text[start:end], start
        self._known: dict[Path, Place] | None = None
        """All places, once the text has turned out to be no strict JSON."""
        self._levels: dict[Path, dict[str | int, Place]] = {}

    def get(self, path: Path) -> Place | None:
        """Return the place of the value at `path`; None for the whole value and for what is not there."""
        if not path:
            return None
        if self._known is None and len(path) <= _LIMIT:
            try:
                return self._moved(self._level(path[:-1]).get(path[-1]))
            except (StopIteration, ValueError, RecursionError, IndexError):
                pass
        if self._known is None:
            self._known = self._all()
        return self._moved(self._known.get(path))

    def _moved(self, place: Place | None) -> Place | None:
        if place is None:
            return None
        by = self._shift
        return place[0] + by, place[1] + by, place[2] + by, place[3] + by

    def _all(self) -> dict[Path, Place]:
        found: Marks = []
        read_json(self._text, 0, close=True, marks=found)
        return {path: (start, end, key_start, key_end) for path, start, end, key_start, key_end in found}

    def _level(self, path: Path) -> dict[str | int, Place]:
        """Places of the members of the value at `path`."""
        level = self._levels.get(path)
        if level is None:
            at = 0
            if path:
                place = self._level(path[:-1]).get(path[-1])
                if place is None:
                    return {}
                at = place[0]
            level = self._levels[path] = self._members(_past(self._text, at))
        return level

    def _members(self, at: int) -> dict[str | int, Place]:
        """Walk the object or list at `at`; raise ValueError where it is not strict."""
        text = self._text
        bracket, found = text[at], dict[str | int, Place]()
        if bracket not in "{[":
            return found
        close = "}" if bracket == "{" else "]"
        at = _past(text, at + 1)
        key: str | int = 0
        while text[at] != close:
            begin = stop = at
            if bracket == "{":
                key, stop = scan_once(text, at)
                colon = _past(text, stop)
                if text[colon] != ":" or not isinstance(key, str):
                    raise ValueError
                at = _past(text, colon + 1)
            start = at
            _, at = scan_once(text, start)
            found[key if bracket == "{" else len(found)] = (start, at, begin, stop)
            at = _past(text, at)
            if text[at] == close:
                break
            if text[at] != ",":
                raise ValueError
            at = _past(text, at + 1)
        return found


def _past(text: str, at: int) -> int:
    """Skip white space."""
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]

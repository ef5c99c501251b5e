"""Texts that are shown with stars for their secrets and can be edited all the same: stars that are left alone keep what they hide."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QFocusEvent

from workbench.core.masking import Secrets
from workbench.core.secret_values import secrets_in_url
from workbench.ui.widgets.fields import LineField

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

_STARS = re.compile(r"\*+")
_LEAST = 6
"""So many stars alone are no value that somebody typed."""


def restored(edited: str, real: str, shown: str) -> str:
    """Put back what stars hide: each run of stars takes the first hidden part of its length that is left.

    `shown` is `real` with stars of the same length; stars without such a part stay.
    """
    hidden = [real[run.start() : run.end()] for run in _STARS.finditer(shown)]

    def part(run: re.Match[str]) -> str:
        found = next((one for one in hidden if len(one) == len(run[0])), None)
        if found is None:
            return run[0]
        hidden.remove(found)
        return found

    return _STARS.sub(part, edited)


def restored_value(edited: Any, real: Any, shown: Any) -> tuple[Any, str]:
    """Put back what stars hide in a JSON value, and name the first place whose stars hide nothing that is known.

    A text stands for what is hidden at its own place; moved elsewhere, for what is hidden under the same stars if that is one value.
    """
    known = {path: (text, original) for path, text, original in _leaves(shown, real, ())}
    unknown: list[str] = []

    def walk(value: Any, path: tuple[str | int, ...]) -> Any:
        if isinstance(value, dict):
            return {key: walk(item, (*path, key)) for key, item in value.items()}
        if isinstance(value, list):
            return [walk(item, (*path, at)) for at, item in enumerate(value)]
        if not isinstance(value, str) or "*" not in value:
            return value
        text, original = known.get(path, ("", ""))
        if text == value:
            return original
        others = {one for masked, one in known.values() if masked == value}
        if len(others) == 1:
            return others.pop()
        if others or (len(value) >= _LEAST and not value.strip("*")):
            unknown.append(".".join(map(str, path)))
        return value

    return walk(edited, ()), next(iter(unknown), "")


def _leaves(shown: Any, real: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """The texts that are shown otherwise than they are."""
    if isinstance(shown, dict) and isinstance(real, dict):
        for (key, item), original in zip(shown.items(), real.values(), strict=True):
            yield from _leaves(item, original, (*path, key))
    elif isinstance(shown, list | tuple) and isinstance(real, list | tuple):
        for at, (item, original) in enumerate(zip(shown, real, strict=True)):
            yield from _leaves(item, original, (*path, at))
    elif isinstance(shown, str) and isinstance(real, str) and shown != real:
        yield path, shown, real


def mask_address(address: str, marked: Collection[str] = (), known: Collection[str] = ()) -> str:
    """An address with stars of the same length for its password, keys in its query, key-like parts, and known keys."""
    secrets = Secrets({*known, *secrets_in_url(address, marked)})
    masked = secrets.mask_url(address)
    return masked if len(masked) == len(address) else secrets.mask_text(address)


class SecretField(LineField):
    """A line edit whose secrets are shown as stars; what is typed is masked as soon as the keyboard leaves."""

    def __init__(self, *, hint: str = "", name: str = "") -> None:
        super().__init__(hint=hint, name=name, mono=True)
        self.masked: Callable[[str], str] = mask_address
        """Stars of the same length for what is secret in a text."""
        self._real = self._shown = ""

    def show_value(self, real: str) -> None:
        """Show a text."""
        self._real, self._shown = real, self.masked(real)
        if self.text() != self._shown:
            self.setText(self._shown)
            self.setCursorPosition(0)

    @property
    def value(self) -> str:
        """The text as edited, with what its stars hide."""
        return restored(self.text(), self._real, self._shown)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_value(self.value)

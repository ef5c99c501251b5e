"""What a command prints, with stars for every key that this process knows of at that moment, whoever prints it.

Commands mask what they read and record; this is the edge behind them: a word of the command line that is told back, a tool's
own source, the library for options. Complaints also lose what only looks like a key, since it may have been typed in the
wrong place. `parse` alone gives back what it was given: its result is text for text.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from workbench.cli.text import unhidden
from workbench.core.errors import WorkbenchError
from workbench.core.secret_values import secrets_in_environment
from workbench.settings.paths import Home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from workbench.core.masking import Secrets


@contextmanager
def keys_masked(*, results: bool = True) -> Iterator[None]:
    """Print with stars while the block runs; `results`: to standard output, too."""
    out, err = sys.stdout, sys.stderr
    known = _KnownMasks()
    sys.stderr = cast("TextIO", MaskedStream(err, lambda text: unhidden(known.mask(text, foreign=True))))
    if results:
        sys.stdout = cast("TextIO", MaskedStream(out, known.mask))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


class MaskedStream:
    """A text stream in front of another one."""

    def __init__(self, stream: TextIO, mask: Callable[[str], str]) -> None:
        self._stream, self._mask = stream, mask

    def write(self, text: str) -> int:
        """Write with stars; what is no text is the stream's own to refuse."""
        self._stream.write(self._mask(text) if isinstance(text, str) and text.strip() else text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each."""
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> MaskedBytes:
        """The same for those who write bytes."""
        return MaskedBytes(self._stream.buffer, self._mask)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class MaskedBytes:
    """A stream of bytes in front of another one: text in UTF-8 gets stars, all else goes through."""

    def __init__(self, stream: BinaryIO, mask: Callable[[str], str]) -> None:
        self._stream, self._mask = stream, mask

    def write(self, data: bytes) -> int:
        """Write with stars."""
        with suppress(UnicodeDecodeError):
            self._stream.write(self._mask(data.decode()).encode())
            return len(data)
        self._stream.write(data)
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _KnownMasks:
    """The masks for what is known by now: keys come while a command runs. Where there are none, nothing is imported for them."""

    def __init__(self) -> None:
        self._found: frozenset[str] | None = None
        self._count = -1
        self._masks: dict[bool, Secrets] = {}

    def mask(self, text: str, *, foreign: bool = False) -> str:
        if self._found is None:
            self._found = _configured()
        held = _held()
        if len(held) != self._count:
            self._count = len(held)
            self._masks = {}
        if foreign not in self._masks and (foreign or self._found or held):
            from workbench.core.masking import Secrets

            self._masks[foreign] = Secrets(self._found | held, foreign=foreign)
        return self._masks[foreign].mask_text(text) if foreign in self._masks else text


def _held() -> frozenset[str]:
    """Keys that this process has had in hand: none where nobody has asked for the box that holds them."""
    box = sys.modules.get("workbench.settings.secrets")
    return box.held_secrets() if box is not None else frozenset()


def _configured() -> frozenset[str]:
    """Keys of the settings and of the environment; of the environment alone where there are no settings to be read."""
    with suppress(WorkbenchError, OSError):
        home = Home.find()
        if home.settings.exists():
            from workbench.app.data_folder import DataFolder

            return DataFolder(home).known_secrets()
    return secrets_in_environment(os.environ)

"""What a GGUF file says about itself: name, architecture, context, chat template, file type. Tensors are never read.

A file is: `GGUF`, version, count of tensors, count of entries, then the entries (key, type, value). Version 1 has counts
of 32 bits, later ones of 64; a file written for big-endian machines shows by its version number. All counts and lengths
are checked against the size of the file before they are believed.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.whole_files import opened_file

if TYPE_CHECKING:
    from typing import BinaryIO

MAGIC = b"GGUF"
VERSIONS = (1, 2, 3)
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""Type number → struct letter."""
_STRING, _ARRAY = 8, 9
_MOST_ENTRIES = 100_000
_LONGEST_KEY = 65_535
_LONGEST_TEXT = 4 * 2**20
"""Longer texts are skipped: nothing that is shown or used is that long."""
_MOST_PIECES = 20_000_000
"""Array elements that are walked through one by one."""
_BUFFER = 2**20

_FILE_TYPES = dict(enumerate("F32 F16 Q4_0 Q4_1".split())) | dict(
    enumerate(
        "Q8_0 Q5_0 Q5_1 Q2_K Q3_K_S Q3_K_M Q3_K_L Q4_K_S Q4_K_M Q5_K_S Q5_K_M Q6_K IQ2_XXS IQ2_XS Q2_K_S IQ3_XS IQ3_XXS"
        " IQ1_S IQ4_NL IQ3_S IQ3_M IQ2_S IQ2_M IQ4_XS IQ1_M BF16".split(),
        7,
    )
)
_FILE_TYPES |= {36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4_MOE", 39: "NVFP4", 40: "Q1_0"}


@dataclass(frozen=True, slots=True)
class GgufFile:
    """A model file, as far as its first entries tell."""

    path: Path
    size: int
    """Bytes of this file."""
    version: int
    tensors: int
    name: str = ""
    """The model's own name; often not the file's."""
    architecture: str = ""
    context: int | None = None
    """Tokens it was trained for."""
    file_type: str = ""
    """How its weights are stored, such as `Q4_K_M`."""
    size_label: str = ""
    """Such as `7B`, where the file says it."""
    templates: dict[str, str] = field(default_factory=dict)
    """Chat templates by name; the usual one is `default`."""
    splits: int = 1
    """Files that the model is split into; llama-server is given the first."""
    split: int = 0
    """Which of them this is."""
    values: dict[str, Any] = field(default_factory=dict)
    """All entries that are a single number, flag or text."""

    @property
    def template(self) -> str:
        """The chat template that a server uses when tools are given; empty if there is none."""
        return self.templates.get("tool_use") or self.templates.get("default", "")

    @property
    def stem(self) -> str:
        """The file's name without its ending and without the number of its part."""
        return self.path.name.removesuffix(".gguf").partition("-00001-of-")[0]


def read_gguf(path: Path) -> GgufFile:
    """Read a file's entries; raise InvalidInput saying what is wrong with it, and where."""
    try:
        with opened_file(path, buffer=_BUFFER) as file:
            return _GgufReader(file, path).read()
    except OSError as error:
        hint = "Give the path of a .gguf file." if path.is_dir() or not path.exists() else ""
        raise InvalidInput(f"{str(path)!r} cannot be read: {error.strerror or error}.", hint=hint) from error


class _Head(NamedTuple):
    version: int
    tensors: int
    entries: int


class _GgufReader:
    """Walks through the entries once, from the front."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path
        self._size = file.seek(0, 2)
        file.seek(0)
        self._at = 0
        self._order, self._count = "<", "Q"
        self._pieces = 0

    def read(self) -> GgufFile:
        head = self._head()
        values: dict[str, Any] = {}
        for number in range(head.entries):
            key = self._key(number)
            value = self._value(self._number("I"), key)
            if value is not None:
                values[key] = value
        return _file(self._path, self._size, head, values)

    def _head(self) -> _Head:
        start = self._take(4, "its first bytes") if self._size >= 4 else b""
        if start != MAGIC:
            what = "it is empty" if not self._size else f"it begins with {start!r}, not with {MAGIC!r}"
            hint = "Is the download complete? Git LFS pointers and safetensors files are no GGUF."
            raise InvalidInput(f"{str(self._path)!r} is no GGUF file: {what}.", hint=hint)
        raw = self._take(4, "the version")
        version = int.from_bytes(raw, "little")
        if version > 0xFFFF:
            self._order, version = ">", int.from_bytes(raw, "big")
        if version not in VERSIONS:
            raise self._broken(f"version {version} is not known")
        self._count = "I" if version == 1 else "Q"
        tensors, entries = self._number(self._count), self._number(self._count)
        if entries > _MOST_ENTRIES:
            raise self._broken(f"it claims {entries} entries")
        return _Head(version, tensors, entries)

    def _key(self, number: int) -> str:
        length = self._number(self._count)
        if length > _LONGEST_KEY:
            raise self._broken(f"the name of entry {number} claims {length} bytes")
        return self._take(length, f"the name of entry {number}").decode("utf-8", "replace")

    def _value(self, kind: int, key: str) -> Any:
        """The value of an entry; None for what is skipped."""
        if kind in _NUMBERS:
            return self._number(_NUMBERS[kind])
        if kind == _STRING:
            return self._text(key)
        if kind == _ARRAY:
            self._skip_array(key, depth=0)
            return None
        raise self._broken(f"entry {key!r} has the unknown type {kind}")

    def _text(self, key: str) -> str | None:
        length = self._number(self._count)
        if length > _LONGEST_TEXT:
            self._skip(length, key)
            return None
        return self._take(length, key).decode("utf-8", "replace")

    def _skip_array(self, key: str, depth: int) -> None:
        if depth > 3:
            raise self._broken(f"entry {key!r} is nested too deeply")
        kind, count = self._number("I"), self._number(self._count)
        if kind in _NUMBERS:
            self._skip(count * struct.calcsize("=" + _NUMBERS[kind]), key)
            return
        self._pieces += count
        if kind not in (_STRING, _ARRAY) or self._pieces > _MOST_PIECES:
            raise self._broken(f"entry {key!r} claims {count} elements of type {kind}")
        for _ in range(count):
            if kind == _STRING:
                self._skip(self._number(self._count), key)
            else:
                self._skip_array(key, depth + 1)

    def _number(self, letter: str) -> Any:
        shape = self._order + letter
        return struct.unpack(shape, self._take(struct.calcsize(shape), "a number"))[0]

    def _take(self, length: int, what: str) -> bytes:
        self._check(length, what)
        data = self._file.read(length)
        if len(data) != length:
            raise self._broken(f"it ends within {what}")
        self._at += length
        return data

    def _skip(self, length: int, what: str) -> None:
        self._check(length, what)
        self._file.seek(length, 1)
        self._at += length

    def _check(self, length: int, what: str) -> None:
        if length > self._size - self._at:
            raise self._broken(f"it ends within {what}")

    def _broken(self, what: str) -> InvalidInput:
        text = f"{str(self._path)!r} is a broken GGUF file: {what} (at byte {self._at} of {self._size})."
        return InvalidInput(text, hint="Download it again, or compare its size with the original.")


def _file(path: Path, size: int, head: _Head, values: dict[str, Any]) -> GgufFile:
    architecture = _text_of(values, "general.architecture")
    kind = values.get("general.file_type")
    return GgufFile(
        path=path,
        size=size,
        version=head.version,
        tensors=head.tensors,
        name=_text_of(values, "general.name"),
        architecture=architecture,
        context=_whole(values.get(f"{architecture}.context_length")),
        file_type=_FILE_TYPES.get(kind, f"type {kind}") if isinstance(kind, int) else "",
        size_label=_text_of(values, "general.size_label"),
        templates=_templates(values),
        splits=max(1, _whole(values.get("split.count")) or 1),
        split=_whole(values.get("split.no")) or 0,
        values=values,
    )


def _templates(values: dict[str, Any]) -> dict[str, str]:
    """`tokenizer.chat_template` is the usual one, `tokenizer.chat_template.NAME` are further ones."""
    found = {}
    for key, value in values.items():
        if key.startswith("tokenizer.chat_template") and isinstance(value, str) and value:
            found[key.removeprefix("tokenizer.chat_template").lstrip(".") or "default"] = value
    return found


def _text_of(values: dict[str, Any], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None

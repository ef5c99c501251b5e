"""A content block of Anthropic's protocol as it grows, and the shape in which it goes back."""

from __future__ import annotations

from typing import Any

from workbench.wires.kit.call_fragments import OpenCall
from workbench.wires.kit.jsons import argument_object, as_dict, as_text

_PLAIN = frozenset({"text", "tool_use", ""})
"""Blocks that can be written anew; any other makes a turn worth sending back as it came."""


class ContentBlock:
    """One content block."""

    __slots__ = ("input", "number", "shell", "words")

    def __init__(self, shell: dict[str, Any]) -> None:
        self.shell = shell
        self.number = -1
        """Of a call: its number."""
        self.input = OpenCall()
        """The arguments of a call as they come in fragments."""
        self.words: list[str] = []
        """Fragments of text or thinking."""

    @property
    def plain(self) -> bool:
        """Whether the neutral turn says all that this block says."""
        caller = as_dict(self.shell.get("caller")).get("type", "direct")
        return as_text(self.shell.get("type")) in _PLAIN and caller == "direct"

    def cite(self, citation: Any) -> None:
        """Add a citation."""
        if not isinstance(self.shell.get("citations"), list):
            self.shell["citations"] = []
        self.shell["citations"].append(citation)

    def finished(self) -> dict[str, Any]:
        """Return the block in the shape in which it goes back."""
        out = dict(self.shell)
        kind = out.get("type")
        if kind in ("text", "thinking"):
            out[kind] = as_text(out.get(kind)) + "".join(self.words)
        elif said := self.input.said:
            out["input"] = argument_object(said)
        return out

"""What comes to light while a client's request is read, and how the client knows its tools."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class ClientTool(NamedTuple):
    """How a client knows a tool, where the neutral request has it otherwise."""

    name: str
    kind: str = "function"
    """`function` or `custom`."""
    namespace: str = ""


@dataclass(slots=True)
class RequestNotes:
    """What comes to light while a request is read."""

    path: str = ""
    left_out: list[str] = field(default_factory=list)
    tools: dict[str, ClientTool] = field(default_factory=dict)
    foreign_tools: bool = False
    """Some tools are of a kind that only this protocol knows."""

    def foreign_tool(self, place: str, kind: str) -> None:
        """Name a tool that only this protocol knows."""
        self.foreign_tools = True
        self.note(place, f"a tool of type {kind!r}, which only the client's own protocol knows")

    def note(self, place: str, what: str) -> None:
        """Name something that the neutral request cannot say."""
        self.left_out.append(f"{place}: {what}")

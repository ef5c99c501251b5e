"""What comes to light while a request is read."""

from __future__ import annotations

from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server_tools import read_tools


def test_provider_side_tools_are_named() -> None:
    notes = RequestNotes()
    assert read_tools([{"type": "web_search"}, {"type": "bash_20250124", "name": "bash"}], notes) == ()
    assert notes.foreign_tools
    assert [line.split(":")[0] for line in notes.left_out] == ["tools[0]", "tools[1]"]


def test_a_foreign_tool_is_noted_with_its_kind() -> None:
    notes = RequestNotes("/v1/x")
    assert (notes.path, notes.left_out, notes.foreign_tools) == ("/v1/x", [], False)
    notes.foreign_tool("tools[1]", "web_search")
    assert notes.foreign_tools
    assert notes.left_out == ["tools[1]: a tool of type 'web_search', which only the client's own protocol knows"]

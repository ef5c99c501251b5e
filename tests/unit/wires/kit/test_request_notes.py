"""What comes to light while a request is read."""

from __future__ import annotations

from workbench.wires.kit.request_notes import RequestNotes
from workbench.wires.kit.server_tools import read_tools


def test_provider_side_tools_are_named() -> None:
    notes = RequestNotes()
    assert read_tools([{"type": "web_search"}, {"type": "bash_20250124", "name": "bash"}], notes) == ()
    assert notes.foreign_tools
    assert [line.split(":")[0] for line in notes.left_out] == ["tools[0]", "tools[1]"]

"""The preview: conversation, request, headers, bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.exchange import WireRequest
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec
from workbench.ui.try_.preview_panel import PreviewPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def test_every_side_of_a_request(qtbot: QtBot, theme: Theme) -> None:
    panel = PreviewPanel()
    qtbot.addWidget(panel)
    request = ChatRequest("m", (Message("user", "hi"),), (ToolSpec("f"),), stop=("\nObservation:",))
    wire = WireRequest("POST", "http://127.0.0.1:9/v1", (("x-api-key", "k3y"),), b'{"model":"m"}')
    panel.show_request(request, wire)
    assert panel.text.raw == "── user ──\nhi\n\n── tools field: f ──\n\n── stop sequences: '\\nObservation:' ──"
    assert panel.facts.text() == "POST http://127.0.0.1:9/v1  ·  1 message  ·  13 B"
    panel.segments.button("json").click()
    assert panel.text.raw == '{\n  "model": "m"\n}'
    panel.segments.button("headers").click()
    assert "k3y" not in panel.text.raw
    assert "none yet" not in panel.text.raw
    panel.segments.button("bytes").click()
    assert panel.text.raw == '{"model":"m"}'
    panel.show_problem("Run is off: choose a model")
    assert panel.text.raw == ""
    assert panel.wire is None
    with qtbot.waitSignal(panel.closed):
        panel.close_button.click()

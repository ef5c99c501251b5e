from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.ui.gateway.client_panel import ClientPanel


def test_settings_are_shown_with_the_token_hidden(theme, qtbot) -> None:
    panel = ClientPanel([("a", "Claude Code"), ("b", "curl")])
    qtbot.addWidget(panel)
    panel.resize(423, 236)
    panel.show()
    told: list[str] = []
    panel.client_chosen.connect(told.append)
    panel.copy_asked.connect(lambda: told.append("copy"))
    panel.show_settings("export KEY=•••• 9c1e\nclaude", "•••• 9c1e")
    assert panel.text.raw == "export KEY=•••• 9c1e\nclaude"
    panel.show_seen("seen 1 min ago", seen=True)
    assert panel.seen.text() == "seen 1 min ago"
    qtbot.mouseClick(panel.clients.button("b"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    assert told == ["b", "copy"]
    assert panel.client == "b"

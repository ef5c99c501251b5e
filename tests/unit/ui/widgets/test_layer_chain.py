"""The chain of layers."""

from __future__ import annotations

from tests.kit.gui import colours
from workbench.ui.theme.theme import Theme, tokens
from workbench.ui.widgets.layer_chain import LayerChain


def test_the_fault_is_marked_and_told(theme: Theme, qtbot) -> None:
    chain = LayerChain()
    qtbot.addWidget(chain)
    chain.resize(700, 42)
    chain.show_states([("transport", "ok"), ("format", "fault"), ("parse", "unknown")])
    assert chain.accessibleDescription() == "transport: in order, format: first fault, parse: not known"
    assert {tokens().failed.lower(), tokens().failed_tint.lower()} <= colours(chain)
    chain.show_states([("transport", "ok")])
    assert tokens().failed_tint.lower() not in colours(chain)


def test_nothing_to_show(theme: Theme, qtbot) -> None:
    chain = LayerChain()
    qtbot.addWidget(chain)
    chain.resize(300, 42)
    assert tokens().failed.lower() not in colours(chain)
    assert chain.minimumSizeHint().width() <= 320

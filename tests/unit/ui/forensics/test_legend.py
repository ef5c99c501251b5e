"""Words of the legend look like their roles."""

from __future__ import annotations

from tests.kit.gui import colours
from workbench.ui.forensics.legend import RoleWord
from workbench.ui.theme.theme import Theme, tokens


def test_a_marker_has_its_ground(theme: Theme, qtbot) -> None:
    for name, role in (("marker", "marker"), ("special token", "special"), ("reasoning", "reasoning")):
        word = RoleWord(role, name)
        qtbot.addWidget(word)
        word.resize(word.sizeHint())
        assert tokens().inks[role].ground.lower() in colours(word)
        assert word.accessibleName() == f"Colour of {name}"

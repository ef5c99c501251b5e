"""The head of the page."""

from __future__ import annotations

from workbench.ui.models.forensics_rows import VerdictWords
from workbench.ui.theme.theme import Theme
from workbench.ui.views.forensics_verdict import ForensicsVerdict


def test_words_and_policies(theme: Theme, qtbot) -> None:
    head = ForensicsVerdict()
    qtbot.addWidget(head)
    head.resize(700, 200)
    layers = (("format", "fault"), ("parse", "ok"))
    head.show_words(
        VerdictWords("First fault: format", True, "The model.", "A comma.", "certain", layers, (("strict", "0"),))
    )
    assert head.title.property("role") == "failed"
    assert head.sentence.text == "The model. A comma."
    assert head.accessibleName() == "First fault: format. The model. A comma."
    assert "format: first fault" in head.chain.accessibleDescription()
    head.show_words(VerdictWords("No fault found", False, "Fine.", "", "", layers, ()))
    assert head.title.property("role") == "strong"

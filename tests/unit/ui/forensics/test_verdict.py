"""The head of the page."""

from __future__ import annotations

from workbench.ui.forensics.verdict import ForensicsVerdict
from workbench.ui.run.forensics_rows import VerdictWords
from workbench.ui.theme.theme import Theme


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

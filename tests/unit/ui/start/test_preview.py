from __future__ import annotations

from dataclasses import replace

from tests.kit.pages import examples, glance
from workbench.ui.start.preview import ExamplePreview


def test_line_first_texts_later(theme, qtbot) -> None:
    preview = ExamplePreview()
    qtbot.addWidget(preview)
    line = examples()[1]
    preview.show_line(line)
    assert preview.title.text() == line.title
    assert preview.explanation.text.startswith(line.headline)
    assert preview.places["Next"][1].text() == line.next
    assert preview.places["Parser"][0].isHidden()
    preview.show_run(glance("unreadable"))
    assert preview.glance.step is not None


def test_a_line_without_code_has_no_chip(theme, qtbot) -> None:
    preview = ExamplePreview()
    qtbot.addWidget(preview)
    preview.show_line(examples()[0])
    assert preview._chip is not None
    preview.show_line(replace(examples()[0], code=""))
    assert preview._chip is None

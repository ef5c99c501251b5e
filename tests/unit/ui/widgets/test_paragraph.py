from __future__ import annotations

from workbench.ui.widgets.paragraph import Paragraph, TextRun


def test_height_follows_width_in_whole_lines(theme, qtbot) -> None:
    paragraph = Paragraph(TextRun("The reply was cut.", bold=True), " finish_reason is length. " * 4)
    qtbot.addWidget(paragraph)
    wide, narrow = paragraph.heightForWidth(2000), paragraph.heightForWidth(160)
    assert wide == 16
    assert narrow > 4 * 16
    assert narrow % 16 == 0


def test_words_and_breaks_are_kept(theme, qtbot) -> None:
    paragraph = Paragraph("one\ntwo", TextRun(" three", mono=True))
    qtbot.addWidget(paragraph)
    assert paragraph.text == "one\ntwo three"
    assert paragraph.heightForWidth(2000) == 32
    placed = list(paragraph._place(2000))
    assert [(at.y(), word.strip()) for at, word, _ in placed] == [(0, "one"), (1, "two"), (1, "three")]


def test_nothing_takes_no_room(theme, qtbot) -> None:
    paragraph = Paragraph(centred=True)
    qtbot.addWidget(paragraph)
    assert paragraph.heightForWidth(100) == 0
    assert paragraph.minimumSizeHint().height() == 0
    paragraph.show_runs(["word"])
    paragraph.resize(200, 16)
    image = paragraph.grab().toImage()
    ink = [x for x in range(200) for y in range(16) if image.pixelColor(x, y).lightness() < 100]
    assert 60 < min(ink) < max(ink) < 140

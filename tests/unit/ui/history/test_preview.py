from __future__ import annotations

from PySide6.QtWidgets import QApplication

from tests.kit.pages import glance, history
from workbench.ui.history.preview import RunPreview


def test_a_run_its_replay_and_the_bin(theme, qtbot) -> None:
    preview = RunPreview()
    qtbot.addWidget(preview)
    preview.resize(360, 800)
    preview.show()
    assert preview.stack.currentIndex() == 0
    line = history(1)[0]
    preview.show_run(line)
    preview.show_glance(glance("story"))
    assert preview.mark.state == "fail"
    assert "run 1,048,213" in preview.meta.text()
    preview.replay.show_result("fixed", "1 of 2 replies.", [(f"calls[{n}]", "a", "b") for n in range(12)])
    assert preview.replay.verdict == "fixed"
    assert "4 more places differ" in preview.replay.sentence
    preview.show_run(line)
    assert preview.replay.verdict == "not run"
    preview.set_binned(True)
    assert preview.restore_button.isVisible()
    assert not preview.bin_button.isVisible()
    preview.show_nothing()
    assert preview.nothing.isVisible()


def test_no_button_of_a_narrow_preview_is_cut(theme, qtbot) -> None:
    preview = RunPreview()
    qtbot.addWidget(preview)
    preview.show_run(history(1)[0])
    preview.show()
    for width, words in ((400, "Diff"), (320, ""), (400, "Diff")):
        preview.resize(width, 800)
        QApplication.processEvents()
        assert preview.diff_button.text() == words
        assert preview.diff_button.accessibleName() == "Diff"
        for button in (preview.keep_button, preview.diff_button, preview.report_button, preview.bin_button):
            assert button.width() >= button.sizeHint().width()
            assert button.mapTo(preview, button.rect().topRight()).x() < width

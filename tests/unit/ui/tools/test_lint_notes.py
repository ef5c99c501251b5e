from __future__ import annotations

from workbench.ui.tools.lint_notes import LintNotes, NoteLine


def test_notes_with_their_fixes(theme, qtbot) -> None:
    notes = LintNotes()
    qtbot.addWidget(notes)
    fixed: list[int] = []
    notes.fix_asked.connect(fixed.append)
    lines = [
        NoteLine("path has no description", "a model guesses", True, False),
        NoteLine("required twice", "", True, True),
    ]
    notes.show_notes(lines, editable=True)
    assert notes.head.note.text() == "2 notes"
    (button,) = notes.buttons
    button.click()
    assert fixed == [1]
    notes.show_notes(lines * 4, editable=False)
    assert notes.buttons == []
    assert "4 more" in notes.head.note.text()
    notes.show_notes([], editable=True)
    assert notes.isHidden()

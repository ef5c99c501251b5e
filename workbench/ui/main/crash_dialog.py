"""What a user sees of a bug: that it is ours, that nothing is lost, and a report to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.raw_pane import RawPane


class CrashDialog(QDialog):
    """Says what happened and where the report lies; blocks nothing."""

    def __init__(self, report: str, place: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Something went wrong"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(px(720), px(420))
        self.text = RawPane(tr("Report"), size=11)
        self.text.show_text(report)
        copy = Button(tr("Copy report"), icon="copy", on_click=lambda: copy_text(report))
        close = Button(tr("Go on"), kind="primary", on_click=self.close)
        said = tr("This is a fault of the program, not of yours. What was recorded is on disk; you can go on.")
        box = column(
            label(tr("Something went wrong"), "object"), label(said, "body", wrap=True), margins=(20, 16, 20, 16)
        )
        box.addWidget(self.text, 1)
        box.addWidget(label(place, "label", selectable=True))
        box.addLayout(row(None, copy, close))
        self.setLayout(box)

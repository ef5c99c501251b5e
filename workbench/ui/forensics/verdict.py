"""The head of the page Forensics: the first fault in a sentence, the layers, and what each policy gives out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.frames import ElidedLabel, column, label, row, set_role
from workbench.ui.widgets.layer_chain import LayerChain
from workbench.ui.widgets.paragraph import Paragraph, TextRun

if TYPE_CHECKING:
    from workbench.ui.run.forensics_rows import VerdictWords


class ForensicsVerdict(QFrame):
    """Title, sentence, chain of layers, policies."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.title = label("", "strong")
        self.confidence = ElidedLabel("", "label")
        self.sentence = Paragraph(size=12, line=16)
        self.chain = LayerChain()
        self._policies = row(gap=8)
        self._made: list[QWidget] = []
        self._given = QWidget()
        self._given.setLayout(self._policies)
        self.setLayout(
            column(
                row(self.title, None, self.confidence),
                self.sentence,
                self.chain,
                self._given,
                margins=(16, 12, 16, 12),
                gap=8,
            )
        )

    def show_words(self, words: VerdictWords) -> None:
        """Show another judgement."""
        self.title.setText(words.title)
        set_role(self.title, "failed" if words.fault else "strong")
        self.confidence.setText(words.confidence)
        self.sentence.show_runs([TextRun(words.headline, bold=True), TextRun(f" {words.detail}")])
        self.chain.show_states(words.layers)
        self.setAccessibleName(f"{words.title}. {words.headline} {words.detail}")
        self._show_policies(words)

    def _show_policies(self, words: VerdictWords) -> None:
        while self._policies.count():
            self._policies.takeAt(0)
        for old in self._made:
            old.hide()
            old.deleteLater()
        self._made = []
        for name, told in words.policies:
            chip, told_label = Chip(name, "plain"), label(told, "second")
            self._made += [chip, told_label]
            self._policies.addWidget(chip)
            self._policies.addWidget(told_label)
            self._policies.addSpacing(px(12))
        self._policies.addStretch(1)
        self._given.setVisible(bool(words.policies))

"""The panel beside the history's table: the chosen run, its texts in tabs, and reading it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QStackedWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.views.history_glance_pane import GlancePane
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row, set_role
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.paragraph import Paragraph, Run
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tabs import Tabs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.models.history_glance import Glance
    from workbench.ui.models.history_rows import HistoryLine

TABS = [("", "All"), ("raw", "Raw"), ("parsed", "Parsed"), ("sanitized", "Sanitized"), ("wire", "Wire")]
_REPLAY_ROLE = {"same": "strong", "fixed": "passed", "regressed": "failed", "changed": "strong"}
_CHANGES_SHOWN = 8


class ReplayBox(QFrame):
    """Reading a recorded reply again with today's parser, and what differs."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.button = Button("Re-parse", icon="arrow-clockwise", keys="P")
        self._verdict = label("not run", "second")
        self._changes = Paragraph(size=11)
        self._changes.hide()
        line = row(self.button, label("today's parser", "label"), None, self._verdict)
        self.setLayout(column(label("Replay", "label_strong"), line, self._changes, margins=(16, 10, 16, 12), gap=8))

    def reset(self) -> None:
        """Nothing was read again yet."""
        self._verdict.setText("not run")
        set_role(self._verdict, "second")
        self._changes.hide()

    def show_result(self, verdict: str, sentence: str, changes: Sequence[tuple[str, str, str]]) -> None:
        """Show the replay's verdict and each place that differs: where, before, after."""
        self._verdict.setText(verdict)
        set_role(self._verdict, _REPLAY_ROLE.get(verdict, "second"))
        runs = [Run(sentence, token="text2")] if sentence else []
        for where, before, after in changes[:_CHANGES_SHOWN]:
            runs += [Run("\n"), Run(where, mono=True), Run(" "), Run(before, mono=True, token="failed")]
            runs += [Run(" → ", token="text3"), Run(after, mono=True, token="passed")]
        if len(changes) > _CHANGES_SHOWN:
            runs.append(Run(f"\n{len(changes) - _CHANGES_SHOWN} more places differ", token="text3"))
        self._changes.show_runs(runs)
        self._changes.setVisible(bool(runs))

    @property
    def verdict(self) -> str:
        """The word shown."""
        return self._verdict.text()

    @property
    def sentence(self) -> str:
        """What is said about the differences."""
        return self._changes.text


class RunPreview(QFrame):
    """Verdict, title, where it ran, texts, replay, and the way to Try or to the bin."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.mark = VerdictLabel("fail")
        self.code = label("", "mono_second")
        self.title = label("", "section", wrap=True)
        self.meta = ElidedLabel("", "label")
        self.reason = label("", "second", wrap=True)
        head = column(
            row(self.mark, self.code, None, gap=8), self.title, self.meta, self.reason, margins=(16, 10, 12, 8), gap=5
        )
        top = frame("surface")
        top.setLayout(head)
        self.tabs = Tabs(TABS, margin=16)
        self.tabs.setAccessibleName("What of the run")
        self.glance = GlancePane()
        self.tabs.tab_chosen.connect(self.glance.show_part)
        self.replay = ReplayBox()
        self.open_button = Button("Open in Try", icon="play", kind="primary", keys="Return")
        self.forensics_button = Button(icon="stack", tip="Forensics: all formats over the telling reply", keys="F")
        self.copy_button = Button(icon="copy", tip="Copy the run's id")
        self.bin_button = Button(icon="trash", tip="To the bin", keys="Delete")
        self.restore_button = Button("Restore", icon="arrow-counter-clockwise")
        self.restore_button.hide()
        foot = frame("surface")
        foot.setLayout(
            row(
                self.open_button,
                self.restore_button,
                None,
                self.forensics_button,
                self.copy_button,
                self.bin_button,
                margins=(16, 0, 12, 0),
            )
        )
        fix_size(foot, height=50)
        shown = frame("surface")
        whole = column(top, self.tabs, self.glance, hairline(), self.replay, hairline(), foot, gap=0)
        whole.setStretch(2, 1)
        shown.setLayout(whole)
        self.nothing = Emptiness("clock-counter-clockwise", "No run chosen", "Choose a run to see what it did.")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(shown)
        self.setLayout(column(self.stack))
        self.setMinimumWidth(px(320))

    def show_nothing(self) -> None:
        """No run is chosen."""
        self.stack.setCurrentIndex(0)

    def show_line(self, line: HistoryLine) -> None:
        """Show what the list knows; the texts follow."""
        self.stack.setCurrentIndex(1)
        self.mark.set_state(line.state)
        self.code.setText(line.code)
        self.title.setText(line.prompt)
        self.meta.setText(
            f"run {line.number:,} · {line.provider} / {line.model} · {line.format} · {line.mode}"
            + (" · simulated" if line.simulated else "")
        )
        self.reason.setText(line.reason)
        self.reason.setVisible(bool(line.reason))
        self.replay.reset()

    def show_glance(self, glance: Glance) -> None:
        """Show the run's texts."""
        self.glance.show_glance(glance)

    def set_binned(self, binned: bool) -> None:
        """Offer what fits a run inside or outside the bin."""
        self.restore_button.setVisible(binned)
        self.bin_button.setVisible(not binned)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

"""The panel beside the history's table: the chosen run, its texts in tabs, and reading it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QStackedWidget

from workbench.ui.run.glance_pane import GlancePane
from workbench.ui.run.hand_verdict import TIP
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr, translated_sentence
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, frame, hairline, label, row, set_role
from workbench.ui.widgets.marks import VerdictLabel
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.states import Emptiness
from workbench.ui.widgets.tabs import Tabs
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.store.rows import RunRow
    from workbench.ui.run.glance import Glance

TABS = [
    ("", tr("All")),
    ("raw", tr("Raw")),
    ("parsed", tr("Parsed")),
    ("sanitized", tr("Sanitized")),
    ("wire", tr("Wire")),
]
_REPLAY_ROLE = {"same": "strong", "fixed": "passed", "regressed": "failed", "changed": "strong"}
_CHANGES_SHOWN = 8
_WHOLE = 352
"""Width from which no button of the foot has to do without its word."""
_NOTES = {"parse": tr("today's parser"), "offline": tr("from the record"), "live": tr("sends it once more")}
"""Kinds of replay, in order, and what each stands on."""


class ReplayBox(QFrame):
    """A recorded run again: read by today's parser, run over its record, or sent once more; and what differs."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.button = Button(tr("Re-parse"), icon="arrow-clockwise", keys="P")
        self.offline = Button(
            tr("Offline"), icon="rewind", keys="O", tip=tr("Run the engine over the recorded exchanges")
        )
        self.live = Button(tr("Live"), icon="broadcast", keys="R", tip=tr("Send it once more, as a new run"))
        self._notes = {kind: ElidedLabel(words, "label") for kind, words in _NOTES.items()}
        self._verdicts = {kind: label(tr("not run"), "second") for kind in _NOTES}
        self._changes = Paragraph(size=11)
        self._changes.hide()
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(10))
        grid.setVerticalSpacing(px(8))
        grid.setColumnStretch(1, 1)
        for number, (kind, button) in enumerate(zip(_NOTES, (self.button, self.offline, self.live), strict=True)):
            button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            grid.addWidget(button, number, 0)
            grid.addWidget(self._notes[kind], number, 1)
            grid.addWidget(self._verdicts[kind], number, 2, Qt.AlignmentFlag.AlignRight)
        self.setLayout(
            column(label(tr("Replay"), "label_strong"), grid, self._changes, margins=(16, 10, 16, 12), gap=8)
        )

    def reset(self) -> None:
        """Nothing was replayed yet."""
        for verdict in self._verdicts.values():
            verdict.setText(tr("not run"))
            set_role(verdict, "second")
        self._changes.hide()

    def show_tokens(self, tokens: int) -> None:
        """Say what sending it once more takes."""
        self._notes["live"].setText(tr("sends {tokens:,} tokens", tokens=tokens) if tokens else _NOTES["live"])

    def show_running(self, kind: str) -> None:
        """A replay is under way."""
        self._verdicts[kind].setText(tr("running"))
        set_role(self._verdicts[kind], "running")

    def show_result(
        self, verdict: str, sentence: str, changes: Sequence[tuple[str, str, str]], kind: str = "parse"
    ) -> None:
        """Show a replay's verdict and each place that differs: where, before, after."""
        self._verdicts[kind].setText(verdict)
        set_role(self._verdicts[kind], _REPLAY_ROLE.get(verdict, "second"))
        runs = [TextRun(sentence, token="text2")] if sentence else []
        for where, before, after in changes[:_CHANGES_SHOWN]:
            runs += [TextRun("\n"), TextRun(where, mono=True), TextRun(" "), TextRun(before, mono=True, token="failed")]
            runs += [TextRun(" → ", token="text3"), TextRun(after, mono=True, token="passed")]
        if len(changes) > _CHANGES_SHOWN:
            runs.append(
                TextRun(tr("\n{changes} more places differ", changes=len(changes) - _CHANGES_SHOWN), token="text3")
            )
        self._changes.show_runs(runs)
        self._changes.setVisible(bool(runs))

    @property
    def verdict(self) -> str:
        """The word shown for reading again."""
        return self.verdict_of("parse")

    def verdict_of(self, kind: str) -> str:
        """The word shown for `parse`, `offline` or `live`."""
        return self._verdicts[kind].text()

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
        self.code = ElidedLabel("", "mono_second")
        self.forensics_button = Button(
            icon="stack", kind="quiet", small=True, tip=tr("Forensics: all formats over the telling reply"), keys="F"
        )
        self.hand_button = Button(icon="hand-palm", kind="quiet", small=True, tip=TIP, keys="V")
        self.mark_button = Button(icon="push-pin", kind="quiet", small=True, tip=tr("Mark, to compare with"), keys="M")
        self.copy_button = Button(icon="copy", kind="quiet", small=True, tip=tr("Copy the run's id"))
        self.title = label("", "section", wrap=True)
        self.meta = ElidedLabel("", "label")
        self.reason = label("", "second", wrap=True)
        self.hand = label("", "strong", wrap=True)
        self.hand.hide()
        self.version = Segments([("model", tr("As the model wrote it")), ("given", tr("As the client got it"))])
        self.version.hide()
        self.open_button = Button(icon="play", kind="quiet", small=True, tip=tr("Open in Try"), keys="Return")
        icons = row(
            self.hand_button, self.mark_button, self.open_button, self.forensics_button, self.copy_button, gap=2
        )
        line = row(self.mark, self.code, gap=8)
        line.setStretch(1, 1)
        line.addLayout(icons)
        head = column(line, self.title, self.meta, self.reason, self.hand, self.version, margins=(16, 8, 12, 8), gap=4)
        top = frame("surface")
        top.setLayout(head)
        self.tabs = Tabs(TABS, margin=16)
        self.tabs.setAccessibleName(tr("What of the run"))
        self.glance = GlancePane()
        self.tabs.tab_chosen.connect(self.glance.show_part)
        self.replay = ReplayBox()
        self.keep_button = Button(
            tr("Keep as case"), icon="bookmark-simple", kind="primary", tip=tr("Keep as case (Ctrl+E)")
        )
        self.diff_button = Button(
            tr("Diff"), icon="git-diff", tip=tr("Where it differs from the marked run (D; M marks)")
        )
        self.export_button = Button(icon="export", tip=tr("Export the run"), keys="Ctrl+Shift+E")
        self.report_button = Button(icon="bug", tip=tr("Report upstream, in the receiver's form"), keys="U")
        self.bin_button = Button(icon="trash", tip=tr("To the bin"), keys="Delete")
        self.restore_button = Button(tr("Restore"), icon="arrow-counter-clockwise")
        self.restore_button.hide()
        self.nothing = Emptiness("clock-counter-clockwise", tr("No run chosen"), tr("Choose a run to see what it did."))
        self.stack = QStackedWidget()
        self._lay_out(top)

    def _lay_out(self, top: QFrame) -> None:
        foot = frame("surface")
        foot.setLayout(
            row(
                self.keep_button,
                self.restore_button,
                self.diff_button,
                None,
                self.report_button,
                self.export_button,
                self.bin_button,
                margins=(16, 0, 12, 0),
            )
        )
        fix_size(foot, height=50)
        shown = frame("surface")
        whole = column(top, self.tabs, self.glance, hairline(), self.replay, hairline(), foot, gap=0)
        whole.setStretch(2, 1)
        shown.setLayout(whole)
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(shown)
        self.setLayout(column(self.stack))
        bound_width(self, least=320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if bool(self.diff_button.text()) is not (whole := self.width() >= px(_WHOLE)):
            self.diff_button.setText(tr("Diff") if whole else "")
            self.diff_button.updateGeometry()

    def show_nothing(self) -> None:
        """No run is chosen."""
        self.stack.setCurrentIndex(0)

    def show_run(self, run: RunRow) -> None:
        """Show what the list knows; the texts follow."""
        self.stack.setCurrentIndex(1)
        self.mark.set_state(run.verdict.state.value)
        self.code.setText(run.verdict.codes[0] if run.verdict.codes else "")
        set_tip(self.code, ", ".join(run.verdict.codes))
        self.title.setText(run.title or run.prompt)
        self.meta.setText(
            tr(
                "run {number:,} · {provider} / {model} · {format} · {mode}",
                number=run.number,
                provider=run.provider,
                model=run.model,
                format=run.format,
                mode=run.mode,
            )
            + (tr(" · simulated") if run.simulated else "")
        )
        self.reason.setText(translated_sentence(run.verdict.reason))
        self.reason.setVisible(bool(run.verdict.reason))
        self.version.choose("model")
        self.version.setVisible(run.edited is not None)
        self.replay.reset()

    def show_hand(self, words: str, why: str) -> None:
        """Show what the run was set to by hand, and who said so when and why; empty: nothing was."""
        self.hand.setText(f"{words} · {why}")
        self.hand.setVisible(bool(words))

    def show_glance(self, glance: Glance) -> None:
        """Show the run's texts."""
        self.glance.show_glance(glance)

    def set_binned(self, binned: bool) -> None:
        """Offer what fits a run inside or outside the bin."""
        self.restore_button.setVisible(binned)
        self.bin_button.setVisible(not binned)
        self.keep_button.setVisible(not binned)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

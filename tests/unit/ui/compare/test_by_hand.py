from __future__ import annotations

from types import SimpleNamespace

from tests.kit.batches import batch
from workbench.core.verdict import VerdictState
from workbench.grading.matrix import matrix
from workbench.store.opinions import HAND, Opinion
from workbench.ui.compare.by_hand import CompareByHand, own_name
from workbench.ui.compare.from_batch import cell_of
from workbench.ui.compare.shown_batch import ShownBatch
from workbench.ui.compare.view import CompareView

MADE = batch({"rome": ["sfs"]})


class Said:
    """A store's opinions, in memory."""

    def __init__(self) -> None:
        self.all: list[Opinion] = []

    def add(self, opinion: Opinion) -> None:
        self.all.append(opinion)

    def of_batch(self, _batch: str) -> tuple[Opinion, ...]:
        return tuple(self.all)


def test_a_word_is_appended_shown_beside_and_counted_apart(run_async, theme, qtbot) -> None:
    view, said, foot = CompareView(), Said(), list[str]()
    qtbot.addWidget(view)
    shell = SimpleNamespace(wb=SimpleNamespace(store=SimpleNamespace(opinions=said)))
    shown = ShownBatch(shell, view)  # type: ignore[arg-type]
    made = CompareByHand(shell, shown, view, lambda left, _right: foot.append(left))  # type: ignore[arg-type]
    shown.batch, table = MADE, matrix(MADE)
    view.panel.show_cell(cell_of(MADE, table.rows[0], table.columns[0], shown.hand))
    view.panel.cell.runs.choose_row(1)

    asked: list[tuple[str, str]] = []
    view.panel.cell.verdict_asked.disconnect()
    view.panel.cell.verdict_asked.connect(lambda run, word: asked.append((run, word)))
    menu = view.panel.cell.hand_menu()
    assert [action.text() for action in menu.actions()] == ["Set to pass by hand…", "Set to fail by hand…"]
    menu.actions()[0].trigger()
    assert asked == [("run-rome-0-1", "pass")]

    run_async(made.keep(Opinion("run-rome-0-1", 1, HAND, "me", VerdictState.PASS, "right all the same")))
    line = view.panel.cell.model.line(1)
    assert (line.state, line.hand, line.why) == ("fail", "pass", "me: right all the same")
    assert foot[-1].endswith(
        "1 verdict set by hand, counted apart: model-0 · qwen_xml · direct 3/3 instead of 2/3 (1 changed)."
    )
    assert view.panel.cell.runs.currentIndex().row() == 1
    assert len(view.panel.cell.hand_menu().actions()) == 3
    assert not view.grab().isNull()

    run_async(made.keep(Opinion("run-rome-0-1", 2, HAND, "me", None, "")))
    assert view.panel.cell.model.line(1).hand == ""
    assert "by hand" not in foot[-1]
    assert own_name()

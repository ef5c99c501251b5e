from __future__ import annotations

from types import SimpleNamespace

from tests.kit.batches import batch
from workbench.grading.matrix import matrix
from workbench.store.opinions import Opinion
from workbench.ui.compare.by_hand import CompareByHand
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


async def _told(*_asked: object) -> str:
    return " right all the same "


def test_a_word_is_appended_shown_beside_and_counted_apart(run_async, theme, qtbot, monkeypatch) -> None:
    monkeypatch.setattr("workbench.ui.run.hand_verdict.ask_text", _told)
    view, said, foot = CompareView(), Said(), list[str]()
    qtbot.addWidget(view)
    shell = SimpleNamespace(wb=SimpleNamespace(store=SimpleNamespace(opinions=said), user="me"), window=view)
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

    run_async(made.say("run-rome-0-1", "pass"))
    line = view.panel.cell.model.line(1)
    assert (line.state, line.hand, line.why) == ("fail", "pass", "me: right all the same")
    assert foot[-1].endswith(
        "1 verdict set by hand, counted apart: model-0 · qwen_xml · direct 3/3 instead of 2/3 (1 changed)."
    )
    assert view.panel.cell.runs.currentIndex().row() == 1
    assert len(view.panel.cell.hand_menu().actions()) == 3
    assert not view.grab().isNull()

    run_async(made.say("run-rome-0-1", ""))
    assert view.panel.cell.model.line(1).hand == ""
    assert "by hand" not in foot[-1]

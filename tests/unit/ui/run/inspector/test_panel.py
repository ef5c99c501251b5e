"""The inspector: follows, shows one step, keeps its tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit import events as kit
from workbench.ui.run.inspector.panel import Inspector
from workbench.ui.run.run_fold import RunFold, fold

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


def _inspector(qtbot: QtBot) -> Inspector:
    made = Inspector()
    qtbot.addWidget(made)
    made.resize(308, 800)
    made.show()
    return made


def test_without_a_step_it_says_so(qtbot: QtBot, theme: Theme) -> None:
    inspector = _inspector(qtbot)
    assert inspector.step is None
    assert not inspector.wire.isVisible()
    inspector.show_run(fold(kit.story()))
    assert inspector.wire.isVisible()
    inspector.tabs.choose("timing")
    assert inspector.timing.isVisible()
    assert not inspector.wire.isVisible()


def test_rows_grow_with_the_stream(qtbot: QtBot, theme: Theme) -> None:
    inspector, folder, events = _inspector(qtbot), RunFold(), kit.running()
    folder.apply(events[:4])
    inspector.show_run(folder.view)
    for event in events[4:]:
        inspector.apply(folder.apply([event]))
    exchange = folder.view.steps[0].exchange
    assert exchange is not None
    assert inspector.wire.rows.rowCount() == len(exchange.chunks)


def test_a_retry_brings_its_own_exchange(qtbot: QtBot, theme: Theme) -> None:
    inspector = _inspector(qtbot)
    run = fold(kit.failed())
    inspector.show_run(run)
    assert inspector.exchange is run.steps[0].exchanges[2]
    inspector.wire.exchange_chosen.emit(0)
    assert inspector.exchange is run.steps[0].exchanges[0]

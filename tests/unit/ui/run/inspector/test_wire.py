"""The Wire tab: request, response, headers, raw; the record of one delta."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit import events as kit
from workbench.core.calls import Span
from workbench.core.events import ChunkReceived
from workbench.ui.run.inspector.wire import WireTab
from workbench.ui.run.run_fold import fold
from workbench.ui.run.span_index import SpanIndex

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme) -> WireTab:
    made = WireTab()
    qtbot.addWidget(made)
    made.resize(308, 700)
    made.show()
    step = fold(kit.story()).steps[4]
    made.show_exchange(step, step.exchange)
    return made


@pytest.mark.parametrize(
    ("segment", "part"),
    [
        ("request", '"model": "qwen-hasty"'),
        ("headers", "authorization: Bearer ********"),
        ("raw", 'data: {"id":"sim-7f21c0"'),
    ],
)
def test_segments(tab: WireTab, segment: str, part: str) -> None:
    tab.segments.button(segment).click()
    assert part in tab.text.raw


def test_a_linked_record_is_shown_with_its_characters(tab: WireTab) -> None:
    assert tab.exchange is not None
    text = fold(kit.story()).steps[4].text
    start = text.index('"config/app.toml"')
    index = SpanIndex((), tab.exchange.chunks)
    tab.link(index.pieces_of(Span(start, start + 17)), start, start + 17)
    assert tab.record.isVisible()
    assert tab.record.raw.startswith('data: {"id"')
    tab.link((), 0, 0)
    assert not tab.record.isVisible()


def test_a_refused_exchange_shows_its_body(tab: WireTab) -> None:
    step = fold(kit.failed()).steps[0]
    assert step.exchange is not None
    step.exchange.chunks.append(ChunkReceived(0, 2, 0, b'{"error": "overloaded"}', 1))
    tab.show_exchange(step, step.exchange)
    assert tab.segments.value == "raw"
    assert tab.text.raw == '{"error": "overloaded"}'
    well = fold(kit.story()).steps[4]
    tab.show_exchange(well, well.exchange)
    assert tab.segments.value == "response"


def test_several_tries_can_be_chosen(qtbot: QtBot, tab: WireTab) -> None:
    step = fold(kit.failed()).steps[0]
    tab.show_exchange(step, step.exchange)
    assert [tab.tries.itemText(n) for n in range(3)] == ["try 1 of 3", "try 2 of 3", "try 3 of 3"]
    with qtbot.waitSignal(tab.exchange_chosen) as chosen:
        tab.tries.value_chosen.emit(1)
    assert chosen.args == [1]

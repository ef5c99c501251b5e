"""Names, texts, titles and errors of the worst kind on every page: nothing becomes markup, nothing falls over."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QBuffer, QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtGui import Qt as RichText
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTableView,
    QTextEdit,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

from tests.kit import events
from tests.kit.batches import batch, case
from tests.kit.gui import open_window, picture
from tests.kit.hostile import HOSTILE, MARKUP, poisoned
from tests.kit.waiting import until
from workbench.app.forensics import Specimen
from workbench.cases.files import save_case
from workbench.core.events import RunStarted
from workbench.core.tools import MockRule, ToolSetup, ToolSource, ToolSpec
from workbench.core.unseen import HIDDEN
from workbench.grading.matrix import matrix
from workbench.settings.config import ProviderConfig
from workbench.ui.main.rail import ENTRIES
from workbench.ui.run.case.keep import keep_case
from workbench.ui.widgets.roomy import RoomyPage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from workbench.ui.main.session import Session

_ODD = re.compile(f"[\x00-\x08\x0b-\x1f]|{HIDDEN.pattern}")
_EDITED = (QLineEdit, QPlainTextEdit)
SCROLLBAR = 20
"""What a bar takes that came with the last change."""
STORIES = (events.story, events.unreadable, events.failed, events.native, events.empty)
TIP = Qt.ItemDataRole.ToolTipRole


def _is_markup(text: str) -> bool:
    """Qt would read tags in it, beyond the one that `tips` writes around escaped text."""
    own = text.startswith('<span style="white-space: pre-wrap">')
    return RichText.mightBeRichText(text) and not (own and text.count("<") == 2)


def _faults(top: QWidget) -> Iterator[str]:
    """Every widget whose text, tip or document holds markup."""
    for widget in [top, *top.findChildren(QWidget)]:
        if not isValid(widget) or widget.windowType() is Qt.WindowType.ToolTip:
            continue  # tips come and go while this looks; what they show is asked of QToolTip
        kind = type(widget).__name__
        if _is_markup(widget.toolTip()):
            yield f"tip of {kind}: {widget.toolTip()[:80]}"
        for action in widget.actions():
            if _is_markup(action.toolTip()) and action.toolTip() != action.text():
                yield f"tip of an action of {kind}: {action.toolTip()[:80]}"
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText and not _is_qts_own(widget):
            yield f"label in {type(widget.parent()).__name__} guesses its format: {widget.text()[:80]}"
        if isinstance(widget, QTextEdit) and "<img" in widget.toHtml():
            yield f"image in {kind}"
        if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
            yield from (f"{kind}: {told[:80]}" for told in _tips_of(model) if _is_markup(told))
        if isinstance(widget, QComboBox):
            tips = (widget.itemData(at, TIP) for at in range(widget.count()))
            yield from (f"item of {kind}: {told[:80]}" for told in tips if isinstance(told, str) and _is_markup(told))
        if isinstance(widget, QScrollArea) and widget.isVisible() and (inner := widget.widget()) is not None:
            room = widget.viewport().width()
            scrolls = widget.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            least = max(inner.width(), inner.minimumSizeHint().width())
            if least > room + SCROLLBAR and not (scrolls and not isinstance(widget, RoomyPage)):
                yield f"{type(inner).__name__} is {least} wide, in {room}, by {_widest(inner)}"
        yield from _shown_tip(widget)


def _widest(inner: QWidget) -> str:
    found = max(inner.findChildren(QWidget), key=lambda one: one.minimumSizeHint().width(), default=inner)
    return f"{type(found).__name__} in {type(found.parent()).__name__}"


def _is_qts_own(label: QLabel) -> bool:
    return type(label) is not QLabel or label.objectName().startswith("qt_")


def _tips_of(model: QAbstractItemModel) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for row in range(min(model.rowCount(), 60)):
        for column in range(columns):
            told = model.index(row, column).data(TIP)
            if isinstance(told, str):
                yield told
    for column in range(columns):
        told = model.headerData(column, Qt.Orientation.Horizontal, TIP)
        if isinstance(told, str):
            yield told


def _shown_tip(widget: QWidget) -> Iterator[str]:
    """What a hover over the widget really shows, at several places of it."""
    if not widget.isVisible() or isinstance(widget, QHeaderView):
        return
    target = widget.viewport() if isinstance(widget, QTableView) else widget
    for x, y in ((0.1, 0.1), (0.5, 0.5), (0.3, 0.8)):
        place = QPoint(round(target.width() * x), round(target.height() * y))
        QApplication.sendEvent(target, QHelpEvent(QEvent.Type.ToolTip, place, target.mapToGlobal(place)))
        if _is_markup(QToolTip.text()):
            yield f"hover over {type(widget).__name__}: {QToolTip.text()[:80]}"
        QToolTip.hideText()


async def _settled(session: Session) -> None:
    """What was asked for is shown; the page of servers goes on watching."""
    await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])


async def _record(session: Session) -> list[str]:
    ids = []
    wb: Any = session.wb
    for make in STORIES:
        told = make()
        started = told[0]
        assert isinstance(started, RunStarted)
        run_id = f"{started.run_id[:-4]}{len(ids):04d}"
        told = [poisoned(replace(one, run_id=run_id) if isinstance(one, RunStarted) else one) for one in told]
        wb.store.record(run_id, told)
        ids.append(run_id)
    return ids


def _suites(home: Path) -> None:
    """One whose tools cannot be read, and one that can, with the worst in every other text."""
    for name in ("one", "two"):
        save_case(poisoned(case(name)), home / "suites" / "worst")
        hostile = replace(case(name), title=HOSTILE, tags=(MARKUP[0],), notes=HOSTILE)
        save_case(replace(hostile, messages=poisoned(hostile.messages)), home / "suites" / "bad")


def _tools(session: Session, home: Path) -> None:
    """A set with the worst in every text of its tools, and servers that cannot be read."""
    wb: Any = session.wb
    inner = {"type": "string", "description": HOSTILE, "enum": [HOSTILE, MARKUP[1]], "default": HOSTILE}
    schema = {"type": "object", "properties": {MARKUP[0]: inner, HOSTILE: {}}, "required": [HOSTILE]}
    told = (ToolSpec("one", HOSTILE, schema), ToolSpec("two", MARKUP[1], {"type": "object", "description": HOSTILE}))
    setups = [
        ToolSetup(spec, mock=MockRule("failing", error=HOSTILE), source=ToolSource("mcp", f"/x/{MARKUP[0]}", HOSTILE))
        for spec in told
    ]
    wb.store.tool_sets.save(MARKUP[0], setups, HOSTILE)
    wb.store.tool_sets.save(MARKUP[0], setups[:1], HOSTILE)
    home.joinpath("mcp.json").write_text(json.dumps({"mcpServers": {MARKUP[0]: {"command": MARKUP[1]}, HOSTILE: 7}}))


def _drawn(window: QWidget) -> str:
    """Every text that painting the window draws, one a line, but for what the user edits, which stands as it is."""
    vector, sink = QSvgGenerator(), QBuffer()
    sink.open(QBuffer.OpenModeFlag.WriteOnly)
    vector.setOutputDevice(sink)
    vector.setSize(window.size())
    fields = [one for one in window.findChildren(QWidget) if isinstance(one, _EDITED) and one.isVisible()]
    for field in fields:
        field.setUpdatesEnabled(False)
    painter = QPainter(vector)
    window.render(painter, QPoint(0, 0))
    painter.end()
    for field in fields:
        field.setUpdatesEnabled(True)
    return "\n".join(re.findall(">([^<]*)</text>", bytes(sink.data().data()).decode("utf-8", "surrogatepass")))


def _check(window: QWidget, place: str) -> None:
    assert not picture(window).isNull()
    drawn = _drawn(window)
    assert drawn.strip()
    found = [f"drawn: {line!r}" for line in drawn.split("\n") if _ODD.search(line)]
    found += _faults(window)
    assert not found, f"{place}: {found}"


def test_hostile_texts_on_every_page(theme, run_async, home: Path, leak_check) -> None:
    _suites(home)

    async def body() -> None:
        async with open_window(theme, home) as session:
            window, wb = session.window, session.wb
            assert wb is not None
            ids = await _record(session)
            _tools(session, home)
            wb.save(
                wb.saved_settings.with_provider(ProviderConfig("x", "openai_chat", f"http://127.0.0.1:9/{MARKUP[0]}"))
            )
            for key in ("start", "forensics", *(one.key for one in ENTRIES)):
                window.go(key)
                await _settled(session)
                if key == "tools":
                    page: Any = window.page(key)
                    page.page.set_list.choose_row(0)
                    await _settled(session)
                    assert page.page.sample.form.fields
                _check(window, key)
            window.go("history")
            await _settled(session)
            page = window.page("history")
            for row in range(page.page.model.rowCount()):
                page.page.table.choose_row(row)
                await _settled(session)
                _check(window, f"history, row {row}")
            for run_id in ids:
                window.page("start").shell.open_run(await wb.load(run_id))
                await _settled(session)
                _check(window, f"try, {run_id}")

    run_async(body())


def test_hostile_texts_in_compare_cases_and_forensics(theme, run_async, home: Path, leak_check) -> None:
    _suites(home)

    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.go("compare")
            await _settled(session)
            page: Any = window.page("compare")
            made = poisoned(batch({"one": ["fff", "ppp", "eee"], "two": ["sss", "fff", "p.."]}))
            page.shown_batch.batch = made
            page.page.show_matrix(matrix(made))
            page.page.show_results()
            page.page.matrix.choose("one", 1)
            page.page.show_trouble(HOSTILE, HOSTILE)
            await page.pairing.show_scores()
            await _settled(session)
            _check(window, "compare")
            window.go("cases")
            await _settled(session)
            cases: Any = window.page("cases")
            for suite in ("worst", "bad"):
                cases.show_case(suite, "one")
                await _settled(session)
                _check(window, f"cases, {suite}")
            window.go("forensics")
            forensics: Any = window.page("forensics")
            call = f'<tool_call>\n{{"name": "{MARKUP[0]}", "arguments": {{"a": "{MARKUP[1]}"}}}}\n</tool_call>'
            forensics.show_specimen(
                Specimen(call + HOSTILE, "qwen_xml", (ToolSpec(MARKUP[0], HOSTILE, {"type": "object"}),), title=HOSTILE)
            )
            await _settled(session)
            _check(window, "forensics")
            shell = window.page("start").shell
            dialog = (await keep_case(shell, poisoned(events.story()))).dialog
            _check(dialog, "keep as case")
            dialog.reject()
            window.open_palette()
            window.palette_box.field.setText(MARKUP[0])
            await _settled(session)
            _check(window, "palette")
            window.say(HOSTILE)
            _check(window, "status")

    run_async(body())

"""Keys in the settings that a server tells, and that stand in prompts and cases: the window shows, says and copies none of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLabel, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from tests.attack.spellings import CASES, spell
from tests.kit.gui import open_window
from tests.kit.hostile_window import drawn, history_rows
from tests.kit.waiting import until
from tests.kit.wire_server import Request, Script, answer, head, served, sse
from workbench.cli.dispatch import dispatch
from workbench.core.target import ModelRef
from workbench.ui.main.pages import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.ui.main.session import Session

KEYS = [key.replace("\n", " ") for key in CASES["shapes"].values()]
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
TOLD = [spell(key, how).rstrip("=") for key in KEYS for how in ("plain", "percent", "base64")]


def _echo(request: Request, _number: int) -> Script:
    if "/models" in request.target:
        return answer(200, json.dumps({"data": [{"id": f"m-{key}"} for key in KEYS] + [{"id": "m"}]}).encode())
    if b"Fail." in request.body:
        return answer(400, json.dumps({"error": {"message": " ".join(KEYS)}}).encode())
    call = json.dumps({"name": "look", "arguments": {"at": KEYS}})
    text = f"{' '.join(KEYS)} {spell(KEYS[0], 'base64')}\n<tool_call>\n{call}\n</tool_call>\n<tool_call>{call[:-3]}"
    return [head() + sse(json.dumps({"choices": [{"index": 0, "delta": {"content": text}}]}), "[DONE]")]


def _told(top: QWidget) -> Iterator[tuple[str, str]]:
    """Every text of a window that somebody sees, hears or hovers over, and what it belongs to."""
    yield "title", top.windowTitle()
    yield "drawn", drawn(top)
    for widget in [top, *top.findChildren(QWidget)]:
        if not isValid(widget):
            continue
        kind = type(widget).__name__
        yield f"tip of {kind}", widget.toolTip()
        yield f"name of {kind}", f"{widget.accessibleName()} {widget.accessibleDescription()}"
        yield from ((f"action of {kind}", f"{action.text()} {action.toolTip()}") for action in widget.actions())
        if isinstance(widget, QLabel | QAbstractButton):
            yield kind, widget.text()
        if isinstance(widget, QTextEdit | QPlainTextEdit):
            yield kind, widget.toPlainText()
        if isinstance(widget, QAbstractItemView | QComboBox) and (model := widget.model()) is not None:
            yield from ((f"item of {kind}", text) for text in _texts(model, QModelIndex()))


def _texts(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    for row in range(min(model.rowCount(parent), 60)):
        for column in range(columns):
            index = model.index(row, column, parent)
            yield from (str(index.data(role) or "") for role in ROLES)
        if not isinstance(model, QAbstractListModel | QAbstractTableModel):
            yield from _texts(model, model.index(row, 0, parent))


def _check(top: QWidget, place: str, keys: Sequence[str] = TOLD) -> None:
    copied = QGuiApplication.clipboard().text()
    found = [(what, key) for what, text in [("clipboard", copied), *_told(top)] for key in keys if key in text]
    assert not found, f"{place}: {found}"


async def _settled(session: Session) -> None:
    await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])


async def _copy_all(session: Session, place: str) -> int:
    """Do whatever the page offers for copying; return how much that was."""
    done = 0
    for action in session.window.actions_table.current:
        if "copy" in f"{action.id} {action.title}".lower() and action.enabled():
            QGuiApplication.clipboard().clear()
            action.call()
            await _settled(session)
            _check(session.window, f"{place}: {action.id}")
            done += bool(QGuiApplication.clipboard().text())
    return done


def test_no_page_tells_a_planted_key(
    theme, run_async, home: Path, tmp_path: Path, leak_check, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    tools = [{"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "array"}}}}]
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    asked = [{"role": "user", "content": f"It is {' '.join(KEYS)}."}]
    case = {"title": f"of {KEYS[0]}", "messages": asked, "tools": tools, "expect": {"calls": [{"name": "look"}]}}
    (tmp_path / "case.json").write_text(json.dumps(case))
    (tmp_path / "log.jsonl").write_text(
        json.dumps(
            {"messages": [*asked, {"role": "assistant", "content": f'<tool_call>{{"name": "{KEYS[1]}'}], "tools": tools}
        )
    )
    with served(_echo) as server:
        headers = ", ".join(f"x-{number} = {json.dumps(key)}" for number, key in enumerate(KEYS))
        (home / "settings.toml").write_text(
            f'[providers.echo]\nbase_url = "{server.url}"\nkey = "none"\nheaders = {{ {headers} }}\n'
        )
        run = ("run", "--provider", "echo", "--model", "m")
        dispatch((*run, "--tools", str(tmp_path / "tools.json"), "--title", KEYS[2], *(asked[0]["content"],)))
        dispatch((*run, f"Fail. {KEYS[3]}"))
        dispatch(("providers", "models", "echo"))
        dispatch(("scan", str(tmp_path / "log.jsonl"), "--record"))
        dispatch(("suite", "run", str(tmp_path / "case.json"), "--target", "provider=echo,model=m", "--repeat", "1"))

        async def body() -> None:
            copied = 0
            async with open_window(theme, home) as session:
                window: Any = session.window
                for key in PAGES:
                    window.go(key)
                    await _settled(session)
                    _check(window, key)
                    copied += await _copy_all(session, key)
                async for place in history_rows(window, lambda: _settled(session)):
                    _check(window, place)
                    copied += await _copy_all(session, place)
                for number in range(1, window.page("history").page.model.rowCount() + 1):
                    window.page("start").shell.open_run(await session.wb.load(str(number)))
                    await _settled(session)
                    _check(window, f"run {number}")
                    copied += await _copy_all(session, f"run {number}")
            assert copied >= 5

        run_async(body())
    for path in (one for one in home.rglob("*") if one.is_file()):
        if path.name != "settings.toml":
            assert not [key for key in TOLD if key.encode() in path.read_bytes()], path


def test_a_typed_key_is_told_to_its_provider_alone(theme, run_async, home: Path, leak_check) -> None:
    """One without a shape by which keys are known; the server tells it in each reply and complaint."""
    typed, seen = "quiet-heron-4471-lantern", []

    def reply(request: Request, _number: int) -> Script:
        seen.append(str(request.headers))
        if b"Fail." in request.body:
            return answer(400, json.dumps({"error": {"message": f"{typed} is no key"}}).encode())
        text = f'{typed} {spell(typed, "base64")}\n<tool_call>{{"name": "{typed}'
        return [head() + sse(json.dumps({"choices": [{"index": 0, "delta": {"content": text}}]}), "[DONE]")]

    with served(reply) as server:
        home.mkdir()
        (home / "settings.toml").write_text(f'[providers.echo]\nbase_url = "{server.url}"\nkey = "session"\n')

        async def body() -> None:
            async with open_window(theme, home) as session:
                window: Any = session.window
                window.go("providers")
                providers = window.page("providers")
                form = providers.page.form
                await _settled(session)
                providers.refresh("echo")
                await until(lambda: form.name.text() == "echo")
                QTest.keyClicks(form.key, typed)
                QTest.mouseClick(form.use_key, Qt.MouseButton.LeftButton)
                await until(lambda: "in memory" in form.notes["key"].text())
                window.go("try")
                page = window.page("try")
                for prompt in ("Go on.", "Fail."):
                    page.show_draft(replace(page.page.composer.draft, model=ModelRef("echo", "m"), user=prompt))
                    page.run()
                    await until(lambda: not page.is_running)
                    _check(window, prompt, [typed, spell(typed, "base64").rstrip("=")])
                for key in ("history", "forensics", "providers"):
                    window.go(key)
                    await _settled(session)
                    _check(window, key, [typed])

        run_async(body())
    assert [one for one in seen if typed in one]
    assert not [path for path in home.rglob("*") if path.is_file() and typed.encode() in path.read_bytes()]

"""Pasting on the start page and into the palette: the real window, real keys, and where the text is read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.kit.gui import open_window
from tests.kit.scanning import LEAK, TOOL, chat_reply
from tests.kit.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.ui.main.session import Session

CONTROL = Qt.KeyboardModifier.ControlModifier
KEY = "sk-proj-" + "a1B2" * 8
REQUEST = {"model": "m-7b", "messages": [{"role": "user", "content": f"Weather? {KEY}"}], "tools": [TOOL]}
CURL = f"curl http://127.0.0.1:11434/v1/chat/completions -H 'Authorization: Bearer {KEY}' -d '{json.dumps(REQUEST)}'"
UNKNOWN = "Nothing that anybody knows\nstands here."


def paste(session: Session, text: str) -> None:
    """Ctrl+V into the field of the start page."""
    window = session.window
    window.go("start")
    QGuiApplication.clipboard().setText(text)
    QTest.keyClick(window.page("start").page.paste_field, Qt.Key.Key_V, CONTROL)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "page"),
    [
        (json.dumps(chat_reply(LEAK)), "forensics"),
        (f"I look.\n{LEAK}", "forensics"),
        ('{"error": {"message": "Incorrect API key", "code": "invalid_api_key"}}', "forensics"),
        (CURL, "try"),
        (json.dumps([TOOL]), "try"),
        ("http://127.0.0.1:9999/v1", "providers"),
    ],
    ids=["reply", "bare", "error", "curl", "tools", "address"],
)
def test_a_pasted_text_opens_where_it_is_read(run_async, theme, home: Path, leak_check, text: str, page: str) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            paste(session, text)
            await until(lambda: session.window.current == page)
            shown = session.window.page(page)
            if page == "forensics":
                await until(lambda: shown.page.shows_result)  # type: ignore[attr-defined]
                assert shown.text.exam.attribution.sentence  # type: ignore[attr-defined]
            elif page == "providers":
                await until(lambda: shown.page.chosen == "127.0.0.1:9999")  # type: ignore[attr-defined]

    run_async(body())


def test_a_request_goes_to_try_without_its_key(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            paste(session, CURL)
            await until(lambda: session.window.current == "try")
            draft = session.window.page("try").page.composer.draft  # type: ignore[attr-defined]
            assert "get_weather" in draft.tools
            assert draft.user.startswith("Weather? sk-proj-***")

    run_async(body())
    assert not [path for path in home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_what_nobody_knows_is_said_on_the_start_page(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            paste(session, UNKNOWN)
            told = session.window.page("start").page.told  # type: ignore[attr-defined]
            await until(lambda: "is not known" in told.words.text())
            assert "server log" in told.words.text()
            QTest.mouseClick(told.all_the_same, Qt.MouseButton.LeftButton)
            assert session.window.current == "forensics"

    run_async(body())


def test_the_palette_reads_what_is_pasted_into_it(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            QTest.keyClick(window, Qt.Key.Key_K, CONTROL)
            palette = window.palette_box
            QGuiApplication.clipboard().setText(json.dumps(chat_reply(LEAK), indent=1))
            QTest.keyClick(palette.field, Qt.Key.Key_V, CONTROL)
            assert [item.title for item in palette.found] == ["Read the pasted text"]
            await until(lambda: palette.found[0].note == "reply, stream or curl, 1 reply")
            QTest.keyClick(palette.field, Qt.Key.Key_Return)
            await until(lambda: window.current == "forensics")

    run_async(body())


def test_the_palette_shows_unknown_texts_as_replies(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.open_palette()
            palette = window.palette_box
            palette.field.take(UNKNOWN)
            await until(lambda: palette.found[0].note == "not known; read as a reply all the same")
            QTest.keyClick(palette.field, Qt.Key.Key_Return)
            await until(lambda: window.current == "forensics")
            assert window.page("forensics").text.specimen.text == UNKNOWN  # type: ignore[attr-defined]

    run_async(body())


def test_a_short_line_that_looks_like_a_text_is_offered(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.open_palette()
            palette = window.palette_box
            palette.field.take('<tool_call>{"name": "f"}')
            assert [item.title for item in palette.found] == ["Read the pasted text"]
            palette.field.setText("providers")
            assert "Read the pasted text" not in [item.title for item in palette.found]

    run_async(body())

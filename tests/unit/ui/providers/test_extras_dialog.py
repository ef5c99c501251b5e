from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from workbench.ui.providers.extras_dialog import ProviderExtrasDialog


def test_headers_are_strings_and_the_body_is_an_object(theme, qtbot) -> None:
    frame = QWidget()
    qtbot.addWidget(frame)
    view = ProviderExtrasDialog("Groq", {"X-Title": "mine"}, {}, frame)
    headers, body = view._headers, view._body
    view.show()
    headers.setPlainText('{"X-Title": 1}')
    assert "'X-Title' must be a string" in view.status.text()
    assert not view.use.isEnabled()
    headers.setPlainText('{"X-Title": "other"}')
    body.setPlainText("{")
    assert view.status.text().startswith("Extra body line 1")
    body.setPlainText("[]")
    assert "a JSON object is expected" in view.status.text()
    body.setPlainText('{"top_k": 3}')
    QTest.mouseClick(view.use, Qt.MouseButton.LeftButton)
    assert view.result() == ProviderExtrasDialog.DialogCode.Accepted
    assert (view.headers, view.body) == ({"X-Title": "other"}, {"top_k": 3})


def test_existing_values_are_shown_and_clearable(theme, qtbot) -> None:
    frame = QWidget()
    qtbot.addWidget(frame)
    view = ProviderExtrasDialog("Groq", {"X-Title": "mine"}, {"a": 1}, frame)
    assert "mine" in view._headers.toPlainText()
    view._headers.setPlainText("")
    view._body.setPlainText("  ")
    view.use.click()
    assert (view.headers, view.body) == ({}, {})


def test_secrets_are_stars_and_stay(theme, qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    headers, body = (
        {"X-Title": "bench", "x-custom": "Zx81-hidden-custom-99"},
        {"api_token": "tok-abcdefgh12345678", "top_k": 4},
    )
    view = ProviderExtrasDialog("P", headers, body, parent)
    shown = view._headers.toPlainText() + view._body.toPlainText()
    assert "Zx81" not in shown
    assert "tok-" not in shown
    assert "bench" in shown
    assert "Stars keep" in view.status.text()
    view._body.setPlainText(view._body.toPlainText().replace("4", "5"))
    view._on_use()
    assert (view.headers, view.body) == (headers, {**body, "top_k": 5})
    view._headers.setPlainText('{"other": "x", "another": "*********"}')
    assert "write again what the stars hid at 'another'" in view.status.text()
    assert not view.use.isEnabled()

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from workbench.ui.providers.form import ProviderFormView
from workbench.ui.providers.rows import ProviderForm

GROQ = ProviderForm(
    "Groq", "openai_chat", "https://api.groq.com/openai/v1", "keyring", "in the keychain", True, "auto", 4, 2, 60.0
)


def _form(qtbot) -> ProviderFormView:
    form = ProviderFormView()
    qtbot.addWidget(form)
    form.set_wires([("OpenAI Chat Completions", "openai_chat"), ("Anthropic Messages", "anthropic_messages")])
    form.show_form(GROQ)
    form.show()
    return form


def test_shown_values_round_trip(theme, qtbot) -> None:
    form = _form(qtbot)
    assert form.form() == GROQ
    assert not form.differs
    assert not form.save.isVisible()


def test_an_edit_offers_to_save_or_revert(theme, qtbot) -> None:
    form = _form(qtbot)
    QTest.keyClicks(form.name, " 2")
    assert form.save.isVisible()
    with qtbot.waitSignal(form.save_asked) as seen:
        QTest.mouseClick(form.save, Qt.MouseButton.LeftButton)
    assert seen.args == [replace(GROQ, name="Groq 2")]
    QTest.mouseClick(form.revert, Qt.MouseButton.LeftButton)
    assert form.form() == GROQ


def test_a_key_leaves_the_field_at_once_and_is_never_shown(theme, qtbot) -> None:
    form = _form(qtbot)
    assert form.key.echoMode() == QLineEdit.EchoMode.Password
    assert form.key.text() == ""
    QTest.keyClicks(form.key, "abc-123")
    with qtbot.waitSignal(form.key_given) as seen:
        QTest.mouseClick(form.use_key, Qt.MouseButton.LeftButton)
    assert (seen.args, form.key.text()) == (["abc-123"], "")
    with qtbot.waitSignal(form.key_removal_asked):
        QTest.mouseClick(form.forget_key, Qt.MouseButton.LeftButton)


def test_key_source_shows_its_fields(theme, qtbot) -> None:
    form = _form(qtbot)
    form.show_form(replace(GROQ, key_source="env:GROQ_API_KEY"))
    assert form.variable.isVisible()
    assert not form.key.isVisible()
    assert form.form().key_source == "env:GROQ_API_KEY"
    form.show_form(replace(GROQ, key_source="none"))
    assert not form.variable.isVisible()
    assert not form.key.isVisible()


def test_a_locked_provider_says_why(theme, qtbot) -> None:
    form = _form(qtbot)
    form.show_form(replace(GROQ, read_only=True, note="Served on this computer only."))
    assert form.locked.isVisible()
    assert form.name.isReadOnly()
    assert not form.tools.isEnabled()
    assert not form.forget_key.isVisible()


def test_complaints_stand_beside_their_fields(theme, qtbot) -> None:
    form = _form(qtbot)
    form.complain({"base_url": "write https://HOST/v1"})
    assert form.base_url.is_invalid
    assert form.notes["base_url"].text() == "write https://HOST/v1"
    form.complain({})
    assert not form.base_url.is_invalid
    form.focus_key()


def test_an_unknown_wire_is_kept(theme, qtbot) -> None:
    form = _form(qtbot)
    form.show_form(replace(GROQ, wire="carrier_pigeon"))
    assert form.form().wire == "carrier_pigeon"


def test_secrets_of_the_address_are_stars(theme, qtbot) -> None:
    form = _form(qtbot)
    address = "http://user:pa55-word-1@127.0.0.1:9/v1?api_key=sk-1234567890abcdefghij"
    form.show_form(replace(GROQ, base_url=address))
    assert "pa55" not in form.base_url.text()
    assert "sk-" not in form.base_url.text()
    assert form.form().base_url == address
    assert not form.differs
    form.base_url.setText(form.base_url.text().replace(":9/", ":10/"))
    assert form.form().base_url == address.replace(":9/", ":10/")


def test_nothing_can_be_edited_before_a_provider_is_shown(theme, qtbot) -> None:
    form = ProviderFormView()
    qtbot.addWidget(form)
    asked: list[bool] = []
    form.extras_asked.connect(lambda: asked.append(True))
    form.show()
    QTest.mouseClick(form.extras, Qt.MouseButton.LeftButton)
    assert asked == []
    form.show_form(GROQ)
    QTest.mouseClick(form.extras, Qt.MouseButton.LeftButton)
    assert asked == [True]

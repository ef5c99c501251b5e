"""Secrets are stars on the screen; editing around them keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from workbench.ui.widgets.hidden_text import SecretField, mask_address, restored, restored_value

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme

REAL = "https://me:pa55-word@host/v1?api_key=sk-1234567890abcdef&x=1"
SHOWN = "https://************@host/v1?api_key=*******************&x=1"


def test_addresses_are_masked_with_the_same_length() -> None:
    assert mask_address(REAL) == SHOWN
    assert mask_address("https://api.openai.com/v1") == "https://api.openai.com/v1"
    assert mask_address("http://h/v1?customer=wolf-1234", marked=["customer"]) == "http://h/v1?customer=*********"
    assert mask_address("http://h/known-0815/v1", known=["known-0815"]) == "http://h/**********/v1"


@pytest.mark.parametrize(
    ("edited", "wanted"),
    [
        (SHOWN, REAL),
        (SHOWN.replace("host", "other.example"), REAL.replace("host", "other.example")),
        (SHOWN.replace("************@", ""), REAL.replace("me:pa55-word@", "")),
        (SHOWN.replace("*" * 19, "new"), REAL.replace("sk-1234567890abcdef", "new")),
        (SHOWN.replace("*" * 19, "*" * 18), REAL.replace("sk-1234567890abcdef", "*" * 18)),
        ("http://elsewhere/v1", "http://elsewhere/v1"),
    ],
)
def test_stars_that_are_left_alone_keep_what_they_hide(edited: str, wanted: str) -> None:
    assert restored(edited, REAL, SHOWN) == wanted


BODY = {"token": "abcdef-1", "deep": [{"secret": "ghijkl-2"}], "top_k": 3}
MASKED = {"token": "********", "deep": [{"secret": "********"}], "top_k": 3}


@pytest.mark.parametrize(
    ("edited", "wanted", "unknown"),
    [
        (MASKED, BODY, ""),
        ({**MASKED, "token": "new"}, {**BODY, "token": "new"}, ""),
        ({"moved": "********"}, {"moved": "********"}, "moved"),
        ({"token": "*****"}, {"token": "*****"}, ""),
        ({"note": "** bold **"}, {"note": "** bold **"}, ""),
        ({"deep": "***********"}, {"deep": "***********"}, "deep"),
    ],
)
def test_json_values_are_restored_by_their_place(edited: Any, wanted: Any, unknown: str) -> None:
    assert restored_value(edited, BODY, MASKED) == (wanted, unknown)


def test_a_value_that_only_one_text_can_be_may_move() -> None:
    assert restored_value({"b": "*****"}, {"a": "abcde"}, {"a": "*****"}) == ({"b": "abcde"}, "")


def test_field_masks_what_was_typed_when_the_keyboard_leaves(qtbot: QtBot, theme: Theme) -> None:
    field, other = SecretField(name="Base URL"), QLineEdit()
    for widget in (field, other):
        qtbot.addWidget(widget)
        widget.show()
    field.show_value(REAL)
    assert (field.text(), field.value) == (SHOWN, REAL)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_End)
    qtbot.keyClicks(field, "&token=t0p-secret-9")
    assert field.value == f"{REAL}&token=t0p-secret-9"
    field.clearFocus()
    qtbot.waitUntil(lambda: "t0p" not in field.text())
    assert field.value == f"{REAL}&token=t0p-secret-9"

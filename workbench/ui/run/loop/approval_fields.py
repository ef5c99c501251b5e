"""Fields of a waiting call: its arguments, and the result that a person gives in place of the tool's."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

from workbench.ui.theme.fonts import mono_font, px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.json_check import read_json

MOST_LINES = 8


class _GrowingField(QPlainTextEdit):
    """Grows to eight lines; Tab leaves it."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.setProperty("role", "field")
        self.setProperty("mono", "true")
        self.setFont(mono_font())
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(px(2))
        self.setPlainText(text)
        self.textChanged.connect(self.fit)

    def fit(self) -> None:
        """Take the height that the text needs."""
        lines, policy = max(1, int(self.document().size().height())), Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if lines > MOST_LINES else policy.ScrollBarAlwaysOff)
        self.setFixedHeight(min(lines, MOST_LINES) * self.fontMetrics().lineSpacing() + px(16))


class ArgumentField(_GrowingField):
    """One argument: a text as it is, any other value as JSON."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self._is_text = name, isinstance(value, str)
        self._given = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        super().__init__(self._given, tr("Argument {name}", name=name))

    @property
    def edited(self) -> bool:
        """It is not what the model gave."""
        return self.toPlainText() != self._given

    def value(self) -> tuple[Any, str]:
        """Return the value, and what is wrong with the text; empty if it can be read."""
        if self._is_text:
            return self.toPlainText(), ""
        value, fault = read_json(self.toPlainText())
        return value, f"{self.name}: {fault.message}" if fault else ""


class ResultField(_GrowingField):
    """What the model gets as the tool's result: JSON where it is JSON, else a text."""

    def __init__(self) -> None:
        super().__init__("", tr("Result in place of the tool's"))

    @property
    def is_json(self) -> bool:
        """It is read as JSON."""
        return read_json(self.toPlainText())[1] is None

    def value(self) -> Any:
        """The result."""
        return read_json(self.toPlainText())[0] if self.is_json else self.toPlainText()

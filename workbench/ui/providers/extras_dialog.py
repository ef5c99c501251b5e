"""Further headers and body fields of every request to a provider, as two JSON objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QWidget

from workbench.core.masking import Secrets
from workbench.core.secret_values import secrets_in_fields, secrets_in_headers
from workbench.ui.theme.fonts import px
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.code_edit import CodeEdit, JsonColours
from workbench.ui.widgets.frames import column, hairline, label, row, set_role
from workbench.ui.widgets.hidden_text import restored_value
from workbench.ui.widgets.json_check import read_json
from workbench.ui.widgets.shown_text import shown_line

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEADERS = tr(
    'Sent with every request, for example {"X-Title": "Workbench"}. A key has its own field and no place here.'
)
_BODY = tr("Merged into every request's body; a model's own settings come after it, a run's own after those.")

_STARS = tr("Stars keep what they hide; write over them to change it.")

Mask = Callable[[dict[str, str], dict[str, Any]], tuple[dict[str, str], dict[str, Any]]]


def mask_fields(
    headers: dict[str, str], body: dict[str, Any], marked: Collection[str] = (), known: Collection[str] = ()
) -> tuple[dict[str, str], dict[str, Any]]:
    """Stars for what is secret in headers and body fields: by their names, those that a user marked, and known keys."""
    secrets = Secrets({*known, *secrets_in_headers(headers.items(), marked), *secrets_in_fields(body, marked)})
    return dict(secrets.mask_headers(tuple(headers.items()))), secrets.mask_value(body)


class ProviderExtrasDialog(QDialog):
    """Opened, never executed; `headers` and `body` are read once it was accepted."""

    def __init__(
        self,
        provider: str,
        headers: Mapping[str, str],
        body: Mapping[str, Any],
        parent: QWidget,
        mask: Mask = mask_fields,
    ) -> None:
        """`mask` puts stars in the place of secrets; stars that are left alone keep what they hide."""
        super().__init__(parent)
        self.setWindowTitle(shown_line(tr("Headers and body of {provider}", provider=provider)))
        self.setModal(True)
        self.resize(px(620), px(520))
        self._real = dict(headers), dict(body)
        self._shown = mask(*self._real)
        self._headers = _editor(tr("Extra headers"), self._shown[0])
        self._body = _editor(tr("Extra body fields"), self._shown[1])
        self._colours = [JsonColours(edit.document()) for edit in (self._headers, self._body)]
        self.headers: dict[str, str] = dict(headers)
        self.body: dict[str, Any] = dict(body)
        self._hint = _STARS if self._shown != self._real else ""
        self.status = label(self._hint, "second", wrap=True)
        self.cancel = Button(tr("Cancel"), keys="Esc", on_click=self.reject)
        self.use = Button(tr("Use"), kind="primary", keys="Ctrl+Return", on_click=self._on_use)
        self.use.setShortcut("Ctrl+Return")
        parts = column(
            label(tr("Extra headers"), "label_strong"), label(_HEADERS, "label", wrap=True), self._headers, 6,
            label(tr("Extra body"), "label_strong"), label(_BODY, "label", wrap=True), self._body,
            margins=(20, 14, 20, 14),
        )  # fmt: skip
        foot = row(self.status, self.cancel, self.use, margins=(20, 10, 20, 12))
        foot.setStretch(0, 1)
        head = column(
            label(tr("Headers and body of {provider}", provider=provider), "object"), margins=(20, 14, 20, 12)
        )
        whole = column(head, hairline(), parts, hairline(), foot, gap=0)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        for edit in (self._headers, self._body):
            edit.textChanged.connect(self._check)

    def _check(self) -> None:
        words = self._read()
        self.status.setText(words or self._hint)
        set_role(self.status, "failed" if words else "second")
        self.use.setEnabled(not words)

    def _read(self) -> str:
        """Take over what can be read; return what is wrong, or nothing."""
        found: list[dict[str, Any]] = []
        for edit, name in ((self._headers, tr("Extra headers")), (self._body, tr("Extra body"))):
            text = edit.toPlainText()
            value, fault = read_json(text) if text.strip() else ({}, None)
            edit.show_fault(fault)
            if fault is not None:
                return fault.words(name)
            if not isinstance(value, dict):
                return tr("{name}: a JSON object is expected", name=name)
            at = len(found)
            value, unknown = restored_value(value, self._real[at], self._shown[at])
            if unknown:
                return tr("{name}: write again what the stars hid at {unknown!r}", name=name, unknown=unknown)
            found.append(value)
        headers, self.body = found
        if wrong := next((key for key, value in headers.items() if not isinstance(value, str)), ""):
            return tr("Extra headers: the value of {wrong!r} must be a string", wrong=wrong)
        self.headers = headers
        return ""

    def _on_use(self) -> None:
        if not self._read():
            self.accept()


def _editor(name: str, value: Mapping[str, Any]) -> CodeEdit:
    edit = CodeEdit(name)
    edit.setPlainText(json.dumps(dict(value), indent=2, ensure_ascii=False) if value else "")
    return edit

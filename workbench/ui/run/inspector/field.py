"""The inspector's foot: the argument that is selected, where its characters are, and copying."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtWidgets import QFrame

from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.run.span_index import path_python, path_text
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import ElidedLabel, column, label, row
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.states import Glyph

if TYPE_CHECKING:
    from workbench.core.calls import Span
    from workbench.ui.run.span_index import WireHit

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", dict: "object", list: "array"}


class Selection(NamedTuple):
    """What the foot shows."""

    title: str
    """`arguments.path`, or what else was chosen."""
    python: str
    value: Any
    span: Span | None
    wire: WireHit | None
    note: str = ""


def field_selection(path: tuple[str | int, ...], value: Any, span: Span | None, wire: WireHit | None) -> Selection:
    """The selection of one argument."""
    return Selection(path_text(path), path_python(path), value, span, wire)


def span_words(span: Span) -> str:
    """`characters 184–201`, with the source where it is not the text."""
    where = "" if span.source == "text" else tr(" of {source}", source=span.source)
    return tr("characters {start:,}–{end:,}{where}", start=span.start, end=span.end, where=where)


def wire_words(hit: WireHit) -> str:
    """`chunks 30–32, bytes 3,744–4,118`."""
    chunks = (
        tr("chunk {first_chunk}", first_chunk=hit.first_chunk)
        if hit.first_chunk == hit.last_chunk
        else tr("chunks {first_chunk}–{last_chunk}", first_chunk=hit.first_chunk, last_chunk=hit.last_chunk)
    )
    return tr("{chunks}, bytes {start:,}–{end:,}", chunks=chunks, start=hit.bytes[0], end=hit.bytes[1])


class FieldFoot(QFrame):
    """Path, value, raw span and wire chunks of the selection."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.selection: Selection | None = None
        self._title = ElidedLabel("", "mono_strong")
        self.kind = label("", "label")
        self.value = RawPane(tr("Value of the selected field"))
        self.raw = ElidedLabel("", "label")
        self.wire = ElidedLabel("", "label")
        self.copy_path = Button(tr("Copy path"), icon="copy", small=True, on_click=lambda: self._copy("path"))
        self.copy_python = Button("Python", icon="code", small=True, on_click=lambda: self._copy("python"))
        self.copy_value = Button(
            tr("Value"), icon="copy", small=True, tip=tr("Copy the value as JSON"), on_click=lambda: self._copy("value")
        )
        self.value.setFixedHeight(px(16))
        head = row(Glyph("link-simple", "accent", 14), self._title, self.kind, gap=8)
        head.setStretch(1, 1)
        buttons = row(self.copy_path, self.copy_python, self.copy_value, None)
        facts = column(row(_key("raw"), self.raw, None), row(_key("wire"), self.wire, None), gap=2)
        self.setLayout(column(head, self.value, facts, buttons, margins=(12, 10, 12, 12), gap=5))
        self.hide()

    def show_selection(self, selection: Selection | None) -> None:
        """Show another selection, or none."""
        self.selection = selection
        self.setVisible(selection is not None)
        if selection is None:
            return
        self._title.setText(selection.title)
        self.kind.setText(
            selection.note or (tr("null") if selection.value is None else _TYPES.get(type(selection.value), ""))
        )
        self._show_value(selection.value)
        self.raw.setText(span_words(selection.span) if selection.span else tr("not in the text"))
        self.wire.setText(wire_words(selection.wire) if selection.wire else tr("not recorded"))
        self.setAccessibleName(tr("Selected: {title}", title=selection.title))

    def _show_value(self, value: Any) -> None:
        from workbench.core.calls import Region, Span

        text = json.dumps(value, ensure_ascii=False, indent=2 if isinstance(value, dict | list) else None)
        role = "string" if isinstance(value, str) else "number"
        whole = [] if isinstance(value, dict | list) else [Region(role, Span(0, len(text)))]  # type: ignore[arg-type]
        self.value.show_text(text, whole)
        height = self.value.text_height(max(self.width() - px(24), px(120)))
        self.value.setFixedHeight(min(max(height, px(16)), px(96)))

    def _copy(self, what: str) -> None:
        if self.selection is None:
            return
        text = {
            "path": self.selection.title,
            "python": self.selection.python,
            "value": json.dumps(self.selection.value, ensure_ascii=False),
        }[what]
        copy_text(text)


def _key(text: str) -> Any:
    made = label(text, "faint")
    fix_size(made, width=28)
    return made

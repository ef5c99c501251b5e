"""The one style sheet of the application. Rules are keyed by a widget's `role` property, set once when it is made.

Buttons, chips, tabs and fields with inner labels paint themselves (`widgets`); here is what Qt's own controls need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.theme import fonts

if TYPE_CHECKING:
    from workbench.ui.theme.tokens import Tokens

_GROUNDS = ("chrome", "surface", "sunken", "hover", "sel", "failed_tint", "error_tint", "cancelled_tint")

_LABELS = {
    # role: (size, weight, token, family)
    "object": (16, 600, "text", "ui"),
    "window_title": (14, 600, "text", "ui"),
    "error_title": (14, 600, "text", "ui"),
    "section": (13, 600, "text", "ui"),
    "item": (13, 400, "text", "ui"),
    "strong": (12, 600, "text", "ui"),
    "body": (12, 400, "text", "ui"),
    "second": (12, 400, "text2", "ui"),
    "context": (12, 400, "text2", "ui"),
    "accent": (12, 600, "accent", "ui"),
    "label": (11, 400, "text2", "ui"),
    "label_strong": (11, 600, "text2", "ui"),
    "faint": (11, 400, "text3", "ui"),
    "tick": (10, 400, "text3", "ui"),
    "mono": (12, 400, "text", "mono"),
    "mono_strong": (12, 600, "text", "mono"),
    "mono_second": (12, 400, "text2", "mono"),
    "mono_small": (11, 400, "text2", "mono"),
    "mono_faint": (11, 400, "text3", "mono"),
}


def _label_rules(tokens: Tokens) -> str:
    """Rules of the text roles; `empty` is the italic voice of a pane with nothing to show."""
    rules = []
    for role, (size, weight, token, family) in _LABELS.items():
        name = fonts.mono_family() if family == "mono" else fonts.ui_family()
        rules.append(
            f'QLabel[role="{role}"] {{ font-family: "{name}"; font-size: {fonts.px(size)}px;'
            f" font-weight: {weight}; color: {tokens.colour(token)}; }}"
        )
    for role, token in (("passed", "passed"), ("failed", "failed"), ("error", "error"), ("running", "accent")):
        rules.append(f'QLabel[role="{role}"] {{ font-weight: 600; color: {tokens.colour(token)}; }}')
    rules.append(f'QLabel[role="empty"] {{ font-style: italic; color: {tokens.text3}; }}')
    rules.append(f"QLabel:disabled {{ color: {tokens.text3}; }}")
    return "\n".join(rules)


def _ground_rules(tokens: Tokens) -> str:
    """Frames: a ground each, the card with its border and radius, and hairlines."""
    rules = [f'QFrame[role="{name}"] {{ background: {tokens.colour(name)}; border: 0; }}' for name in _GROUNDS]
    rules += [
        f'QFrame[role="card"] {{ background: {tokens.surface}; border: 1px solid {tokens.line2}; border-radius: 8px; }}',
        'QFrame[role="inside_card"] { background: transparent; border: 0; }',
        f'QFrame[role="hairline"] {{ background: {tokens.line}; border: 0; }}',
        f'QFrame[role="hairline2"] {{ background: {tokens.line2}; border: 0; }}',
        f'QFrame[role="accent_bar"] {{ background: {tokens.accent}; border: 0; }}',
        f'QFrame[role="error_bar"] {{ background: {tokens.error}; border: 0; }}',
    ]
    return "\n".join(rules)


def _field_rules(tokens: Tokens) -> str:
    """Editable fields; focus is a ring of 2 px inside the border, so nothing moves."""
    size, mono = fonts.px(12), fonts.mono_family()
    high, wide = fonts.px(5), fonts.px(6)
    fields = "QLineEdit, QPlainTextEdit[role='field'], QTextEdit[role='field']"
    focus = ", ".join(f"{part.strip()}:focus" for part in fields.split(","))
    return f"""
{fields} {{ background: {tokens.surface}; color: {tokens.text}; border: 1px solid {tokens.edge}; border-radius: 6px;
  padding: 0 8px; font-size: {size}px; selection-background-color: {tokens.link}; selection-color: {tokens.text}; }}
QLineEdit {{ min-height: {fonts.px(26)}px; }}
QPlainTextEdit[role='field'], QTextEdit[role='field'] {{ padding: {high}px {wide}px; }}
{focus} {{ border: 2px solid {tokens.accent}; padding: 0 7px; }}
QPlainTextEdit[role='field']:focus, QTextEdit[role='field']:focus {{ padding: {high - 1}px {wide - 1}px; }}
QLineEdit[mono='true'], QPlainTextEdit[mono='true'] {{ font-family: "{mono}"; }}
QLineEdit[invalid='true'], QPlainTextEdit[invalid='true'] {{ border-color: {tokens.error}; }}
QLineEdit[role='bare'], QLineEdit[role='bare']:focus {{ border: 0; background: transparent; padding: 0; }}
QLineEdit:disabled, QPlainTextEdit:disabled {{ color: {tokens.text3}; border-color: {tokens.line2}; }}
QLineEdit:read-only {{ border-color: {tokens.line2}; background: {tokens.sunken}; }}
QPlainTextEdit[role='pane'], QTextEdit[role='pane'] {{ border: 0; background: transparent; font-family: "{mono}";
  font-size: {size}px; selection-background-color: {tokens.link}; selection-color: {tokens.text}; }}
"""


def _view_rules(tokens: Tokens) -> str:
    """Lists, tables and their headers; delegates paint the rows."""
    return f"""
QAbstractItemView {{ background: {tokens.surface}; color: {tokens.text}; border: 0; outline: 0;
  selection-background-color: {tokens.sel}; selection-color: {tokens.text}; gridline-color: {tokens.line}; }}
QAbstractItemView[role="chrome_list"] {{ background: {tokens.chrome}; }}
QHeaderView {{ background: {tokens.sunken}; border: 0; }}
QHeaderView::section {{ background: {tokens.sunken}; color: {tokens.text2}; border: 0; padding: 0 {fonts.px(8)}px;
  border-bottom: 1px solid {tokens.line}; font-size: {fonts.px(11)}px; font-weight: 600; }}
QHeaderView::section:first {{ padding-left: {fonts.px(16)}px; }}
QTableView[lead="24"] QHeaderView::section:first {{ padding-left: {fonts.px(24)}px; }}
QTableCornerButton::section {{ background: {tokens.sunken}; border: 0; }}
QScrollArea, QAbstractScrollArea {{ border: 0; }}
QSplitter::handle {{ background: {tokens.line}; }}
QSplitter::handle:hover {{ background: {tokens.accent}; }}
"""


def _chrome_rules(tokens: Tokens) -> str:
    """Scroll bars, lists of combo boxes, menus, tool tips, dialogs."""
    return f"""
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {tokens.line2}; border-radius: 3px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar::handle:hover {{ background: {tokens.edge}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox QAbstractItemView {{ border: 1px solid {tokens.line2}; padding: 4px; }}
QComboBox QAbstractItemView::item {{ min-height: {fonts.px(24)}px; padding: 0 {fonts.px(8)}px; border-radius: 4px; }}
QComboBox QAbstractItemView::item:selected {{ background: {tokens.sel}; color: {tokens.text}; }}
QMenu {{ background: {tokens.surface}; border: 1px solid {tokens.line2}; padding: 4px; icon-size: {fonts.px(16)}px; }}
QMenu::item {{ padding: 5px 24px 5px 12px; border-radius: 4px; }}
QMenu::item:selected {{ background: {tokens.sel}; color: {tokens.text}; }}
QMenu::item:disabled {{ color: {tokens.text3}; }}
QMenu::separator {{ height: 1px; background: {tokens.line}; margin: 4px 8px; }}
QMenu::icon {{ padding-left: 8px; }}
QToolTip {{ background: {tokens.surface}; color: {tokens.text}; border: 1px solid {tokens.line2}; padding: 4px 6px; }}
QDialog {{ background: {tokens.surface}; }}
"""


def stylesheet_for(tokens: Tokens) -> str:
    """Return the application's style sheet for a theme at the current text size."""
    parts = (_label_rules, _ground_rules, _field_rules, _view_rules, _chrome_rules)
    return "\n".join(part(tokens) for part in parts)

"""The window's looks: which tokens hold now, how large text is, and who is told when that changes.

Looks belong to the application as QPalette and style do, so the current tokens are read with `tokens()` anywhere in
`ui`; only `Theme` sets them.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Literal, get_args

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QStyleFactory

from workbench.ui.theme import fonts
from workbench.ui.theme.palette import palette_for
from workbench.ui.theme.stylesheet import stylesheet_for
from workbench.ui.theme.tokens import DARK, DARK_RED_GREEN, LIGHT, LIGHT_RED_GREEN, Tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

ThemeChoice = Literal["system", "light", "dark"]
VerdictColours = Literal["blue_orange", "red_green"]
CHOICES: tuple[ThemeChoice, ...] = get_args(ThemeChoice)
TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
"""Per cent, as offered."""
MIN_SCALE, MAX_SCALE = TEXT_SIZES[0] / 100, TEXT_SIZES[-1] / 100

_current = LIGHT
_laid: tuple[Tokens, float] | None = None
"""Colours and text size that lie on the application; laying them anew is what costs most in a window's start."""
_moves = True


def tokens() -> Tokens:
    """Return the colours that hold now."""
    return _current


def moves() -> bool:
    """Whether things may turn and fade; what stands still says the same."""
    return _moves


def fix_size(widget: QWidget, width: int | None = None, height: int | None = None) -> None:
    """Fix a widget's size in pixels of the specification; it follows the text size from then on."""
    if width is not None:
        for bound in ("leastWidth", "mostWidth"):  # a fixed width has no bounds beside it
            widget.setProperty(bound, None)
        widget.setProperty("baseWidth", width)
        widget.setFixedWidth(fonts.px(width))
    if height is not None:
        widget.setProperty("baseHeight", height)
        widget.setFixedHeight(fonts.px(height))


def bound_width(widget: QWidget, *, least: int | None = None, most: int | None = None) -> None:
    """Bound a widget's width in pixels of the specification; the bounds follow the text size from then on."""
    if least is not None:
        widget.setProperty("leastWidth", least)
        widget.setMinimumWidth(fonts.px(least))
    if most is not None:
        widget.setProperty("mostWidth", most)
        widget.setMaximumWidth(fonts.px(most))


def bound_height(widget: QWidget, least: int) -> None:
    """Keep a widget at least so high, in pixels of the specification; it follows the text size from then on."""
    widget.setProperty("leastHeight", least)
    widget.setMinimumHeight(fonts.px(least))


class Theme(QObject):
    """Applies light, dark or the system's colours and the text size to the application."""

    changed = Signal()
    """Colours or sizes are others now; formats made from them must be made again."""

    def __init__(
        self,
        app: QApplication,
        choice: ThemeChoice = "system",
        scale: float = 1.0,
        verdicts: VerdictColours = "blue_orange",
    ) -> None:
        super().__init__(app)
        self._app = app
        self._verdicts: VerdictColours = verdicts
        self._choice: ThemeChoice = choice
        self._scale = scale
        self._cursor_flash = app.cursorFlashTime()
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        if _laid is None:
            app.setStyle(QStyleFactory.create("Fusion"))
        if _laid != (self._wanted(), scale):
            self._apply()

    @property
    def choice(self) -> ThemeChoice:
        """What the user chose."""
        return self._choice

    @property
    def scale(self) -> float:
        """Text size, 1.0 being 100 %."""
        return self._scale

    @property
    def tokens(self) -> Tokens:
        """The colours that hold now."""
        return _current

    def choose(self, choice: ThemeChoice) -> None:
        """Switch to light, dark or the system's colours."""
        if choice != self._choice:
            self._choice = choice
            self._apply()

    def choose_verdicts(self, verdicts: VerdictColours) -> None:
        """Show pass and fail in blue and orange, or in green and red."""
        if verdicts != self._verdicts:
            self._verdicts = verdicts
            self._apply()

    def set_scale(self, scale: float) -> None:
        """Set the text size; held between 80 and 200 %."""
        scale = min(MAX_SCALE, max(MIN_SCALE, scale))
        if scale != self._scale:
            self._scale = scale
            self._apply()

    def let_move(self, moving: bool) -> None:
        """Let spinners turn and the text cursor blink, or have everything stand still."""
        global _moves  # noqa: PLW0603  # the one place that sets it
        if moving == _moves:
            return
        _moves = moving
        self._app.setCursorFlashTime(self._cursor_flash if moving else 0)

    def _wanted(self) -> Tokens:
        dark = self._choice == "dark"
        if self._choice == "system":
            dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        if self._verdicts == "red_green":
            return DARK_RED_GREEN if dark else LIGHT_RED_GREEN
        return DARK if dark else LIGHT

    def _rescale(self) -> None:
        """Give widgets of fixed size (see `fix_size`) their size at the new text size.

        Python's collector waits meanwhile: it would destroy closed widgets, parts of which are still in the list.
        """
        collects = gc.isenabled()
        gc.disable()
        try:
            for widget in self._app.allWidgets():
                fix_size(widget, widget.property("baseWidth"), widget.property("baseHeight"))
                bound_width(widget, least=widget.property("leastWidth"), most=widget.property("mostWidth"))
                if (least := widget.property("leastHeight")) is not None:
                    bound_height(widget, least)
                widget.updateGeometry()
        finally:
            if collects:
                gc.enable()

    def _apply(self) -> None:
        global _current, _laid  # noqa: PLW0603  # the one place that sets them
        _current = self._wanted()
        _laid = _current, self._scale
        fonts.set_scale(self._scale)
        self._app.setFont(fonts.ui_font())
        self._app.setPalette(palette_for(_current))
        self._app.setStyleSheet(
            ""
        )  # one sheet in another's place is laid on every widget once for each of its ancestors
        self._app.setStyleSheet(stylesheet_for(_current))
        self._rescale()
        self.changed.emit()

    def _on_system_changed(self) -> None:
        if self._choice == "system" and self._wanted() is not _current:
            self._apply()

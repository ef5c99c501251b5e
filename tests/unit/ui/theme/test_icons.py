from __future__ import annotations

import re
import subprocess
import sys

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter

from tests.kit.tree import PACKAGE
from workbench.ui.theme import icons
from workbench.ui.theme.tokens import DARK


def _ink(image: QImage) -> set[str]:
    points = [(x, y) for x in range(image.width()) for y in range(image.height())]
    return {image.pixelColor(x, y).name() for x, y in points if image.pixelColor(x, y).alpha() == 255}


def test_icons_follow_the_theme(theme) -> None:
    made = icons.icon("stop", "accent")
    light = _ink(made.pixmap(QSize(32, 32)).toImage())
    theme.choose("dark")
    dark = _ink(icons.icon("stop", "accent").pixmap(QSize(32, 32)).toImage())
    assert "#0b746b" in light
    assert DARK.accent.lower() in dark
    assert not made.pixmap(QSize(16, 16), QIcon.Mode.Disabled).isNull()


def test_a_missing_font_leaves_a_mark(theme, monkeypatch) -> None:
    monkeypatch.setattr(icons, "_glyphs", lambda: None)
    image = QImage(20, 20, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    icons.paint_icon(painter, "play", QRect(0, 0, 20, 20), QColor("#112233"))
    painter.end()
    assert "#112233" in _ink(image)
    assert not icons.has_icon("play")


def test_every_icon_named_in_the_window_exists(qapp) -> None:
    """A wrong name would only show as a small square."""
    named = re.compile(r"""(?:icon(?:_name)?=|icon\(|Glyph\(|paint_icon\(\w+, |set_icon_name\()"([a-z-]+)\"""")
    found = {name for path in (PACKAGE / "ui").rglob("*.py") for name in named.findall(path.read_text("utf-8"))}
    assert len(found) > 15
    assert not [name for name in sorted(found) if not icons.has_icon(name)]


def test_qtawesome_is_never_imported() -> None:
    code = (
        "import sys; from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from workbench.ui.theme import icons; from PySide6.QtCore import QSize;"
        "icons.icon('play').pixmap(QSize(16, 16)); assert icons.has_icon('play');"
        "sys.exit('qtawesome' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

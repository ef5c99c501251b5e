"""Colours of YAML as it is typed."""

from __future__ import annotations

import re

from PySide6.QtGui import QSyntaxHighlighter, QTextDocument

from workbench.ui.theme.syntax import role_formats
from workbench.ui.widgets.shown_text import units

_LINE = re.compile(
    r"(?P<reasoning>(?:^|\s)\#.*$)|(?P<key>^\s*(?:-\s+)*[\w.$-]+(?=\s*:(?:\s|$)))|(?P<inner>[\w.$-]+(?=\s*:\s))"
    r"|(?P<string>\"(?:[^\"\\]|\\.)*\"?|'(?:[^']|'')*'?)|(?P<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-])"
    r"|(?<![\w-])(?:true|false|null)(?![\w-]))"
)


class YamlColours(QSyntaxHighlighter):
    """Colours a line by itself; the text of a block stays plain."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._looks = role_formats()

    def restyle(self) -> None:
        """Take the colours of another theme."""
        self._looks = role_formats()
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        for match in _LINE.finditer(text):
            role = {"inner": "key"}.get(match.lastgroup or "", match.lastgroup or "string")
            self.setFormat(units(text[: match.start()]), units(match[0]), self._looks[role])

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit

from tests.kit.gui import picture
from workbench.ui.theme.syntax import role_formats
from workbench.ui.widgets.yaml_colours import YamlColours

TEXT = 'title: "Weather" # note\ncount: 3\ndays: {any_of: [1], optional: true}\n'


def test_keys_values_and_comments_have_their_colours(theme, qtbot) -> None:
    editor = QPlainTextEdit(TEXT)
    colours = YamlColours(editor.document())
    colours.rehighlight()
    qtbot.addWidget(editor)
    editor.show()
    looks = role_formats()
    found = {}
    block = editor.document().begin()
    while block.isValid():
        for one in block.layout().formats():
            found[block.text()[one.start : one.start + one.length].strip()] = one.format.foreground().color().name()
        block = block.next()
    for word, role in (
        ("title", "key"),
        ('"Weather"', "string"),
        ("3", "number"),
        ("any_of", "key"),
        ("true", "number"),
    ):
        assert found[word] == looks[role].foreground().color().name(), word
    before = picture(editor)
    theme.choose("dark")
    colours.restyle()
    assert picture(editor) != before

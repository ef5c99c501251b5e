"""A user's own format as a file, with its samples and registry rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KITTY = '''"""Calls in <<kitty>> marks."""

from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.tag_json import TagJson


class Kitty(TagJson):
    format = "kitty"
    envelope = Envelope()
    opens = ("<kitty>",)
    closes = ("</kitty>",)


def write_call(call):
    return f"<kitty>{compact({'name': call.name, 'arguments': call.arguments})}</kitty>"


FORMATS = (FormatSpec(id="kitty", family="kitty", models="Kitty 7B", grammar=Kitty(), write_call=write_call),)
'''
SAMPLES = """examples:
- raw: 'Purr. <kitty>{"name": "now", "arguments": {"zone": "UTC"}}</kitty>'
  calls: [{name: now, arguments: {zone: UTC}}]
  text: Purr.
malformed:
- raw: '<kitty>{"name": "now", "arguments": {"zone": "UTC",}}</kitty>'
  calls: [{name: now, arguments: {zone: UTC}}]
  repairs: [trailing_comma]
"""
ROWS = """[[rule]]
id = "kitty"
pattern = "kitty"
formats = ["kitty", "react"]
"""


def kitty_folder(folder: Path) -> Path:
    """Write the three files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kitty.py").write_text(KITTY, encoding="utf-8")
    (folder / "kitty.yaml").write_text(SAMPLES, encoding="utf-8")
    (folder / "models.toml").write_text(ROWS, encoding="utf-8")
    return folder

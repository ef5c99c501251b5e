"""A single HTML file: no script, nothing loaded from anywhere, light and dark; what a model wrote is never markup."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from workbench.core.unseen import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --sunken: #f8f9fa; --text: #1b1f24; --second: #4c5460; --line: #e3e6ea;
  --pass: #0a60bd; --fail: #ad4508; --error: #b3213b; --flaky: #6b45a6; --tint: #fcede2; }
@media (prefers-color-scheme: dark) { :root { --ground: #1c1f23; --sunken: #191b1f; --text: #e3e6ea; --second: #b3bac4;
  --line: #2b2f35; --pass: #72b4ff; --fail: #f49b5c; --error: #ff8a99; --flaky: #c4a5f5; --tint: #3b2515; } }
body { font: 14px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); max-width: 1200px;
  margin: 32px auto; padding: 0 24px; }
h1 { font-size: 22px; font-weight: 600; margin: 0 0 4px; } h2 { font-size: 16px; font-weight: 600; margin: 32px 0 8px; }
h3 { font-size: 14px; font-weight: 600; margin: 16px 0 4px; } p { margin: 4px 0; } .second { color: var(--second); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 4px 16px 4px 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; } td.right, th.right { text-align: right; }
pre { font: 12px/16px ui-monospace, monospace; background: var(--sunken); padding: 8px 12px; margin: 4px 0 12px;
  white-space: pre-wrap; overflow-wrap: anywhere; border-radius: 6px; unicode-bidi: plaintext; }
code { font: 12px ui-monospace, monospace; } bdi { overflow-wrap: anywhere; }
details { border-bottom: 1px solid var(--line); padding: 6px 0; } summary { cursor: pointer; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .error { color: var(--error); } .flaky { color: var(--flaky); }
.doubt { background: var(--tint); padding: 4px 12px; border-radius: 6px; }
@media print { body { margin: 0; max-width: none; } details > * { display: block; } }
"""
_UNSEEN = re.compile(f"[\x00-\x08\x0b-\x1f]|{HIDDEN.pattern}")


class Markup(str):
    """Text that is HTML already; everything else is escaped."""

    __slots__ = ()


def escape(value: object) -> Markup:
    """The text as HTML shows it; characters that nobody sees, or that turn others around, stand as their numbers."""
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(_UNSEEN.sub(lambda found: f"‹{ord(found[0]):04X}›", str(value))))


def tag(name: str, *inside: object, **attributes: str) -> Markup:
    """An element; `class_` is its class."""
    given = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items() if value)
    return Markup(f"<{name}{given}>{''.join(escape(one) for one in inside)}</{name}>")


def own_words(text: object) -> Markup:
    """A short text of somebody else: its direction cannot reach beyond it."""
    return tag("bdi", text)


def table(heads: Sequence[object], rows: Iterable[Sequence[object]], *, right: Iterable[int] = ()) -> Markup:
    """A table that scrolls by itself where it is wide; columns in `right` are numbers."""
    numbers = set(right)

    def line(kind: str, cells: Sequence[object]) -> Markup:
        return tag("tr", *(tag(kind, cell, class_="right" if at in numbers else "") for at, cell in enumerate(cells)))

    body = tag("tbody", *(line("td", row) for row in rows))
    return tag("div", tag("table", tag("thead", line("th", heads)), body), class_="scroll")


def page(title: str, *body: object) -> str:
    """The whole document."""
    inside = "\n".join(escape(part) for part in body)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{inside}\n</body>\n</html>\n"
    )

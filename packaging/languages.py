"""The window's words for translators: `python3 packaging/dev.py words` writes them to build/workbench.pot.

Collected are the constants of `tr(…)` and the nouns of `counted(…)` in `workbench/ui`, each with its places in the code.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "build" / "workbench.pot"
Words = str | tuple[str, str]
"""A text, or a noun for one and for many."""


def words_in(source: str) -> Iterator[tuple[Words, int]]:
    """All translatable words of a module, with their lines."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        constants = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        match node.func:
            case ast.Name("tr") if constants:
                yield constants[0], node.lineno
            case ast.Name("counted") if constants:
                yield (constants[0], constants[1] if len(constants) > 1 else constants[0] + "s"), node.lineno


def collected(root: Path = ROOT) -> dict[Words, list[tuple[str, int]]]:
    """Words → the places where they stand, in the order of files and lines."""
    found: dict[Words, list[tuple[str, int]]] = defaultdict(list)
    for path in sorted((root / "workbench" / "ui").rglob("*.py")):
        for words, line in words_in(path.read_text(encoding="utf-8")):
            found[words].append((path.relative_to(root).as_posix(), line))
    return found


def catalogue(found: dict[Words, list[tuple[str, int]]]) -> Catalog:
    """The words as a template for gettext's tools."""
    made = Catalog(project="Tool-Calling Workbench", charset="utf-8")
    for words, places in found.items():
        text = words if isinstance(words, str) else words[0]
        flags = ["python-brace-format"] if re.search(r"\{\w+", text) else []
        made.add(words, locations=places, flags=flags)
    return made


if __name__ == "__main__":
    every = collected()
    TEMPLATE.parent.mkdir(exist_ok=True)
    with TEMPLATE.open("wb") as file:
        write_po(file, catalogue(every), width=100)
    print(f"{len(every)} texts in {TEMPLATE.relative_to(ROOT)}")

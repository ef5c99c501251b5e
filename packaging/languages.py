"""The window's words for translators: `python3 packaging/dev.py words` writes them to build/workbench.pot.

Collected are the constants of `tr(…)` and the nouns of `counted(…)` in `workbench/ui`, each with its places in the code, and
the sentences about a run that are recorded in English (verdicts, problems of a reply), as templates made from the code.
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
ROOMS = ("engine", "formats", "grading", "gateway", "wires")
"""Where the sentences are made that are recorded in English and translated where the window shows them."""
TOLD = frozenset("RunFinding ParseProblem JsonRead Incident notice report _Finding _Stop _verdict".split())
"""What is given to these is such a sentence."""
SENTENCES = "sentence"
"""Their context in a catalogue; `workbench/ui/theme/translation.py` looks for it."""
SENTENCE = re.compile(r"[A-Z{].* .*[.!?]", re.DOTALL)
WORD = re.compile(r"[A-Za-z]{2,}")


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


def sentences_in(source: str) -> Iterator[tuple[str, int]]:
    """All sentences of a module that are recorded, with places for their values, and their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call | ast.Assign | ast.AnnAssign):
            given = [*node.args, *(one.value for one in node.keywords)] if isinstance(node, ast.Call) else [node.value]
            if isinstance(node, ast.Call) and _name(node.func) not in TOLD:
                continue
            for value in given:
                for text in _texts(value, {}) if value is not None else ():
                    if SENTENCE.fullmatch(text) and WORD.search(re.sub(r"\{\w+\}", "", text)):
                        yield text, node.lineno


def _name(node: ast.expr) -> str:
    """The last name of `one.two` and `one.two(…)`; empty for anything else."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=inner):
            return _name(inner)
        case _:
            return ""


def _texts(node: ast.expr, used: dict[str, int]) -> list[str]:
    """The templates that a text can come from: both sides of a condition, a place for each value."""
    match node:
        case ast.Constant(str(text)):
            return [text.replace("{", "{{").replace("}", "}}")]
        case ast.IfExp(body=one, orelse=other):
            return [*_texts(one, {**used}), *_texts(other, {**used})]
        case ast.Dict(values=values):
            return [text for value in values for text in _texts(value, {})]
        case ast.JoinedStr(parts):
            made = [""]
            for part in parts:
                ways = _part(part, used)
                made = [before + text for before in made for text in ways]
            return made
        case _:
            return []


def _part(node: ast.expr, used: dict[str, int]) -> list[str]:
    if not isinstance(node, ast.FormattedValue):
        return _texts(node, used)
    if found := _texts(node.value, used):
        return found
    name = _name(node.value) or "value"
    used[name] = used.get(name, 0) + 1
    return [f"{{{name}}}" if used[name] == 1 else f"{{{name}_{used[name]}}}"]


def told(root: Path = ROOT) -> dict[str, list[tuple[str, int]]]:
    """Recorded sentence → the places where it is made."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for room in ROOMS:
        for path in sorted((root / "workbench" / room).rglob("*.py")):
            for text, line in sentences_in(path.read_text(encoding="utf-8")):
                found[text].append((path.relative_to(root).as_posix(), line))
    return found


def collected(root: Path = ROOT) -> dict[Words, list[tuple[str, int]]]:
    """Words → the places where they stand, in the order of files and lines."""
    found: dict[Words, list[tuple[str, int]]] = defaultdict(list)
    for path in sorted((root / "workbench" / "ui").rglob("*.py")):
        for words, line in words_in(path.read_text(encoding="utf-8")):
            found[words].append((path.relative_to(root).as_posix(), line))
    return found


def catalogue(found: dict[Words, list[tuple[str, int]]], sentences: dict[str, list[tuple[str, int]]]) -> Catalog:
    """The words as a template for gettext's tools; sentences that are recorded stand in a context of their own."""
    made = Catalog(project="Tool-Calling Workbench", charset="utf-8")
    for words, places in found.items():
        made.add(words, locations=places, flags=_flags(words if isinstance(words, str) else words[0]))
    for text, places in sentences.items():
        made.add(text, locations=places, flags=_flags(text), context=SENTENCES)
    return made


def _flags(text: str) -> list[str]:
    return ["python-brace-format"] if re.search(r"\{\w+", text) else []


if __name__ == "__main__":
    every, recorded = collected(), told()
    TEMPLATE.parent.mkdir(exist_ok=True)
    with TEMPLATE.open("wb") as file:
        write_po(file, catalogue(every, recorded), width=100)
    print(f"{len(every)} texts and {len(recorded)} recorded sentences in {TEMPLATE.relative_to(ROOT)}")

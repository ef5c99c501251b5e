"""Regular expressions that also know their beginnings.

A stream must tell three cases apart: a marker, no marker, and *not yet a marker*. Each pattern here is a pair of
expressions made from one description: `full` matches the marker, `partial` matches any beginning of it that reaches
the end of the text. So hold-back and recognition cannot disagree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

END = r"\Z"


class Pattern(NamedTuple):
    """One thing to recognise, whole and begun."""

    full: str
    partial: str
    """Matches every beginning, the empty and the complete one included, but only up to the end of the text."""


def lit(text: str) -> Pattern:
    """Match `text` itself."""
    return seq(*(Pattern(re.escape(char), END) for char in text))


def cls(chars: str, least: int, most: int) -> Pattern:
    """Match between `least` and `most` characters of a class, all that are there (no backtracking)."""
    return Pattern(f"{chars}{{{least},{most}}}+", f"{chars}{{0,{most}}}+{END}")


def seq(*parts: Pattern) -> Pattern:
    """Match one after the other."""
    full, partial = "", END
    for part in reversed(parts):
        partial = _either(part.partial, part.full + partial)
        full = part.full + full
    return Pattern(full, partial)


def alt(*parts: Pattern) -> Pattern:
    """Match the first that fits."""
    return Pattern(f"(?:{'|'.join(part.full for part in parts)})", f"(?:{'|'.join(part.partial for part in parts)})")


def opt(part: Pattern) -> Pattern:
    """Match it or nothing."""
    return Pattern(f"(?:{part.full})?", part.partial)


def many(part: Pattern, most: int) -> Pattern:
    """Match up to `most` times."""
    return Pattern(f"(?:{part.full}){{0,{most}}}", f"(?:{part.full}){{0,{most - 1}}}{part.partial}")


def ahead(condition: str) -> Pattern:
    """Match nothing, where `condition` (a lookaround) holds; undecided at the end of the text."""
    return Pattern(condition, END)


def named(name: str, part: Pattern) -> Pattern:
    """Let the whole expression capture this part under a name."""
    return Pattern(f"(?P<{name}>{part.full})", part.partial)


def words(choices: Iterable[str], separator: str = "_") -> Pattern:
    """Match one of many words; `_` in a word stands for the `separator` expression (one or no character)."""
    tree: dict[str, dict[str, object]] = {}
    for word in sorted(set(choices)):
        node = tree
        for char in word:
            node = node.setdefault(char, {})  # type: ignore[assignment]
        node[""] = {}
    return _branch(tree, separator)


def _branch(node: dict[str, dict[str, object]], separator: str) -> Pattern:
    options: list[Pattern] = []
    for char, below in node.items():
        if char:
            step = Pattern(separator if char == "_" else re.escape(char), END)
            options.append(seq(step, _branch(below, separator)))  # type: ignore[arg-type]
    if not options:
        return Pattern("", END)
    joined = alt(*options) if len(options) > 1 else options[0]
    return opt(joined) if "" in node else joined


def _either(first: str, second: str) -> str:
    if first == END:
        return f"(?:{END}|{second})" if second != END else END
    return f"(?:{first}|{second})"


def exact(part: Pattern) -> Pattern:
    """Match in this case only, where the whole ignores it."""
    return Pattern(f"(?-i:{part.full})", f"(?-i:{part.partial})")

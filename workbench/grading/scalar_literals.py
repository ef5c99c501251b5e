"""Numbers and truth values inside of texts: what the readers of Java's and JavaScript's literals share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Scalars: TypeAlias = Mapping[str, tuple[re.Pattern[str], Callable[[str], Any]]]
"""How the literals of a type look, and what they hold, by type."""


def read_scalar(text: str, kind: str, scalars: Scalars) -> Any:
    """Return what a literal of a type holds; the text itself where it is none, or the type holds texts."""
    if kind not in scalars:
        return text
    shape, value = scalars[kind]
    try:
        return value(text) if shape.match(text) else text
    except ValueError:  # more digits than anybody reads
        return text

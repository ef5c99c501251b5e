"""Python source that a model wrote, read without a warning: an odd escape or number in it is nobody's mistake here.

Warnings would be printed on the user's terminal, and where they are errors the same text would read differently.
"""

from __future__ import annotations

import ast
import warnings
from typing import Any

FAILURES = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)
"""What both functions may raise."""


def literal(text: str) -> Any:
    """Evaluate a Python literal and nothing else."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(text)


def expression(text: str) -> ast.expr:
    """Return the tree of one expression."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body

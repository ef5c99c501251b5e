"""JSON that others wrote: whatever is none is refused in one way, a hundred thousand brackets included.

Python's reader has two refusals, ValueError and RecursionError, and who expects the one forgets the other. A test bans it
elsewhere.
"""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

UNREADABLE: Final = object()
"""Stands for text that is not JSON, as None is a JSON value."""


def parse_json(text: str | bytes, *, exact: bool = False, **options: Any) -> Any:
    """Return the value of one JSON text; raise ValueError with a reason, `json.JSONDecodeError` where there is a place.

    `exact`: to the letter, while Python takes `NaN` and `Infinity`, too. `options` are further ones of `json.loads`.
    """
    if exact:
        options["parse_constant"] = _refuse_number
    try:
        return json.loads(text, **options)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        if type(error) is ValueError and str(error).startswith("Exceeds"):  # the time for it grows with their square
            raise ValueError("a number has more than 4300 digits") from None
        raise


def json_or(text: str | bytes, otherwise: Any = UNREADABLE) -> Any:
    """Return the value of one JSON text, or something else for what is none."""
    try:
        return parse_json(text)
    except ValueError:
        return otherwise


def _refuse_number(word: str) -> NoReturn:
    raise ValueError(f"there is no number {word!r}")

"""What is inferred of a dialect: the markers around a call and around its arguments."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GrammarFields:
    """The fields of a drafted grammar; but for the first two each with its blanks."""

    opens: str
    closes: str = ""
    """`\\x00` stands for the tool's name."""
    before_name: str = ""
    between: str = ""
    pair_open: str = ""
    assign: str = ""
    pair_close: str = ""
    """`\\x01` stands for the key."""
    divider: str = ""
    quote: str = ""
    before_close: str = ""
    name_key: str = ""
    """The name stands in the JSON, under this key."""
    argument_key: str = ""

"""All that a format says of a reply, in plain values, insisting that it is the same however the reply is cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import ParseResult
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())


@dataclass(frozen=True)
class Told:
    """A reading without its places."""

    calls: list[tuple[str, dict[str, Any], str, str]]
    """`(name, arguments, repairs with blanks between, the text that was the call)`."""
    text: str = ""
    problems: list[tuple[str, str, str]] = field(default_factory=list)
    """`(code, name, message)`."""


def told(form: str, raw: str, reason: str = "stop", *, declared: bool = True) -> Told:
    """Read a reply whole and in characters; return what was read. `reason`: why the reply ended."""
    tools = SPECS if declared else None
    whole = get_format(form).parse(raw, tools, reason)
    parser = get_format(form).parser(tools)
    for char in raw:
        parser.feed(char)
    parser.finish(reason)
    assert parser.result() == whole, "another reading in characters"
    return plain(whole, raw)


def plain(result: ParseResult, raw: str) -> Told:
    """A reading without its places."""
    calls = [
        (one.name, one.arguments, " ".join(one.repairs), raw[one.span.start : one.span.end]) for one in result.calls
    ]
    return Told(calls, result.text, [(one.code, one.name, one.message) for one in result.problems])

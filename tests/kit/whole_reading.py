"""All that a format says of a reply, in plain values, insisting that it is the same however the reply is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import ParseResult
from workbench.core.tools import ToolSpec
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
    return plain(_read(form, raw, [*raw], reason, SPECS if declared else None), raw)


def _read(
    form: str, raw: str, pieces: Sequence[str], reason: str, tools: Sequence[ToolSpec] | None = SPECS
) -> ParseResult:
    """Read a reply whole and in pieces."""
    whole = get_format(form).parse(raw, tools, reason)
    parser = get_format(form).parser(tools)
    for piece in pieces:
        parser.feed(piece)
    parser.finish(reason)
    assert parser.result() == whole, f"another reading in {len(pieces)} pieces"
    return whole


def plain(result: ParseResult, raw: str) -> Told:
    """A reading without its places."""
    calls = [
        (one.name, one.arguments, " ".join(one.repairs), raw[one.span.start : one.span.end]) for one in result.calls
    ]
    return Told(calls, result.text, [(one.code, one.name, one.message) for one in result.problems])


_SIGNS = {"call": "⟦⟧", "problem": "⟨⟩", "name": "‹›", "arguments": "«»"}
"""How `drawn` marks the places of a call, of a problem, and of a call's name and arguments."""
_BARE = str.maketrans("", "", "".join(_SIGNS.values()))


@dataclass(frozen=True)
class Drawn:
    """A reading with its places drawn into the text."""

    text: str
    """The reply, with signs around what was read."""
    calls: list[tuple[str, dict[str, Any], str]]
    """`(name, arguments, repairs with blanks between)`."""
    problems: list[str] = field(default_factory=list)
    """`outcome code name: message`."""
    rest: str = ""
    """What is given out as text."""


def drawn(
    form: str, text: str, reason: str = "stop", *, declared: bool = True, tools: Sequence[ToolSpec] = SPECS
) -> Drawn:
    """Read the reply `text`, whose signs are taken out first, whole and in two halves; return it with the signs where they belong."""
    raw = text.translate(_BARE)
    halves = (raw[: len(raw) // 2], raw[len(raw) // 2 :])
    return placed(_read(form, raw, halves, reason, tools if declared else None), raw)


def placed(found: ParseResult, raw: str) -> Drawn:
    """Draw the places of a reading into the text that was read."""
    spans = [
        (kind, span)
        for one in found.calls
        for kind, span in (("call", one.span), ("name", one.name_span), ("arguments", one.arguments_span))
    ]
    spans += [("problem", one.span) for one in found.problems]
    signs: list[tuple[int, int, int, str]] = []
    order = list(_SIGNS)
    for kind, span in spans:
        opener, closer = _SIGNS[kind]
        if span.start == span.end:
            signs.append((span.start, 1, order.index(kind), opener + closer))
        else:
            signs.append((span.start, 2, order.index(kind), opener))
            signs.append((span.end, 0, -order.index(kind), closer))
    for at, _, _, sign in sorted(signs, reverse=True):
        raw = raw[:at] + sign + raw[at:]
    return Drawn(
        raw,
        [(one.name, one.arguments, " ".join(one.repairs)) for one in found.calls],
        [f"{one.outcome or '-'} {one.code} {one.name}: {one.message}" for one in found.problems],
        found.text,
    )

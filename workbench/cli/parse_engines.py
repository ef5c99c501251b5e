"""`workbench parse --external`: what the parsers of model servers read in the same reply, beside our own readings."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.replay.engine_parsers import (
    HOW_TO_ADD,
    Ask,
    EngineAnswers,
    declared,
    read_with_engines,
    sentences,
    strict_calls,
    worth_asking,
)
from workbench.settings.config import load_settings
from workbench.settings.paths import Home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParseResult
    from workbench.core.tools import ToolSpec


class AskedParsers(NamedTuple):
    """Our readings whose parsers were asked for, and what they said."""

    readings: tuple[ParseResult, ...]
    answers: EngineAnswers

    def lines(self) -> list[str]:
        """Sentences for people."""
        told = [
            line for found in self.answers.readings for line in sentences(found, strict_calls(self.readings[found.at]))
        ]
        return [*told, *self.answers.missing] or ["No server has a parser for these formats."]

    def documents(self) -> list[dict[str, Any]]:
        """The same as JSON."""
        found = [
            {"format": self.readings[one.at].format, **one.document(),
             "told": sentences(one, strict_calls(self.readings[one.at]))}
            for one in self.answers.readings
        ]  # fmt: skip
        return [*found, *({"error": told} for told in self.answers.missing)]


def ask_engines(
    named: Sequence[str],
    home: str,
    text: str,
    pieces: Sequence[str],
    tools: Sequence[ToolSpec],
    found: Sequence[ParseResult],
) -> AskedParsers:
    """Ask the environments that were named, else those of the settings; raise InvalidInput where there is none."""
    pythons = [one for one in named if one] or list(
        load_settings(Home.find(Path(home) if home else None).settings).engines.pythons
    )
    if not pythons:
        raise InvalidInput("No environment with vllm or sglang is known.", hint=HOW_TO_ADD)
    ours = worth_asking(found)
    asks = [Ask(text, tuple(pieces), one.format, tuple(tools) or declared(one)) for one in ours]
    return AskedParsers(ours, asyncio.run(read_with_engines(pythons, asks)))

"""The conformance contract over the data files of the shipped formats: a new format gets its tests by adding a file.

What a row of a data file may say stands in `workbench.formats.conformance`; `tools` are names out of TOOLS here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from workbench.core.calls import ParseResult
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.conformance import Sample, checks, read_pieces, samples_of

DATA = Path(__file__).resolve().parents[1] / "data" / "formats"

TOOLS = {
    spec.name: spec
    for spec in (
        ToolSpec(
            "get_weather",
            "Current weather in a city.",
            {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "metric": {"type": "boolean"}},
                "required": ["city"],
            },
        ),
        ToolSpec("now", "The time.", {"type": "object", "properties": {"zone": {"type": "string"}}}),
        ToolSpec(
            "write_file",
            "Write a file.",
            {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "content": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "options": {"type": "object"},
                },
                "required": ["path", "content"],
            },
        ),
    )
}


@cache
def cases() -> tuple[Sample, ...]:
    """Return all samples of all data files."""
    found: list[Sample] = []
    for path in sorted(DATA.glob("*.yaml")):
        rows = samples_of(
            yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)), path.stem, TOOLS
        )
        found += (row._replace(format=path.stem) for row in rows)
    return tuple(found)


def contract(*formats: str) -> type:
    """Return a test class that checks the formats of one family from their data files."""
    every = [
        pytest.param(check, id=f"{name}-{title}".replace(" ", "_")[:90])
        for name in formats
        for title, check in checks(get_format(name), [case for case in cases() if case.format == name])
    ]

    class Family:
        @pytest.mark.parametrize("check", every)
        def test_contract(self, check) -> None:
            assert check() == []

        @pytest.mark.parametrize("name", formats)
        def test_the_prompt_says_what_the_tool_choice_wants(self, name: str) -> None:
            spec, tools = get_format(name), tuple(TOOLS.values())
            assert spec.native or "must call" in spec.prompt(tools, "required")
            assert spec.native or "`now`" in spec.prompt(tools, {"type": "function", "function": {"name": "now"}})

    return Family


def read_cut(form: str, tools: tuple[ToolSpec, ...] | None, *pieces: str) -> ParseResult:
    """Read a reply that comes in these pieces and stops by itself."""
    parser = get_format(form).parser(tools)
    for piece in pieces:
        parser.feed(piece)
    parser.finish("stop")
    return parser.result()


def read(case: Sample, pieces: list[str]) -> tuple[ParseResult, ParseResult]:
    """Feed the pieces; return the parser's result and the one that its events alone make."""
    return read_pieces(get_format(case.format), case, pieces)

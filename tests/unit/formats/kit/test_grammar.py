"""What a grammar must not get wrong about its markers."""

from __future__ import annotations

import pytest

from workbench.formats import list_formats
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.spec import FormatSpec

GRAMMARS = [spec.grammar for spec in list_formats() if isinstance(spec, FormatSpec) and not spec.native]


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.format)
def test_no_marker_begins_another(grammar: Grammar) -> None:
    """A shorter marker would win over a longer one whose rest has not arrived yet."""
    markers = [marker.casefold() for marker in grammar.openers.literals]
    clashes = [(short, long) for short in markers for long in markers if short != long and long.startswith(short)]
    assert not clashes


def test_ids_are_made_from_numbers() -> None:
    assert Grammar().ident(3) == "call_3"

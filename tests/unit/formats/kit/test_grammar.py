"""What a grammar must not get wrong about its markers."""

from __future__ import annotations

import pytest

from workbench.formats import get_format, list_formats
from workbench.formats.kit.grammar import Grammar
from workbench.formats.kit.spec import FormatSpec

GRAMMARS = [spec.grammar for spec in list_formats() if isinstance(spec, FormatSpec) and not spec.native]


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.format)
@pytest.mark.parametrize("around", ["{}", "Text {} text", "<think>{}", "```\n{}\n```"])
def test_marker_prefix_of_another_waits(grammar: Grammar, around: str) -> None:
    markers = [marker.casefold() for marker in grammar.openers.literals]
    for long in markers:
        for short in (mark for mark in markers if mark != long and long.startswith(mark)):
            text = around.format(f"{long} a")
            whole = get_format(grammar.format).parse(text)
            parser = get_format(grammar.format).parser()
            cut = text.index(long) + len(short)
            parser.feed(text[:cut])
            parser.feed(text[cut:])
            parser.finish()
            assert parser.result() == whole, text


def test_ids_are_made_from_numbers() -> None:
    assert Grammar().ident(3) == "call_3"


def test_every_marker_left_alone_begins_or_ends_something() -> None:
    begin = {
        grammar.format: {
            text for text, kind in grammar.literals().items() if kind == "orphan" and not grammar.ends(text)
        }
        for grammar in GRAMMARS
    }
    assert begin["qwen_xml"] == begin["lfm2"] == begin["gemma4"] == set()
    assert begin["harmony"] == {"<|message|>"}
    assert begin["minimax_m3"] == {"]<]minimax[>[<tool_call>"}
    deepseek = next(grammar for grammar in GRAMMARS if grammar.format == "deepseek_v31")
    assert not deepseek.ends("<｜tool▁sep｜>")
    assert deepseek.ends("<|tool_call_end|>")

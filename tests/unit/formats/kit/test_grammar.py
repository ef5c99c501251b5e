"""What a grammar must not get wrong about its markers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from workbench.formats import get_format, list_formats
from workbench.formats.kit.grammar import RESULT_MARKERS, TURN_TOKENS, Grammar, reader_class
from workbench.formats.kit.openers import Openers
from workbench.formats.kit.runaway import TURNS
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


class Marked(Grammar):
    """A grammar with one of each kind of marker, as a format's family would write it."""

    format = "marked"
    spots = "@"
    reach = 9
    closes = ("</CALL>",)
    near_misses: Mapping[str, str] = {"<cal>": "</cal>", "<call>": "</CALL>"}
    preludes = ("<mid",)

    def literals(self) -> dict[str, str]:
        """One marker of each kind."""
        return {"<CALL>": "call", "<mid>": "orphan", "<THINK>": "own"}

    def inside(self) -> tuple[str, ...]:
        """One tag."""
        return ("<arg>",)

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """One that begins a call, and one that does not."""
        return (("bare", "@[a-z]+;", "@[a-z]*"), ("other", "@[0-9]+;", "@[0-9]*"))


class Bare(Marked):
    """The same without a marker of its own calls."""

    markerless = True
    spots = None
    reads_fences = False


class Nothing(Grammar):
    """A grammar of nothing."""


def kinds(openers: Openers | None, *texts: str) -> list[str]:
    """What is found of each text, by its kind; a dash where nothing is."""
    assert openers is not None
    return [openers.kind(found) if (found := openers.search(f"a {text}")) else "-" for text in texts]


def test_what_may_begin_something_other_than_text() -> None:
    assert kinds(Marked().openers, "<call>", "<mid>", "@ab;", "@12;", "<arg>", "</call>") == [
        "call", "orphan", "bare", "other", "-", "-",
    ]  # fmt: skip
    assert kinds(Marked().openers, TURN_TOKENS[0], TURNS[0], RESULT_MARKERS[0], "</think>", "<reasoning>") == [
        "drop", "turn", "result", "unthink", "think",
    ]  # fmt: skip
    assert kinds(Marked().openers, "<think>") == ["own"], "the format's own marker, in letters of either case"
    assert kinds(Nothing().openers, "<think>", "</think>", "@ab;") == ["think", "unthink", "-"]


@pytest.mark.parametrize(("grammar", "found"), [(Marked, "fence"), (Nothing, "fence"), (Bare, "")])
def test_fences_are_looked_for_where_they_are_respected(grammar: type[Grammar], found: str) -> None:
    for fence in ("```json", "~~~"):
        match = grammar().openers.search(f"text\n{fence}\n")
        assert (grammar().openers.kind(match) if match else "") == found


def test_in_reasoning_and_code_the_openers_of_calls_alone_are_looked_for() -> None:
    assert kinds(Marked().nested, "<call>", "@ab;", "@12;", "</think>", TURN_TOKENS[0]) == [
        "call", "bare", "other", "-", "-",
    ]  # fmt: skip
    assert (Marked().nested.reach, Marked().openers.reach > 9, Nothing().nested.reach) == (9, True, 0)


def test_what_was_left_as_text_is_told_by_markers_that_begin_a_call_or_stand_in_one() -> None:
    assert kinds(Marked().signs, "<call>", "<arg>", "<mid>", "@ab;", "@12;") == ["call", "inside", "-", "bare", "-"]
    assert kinds(Bare().signs, "<call>", "<arg>", "@ab;") == ["call", "inside", "-"]
    assert Nothing().signs is None
    assert Marked().beginnings == ("<call>",)


def test_how_much_of_a_tail_is_held_back() -> None:
    assert Marked().openers.hold("a @ab", 0) == 2
    assert Marked().signs is not None
    assert [grammar.hold(text, 0) for grammar, text in ((Marked().signs, "a @ab"), (Marked().nested, "a <ca"))] == [
        2,
        2,
    ]


def test_which_ends_are_another_familys() -> None:
    assert Marked().foreign_ends == {"</cal>"}
    assert Nothing().foreign_ends == frozenset()


def test_markers_left_alone_end_something_unless_they_begin_or_part_it() -> None:
    assert [Marked().ends(one) for one in ("<MID>", "</mid>")] == [False, True]
    assert Nothing().ends("<mid>")


def test_habits_of_a_grammar_that_has_none() -> None:
    bare = Nothing()
    assert (bare.literals(), bare.inside(), bare.patterns(), bare.name_key, bare.idle("x", "call")) == (
        {},
        (),
        (),
        "",
        None,
    )
    assert bare.run(None, 7) == 7
    assert get_format("qwen_xml").grammar.name_key == "name"  # type: ignore[attr-defined]


def test_the_class_that_reads_an_opener_is_the_one_that_does_not_leave_it_above() -> None:
    class Upper(Grammar):
        def read(self, scan: object, match: object, kind: str) -> object:  # type: ignore[override]
            return None

    class Lower(Upper):
        reads = ("bare",)

        def read(self, scan: object, match: object, kind: str) -> object:
            return None

    class Lowest(Lower):
        pass

    assert [reader_class(Lowest(), kind) for kind in ("bare", "call")] == [Lower, Upper]
    assert reader_class(Nothing(), "call") is Grammar

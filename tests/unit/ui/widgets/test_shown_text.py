"""Raw text: insertions build exactly what is shown, and both mappings hold for any text."""

from __future__ import annotations

import tracemalloc
from time import process_time
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.calls import Span
from workbench.ui.widgets import shown_text
from workbench.ui.widgets.shown_text import LONGEST_LINE, Insert, ShownText, shown_line, units, visible

ODD = st.text(st.sampled_from(list("ab{}\n\r\t\x00é😀\u2028\u202e\ud800")), max_size=40)
PIECES = st.lists(st.tuples(st.sampled_from(["text", "reasoning", "call:0", "call:1"]), ODD), max_size=12)


def _utf16(text: str) -> list[str]:
    """A text as the units in which a document counts; a wide character is two of them."""
    return [half for character in text for half in ([character] if character <= "\uffff" else [character, ""])]


def _play(inserts: list[Insert]) -> str:
    shown: list[str] = []
    for one in inserts:
        shown[one.at : one.at] = _utf16(one.text)
    return "".join(shown)


@settings(max_examples=150)
@given(PIECES)
def test_insertions_complete_the_shown_text(pieces: list[tuple[str, str]]) -> None:
    raw = ShownText()
    inserts = [insert for source, text in pieces for insert in raw.append(source, text)]
    assert _play(inserts) == raw.shown_text()
    assert raw.length == units(raw.shown_text())
    for source in ("text", "reasoning", "call:0", "call:1"):
        assert raw.source(source) == "".join(text for name, text in pieces if name == source)


@settings(max_examples=150)
@given(PIECES)
def test_places_lead_back_to_their_characters(pieces: list[tuple[str, str]]) -> None:
    with patch.object(shown_text, "PIECE", 5), patch.object(shown_text, "LONGEST_LINE", 7):
        _check_places(pieces)


def _check_places(pieces: list[tuple[str, str]]) -> None:
    raw = ShownText()
    for source, text in pieces:
        raw.append(source, text)
    for source, _, _ in raw.sources():
        text = raw.source(source)
        for offset in range(len(text)):
            found = raw.range_of(Span(offset, offset + 1, source))
            assert found is not None
            assert raw.place_of(found[0]) == (source, offset)
            assert _utf16(raw.shown_text())[found[0]] == visible(text)[offset]
            assert raw.copied(*found).rstrip("\n") == text[offset].rstrip("\n")


def test_nothing_misleading_reaches_the_document() -> None:
    assert visible("a\x00b\r\n\u202ec\ud800") == "a\u2400b\u240d\n\ufffdc\ufffd"
    assert len(visible("\x1b[31m\u2028")) == len("\x1b[31m\u2028")


def test_one_very_long_line_is_broken_for_display_only() -> None:
    raw, line = ShownText(), "x" * (3 * LONGEST_LINE)
    inserts = [one for at in range(0, len(line), 7) for one in raw.append("text", line[at : at + 7])]
    shown = _play(inserts)
    assert max(map(len, shown.split("\n"))) == LONGEST_LINE
    assert raw.copied(0, raw.length) == line
    assert raw.range_of(Span(LONGEST_LINE + 5, LONGEST_LINE + 6)) == (LONGEST_LINE + 6, LONGEST_LINE + 7)


def test_sources_are_shown_in_order_with_captions() -> None:
    raw = ShownText()
    raw.open_call(0, "read_file")
    raw.append("call:0", '{"path"')
    raw.append("text", "Let me look.")
    raw.append("reasoning", "hm")
    raw.append("call:0", ": 1}")
    assert raw.shown_text() == 'hm\nLet me look.\ntool_calls[0] read_file\n{"path": 1}'
    (start, name, end), *rest = raw.captions()
    assert not rest
    assert raw.shown_text()[start:end] == "tool_calls[0] read_file"
    assert raw.shown_text()[name:end] == "read_file"
    assert raw.range_of(Span(0, 3, "call:7")) is None


def test_a_huge_line_is_broken_in_linear_time() -> None:
    """Eight times the text takes about eight times as long, not sixty-four; the best of three counts."""

    def seconds(length: int) -> float:
        text, best = "x" * length, float("inf")
        for _ in range(3):
            begun = process_time()
            ShownText().append("text", text)
            best = min(best, process_time() - begun)
        return best

    assert seconds(16_000_000) < 24 * max(seconds(2_000_000), 0.002)


def test_wide_characters_are_shown_without_a_place_for_each() -> None:
    raw = ShownText()
    tracemalloc.start()
    raw.append("text", "\U0001f600" * 300_000)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 3 * 4 * 300_000


def test_a_broken_line_keeps_its_places_across_pieces() -> None:
    raw = ShownText()
    pieces = ["a" * 1_500, "b" * 5_200, "\nc" * 3, "d" * 2_100]
    for piece in pieces:
        raw.append("text", piece)
    whole = "".join(pieces)
    assert raw.source("text") == whole
    assert max(map(len, raw.shown_text().split("\n"))) == LONGEST_LINE
    for place in (0, 1_999, 2_000, 2_001, 4_000, 6_699, len(whole)):
        shown = raw.range_of(Span(place, place))
        assert shown is not None
        assert raw.place_of(shown[0]) == ("text", place)
    assert raw.copied(0, raw.length) == whole


def test_hidden_characters_have_stand_ins_of_their_length() -> None:
    hidden = "a\x85b\u200bc\u200d\u2066\U000e0041\u00ad"
    assert visible(hidden) == "a\ufffdb\ufffdc\ufffd\ufffd\U0001f3f7\ufffd"
    assert units(visible(hidden)) == units(hidden)
    assert visible("👩\u200d💻") == "👩\u200d💻"


def test_joiner_is_drawn_wherever_the_text_is_cut() -> None:
    raw, whole = ShownText(), ShownText()
    inserts = [
        one
        for piece in ("re", "", "ad", "\u200d", "_file \u200d", "👩", "\u200d💻")
        for one in raw.append("text", piece)
    ]
    whole.append("text", "read\u200d_file \u200d👩\u200d💻")
    assert _play(inserts) == raw.shown_text() == whole.shown_text() == "read\ufffd_file \u200d👩\u200d💻"


def test_names_in_menus_stand_on_one_short_line() -> None:
    assert shown_line("a\n b\u202e") == "a b\ufffd"
    assert shown_line("x" * 10_000_000) == "x" * 80 + "…"


@settings(max_examples=150)
@given(
    st.text(
        st.sampled_from([*"ab\x00\x07\x85\u200b\u200d\u2028\u202e\ud800😀é", *map(chr, range(0xE0000, 0xE0040))]),
        max_size=200,
    )
)
def test_each_character_has_the_stand_in_that_it_has_alone_or_behind_its_own(text: str) -> None:
    """Also where so many kinds of them stand that they are not replaced kind by kind."""
    shown = visible(text)
    assert len(shown) == len(text)
    for at, character in enumerate(text):
        assert shown[at] == visible(text[max(at - 1, 0) : at + 1])[-1], (character, at)


def test_a_megabyte_of_odd_characters_costs_little_more_than_one_of_letters() -> None:
    def seconds(unit: str) -> float:
        begun = process_time()
        visible(unit * 1_000_000)
        return process_time() - begun

    assert min(seconds("\u202e") for _ in range(3)) < 12 * max(min(seconds("é") for _ in range(3)), 0.004)

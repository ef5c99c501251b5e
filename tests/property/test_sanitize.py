"""The sanitizer's guarantees, over texts made of marker fragments cut into each other."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.tag_json import TagJson
from workbench.formats.sanitize import StreamSanitizer, leaked_markers, neutralise, sanitize
from workbench.formats.sanitizer.marker_search import next_marker
from workbench.formats.sanitizer.marker_table import use_formats

LITERALS = json.loads((Path(__file__).parents[1] / "data" / "sanitize" / "literals.json").read_text(encoding="utf-8"))
WHOLE: list[str] = [row["raw"] for row in LITERALS["literals"]]
PARTS = sorted({p for raw in WHOLE for p in re.findall(r"<[^>\n]*>|\[/?[A-Z_]+\]|\{[^{}]*\}|\w+|[^\w\s]|\s+", raw)})
EXTRA = [
    *"<>[]{}|/`\"':,() \n\t\\", "Action:", "Action Input:", "Observation:", "Thought:", "Final Answer:", "Act", "ion:",
    "<tool_", "call>", "[TOOL_", "CALLS]", "```", "```json\n", '{"tool": "f", "arguments": {}}', '{"name":"x"', "func",
    "tools[", "<|", "|>", "｜", "▁", "Here is my thought process:", "[f(a=1)]", '{"', "~~~\n", "<escape>", "</think>",
    "&lt;", "Observ", "text", "\n\n", "<start_of_turn>", "\u2060",
]  # fmt: skip


@st.composite
def cut_texts(draw: st.DrawFn) -> str:
    """Fragments in a row; some stuck into the middle of others."""
    fragment = st.one_of(st.sampled_from(EXTRA), st.sampled_from(PARTS), st.sampled_from(WHOLE))
    parts = draw(st.lists(fragment, min_size=1, max_size=12))
    for _ in range(draw(st.integers(0, 2))):
        index = draw(st.integers(0, len(parts) - 1))
        at = draw(st.integers(0, len(parts[index])))
        parts[index] = parts[index][:at] + draw(fragment) + parts[index][at:]
    return "".join(parts)


@st.composite
def cuts(draw: st.DrawFn) -> tuple[str, list[str]]:
    text = draw(cut_texts())
    places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    return text, [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def streamed(pieces: list[str]) -> str:
    stream = StreamSanitizer()
    return "".join([stream.feed(piece) for piece in pieces]) + stream.finish()


def check(text: str) -> None:
    kept = sanitize(text)
    assert next_marker(kept, 0, True) is None
    assert sanitize(kept) == kept
    assert leaked_markers(kept) == ()
    assert bool(leaked_markers(text)) == (kept != text)
    assert streamed(list(text)) == kept
    shown = neutralise(text)
    assert sanitize(shown) == shown
    assert shown.replace("\u2060", "") == text.replace("\u2060", "")


QUIET = settings(suppress_health_check=list(HealthCheck))


@settings(QUIET, max_examples=300)
@given(cut_texts())
def test_no_marker_idempotent_and_the_same_by_character(text: str) -> None:
    check(text)


@settings(QUIET, max_examples=300)
@given(cuts())
def test_any_cutting_gives_the_same(case: tuple[str, list[str]]) -> None:
    text, pieces = case
    assert streamed(pieces) == sanitize(text)


@settings(QUIET, max_examples=200)
@given(st.text())
def test_any_text(text: str) -> None:
    check(text)


@settings(QUIET, max_examples=200)
@given(st.text(alphabet=string.digits + " .,;!?-+=()'\"\n\täöü…–bcdegjk"))
def test_text_without_the_characters_of_markers_is_untouched(text: str) -> None:
    assert sanitize(text) == text
    assert streamed(list(text)) == text


@settings(QUIET, max_examples=200)
@given(st.sampled_from(WHOLE), st.sampled_from(WHOLE), st.data())
def test_a_marker_stuck_into_another(outer: str, inner: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(outer)))
    check(outer[:at] + inner + outer[at:])


LAST = "That was all of it, my friend."


@settings(QUIET, max_examples=300)
@given(cut_texts())
def test_text_after_a_call_is_never_lost(text: str) -> None:
    """Whatever broke off before, a last paragraph is shown. Only reasoning that never ends keeps all to itself."""
    assume("analysis" not in text.lower())
    assert sanitize(f"{text}\n\n{LAST}").endswith(LAST)


class Kitty(TagJson):
    format = "kitty"
    opens = ("<kitty>", "@@purr(")
    closes = ("</kitty>", ")purr@@")


@settings(QUIET, max_examples=200)
@given(
    st.lists(
        st.sampled_from([*EXTRA, "<kitty>", "</kitty>", "@@purr(", ")purr@@", "@@", "<kit", "~~", "~>"]), max_size=12
    )
)
def test_the_same_holds_with_the_markers_of_own_formats(parts: list[str]) -> None:
    spec = FormatSpec("kitty", "kitty", "Kitty", Kitty(), write_call=str, markers=(("~~", "~>"),))
    use_formats((spec,))
    try:
        check("".join(parts))
    finally:
        use_formats(())


@pytest.mark.long
@pytest.mark.timeout(7200)
@settings(QUIET, max_examples=200_000)
@given(cuts())
def test_two_hundred_thousand_cases(case: tuple[str, list[str]]) -> None:
    text, pieces = case
    check(text)
    assert streamed(pieces) == sanitize(text)


@pytest.mark.parametrize(
    "piece",
    ["<", "{", "[", '"', "<tool_", "<tool_call>", "<think>", '{"a":', "`", "\n", "Action: x\n", '<tool_call>{"'],
)
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    """A tenth of a mebibyte each; the time limit of the suite is the check against quadratic work."""
    text = piece * (100_000 // len(piece))
    kept = sanitize(text)
    assert len(kept) <= len(text) + 8
    assert next_marker(kept[:2000], 0, True) is None

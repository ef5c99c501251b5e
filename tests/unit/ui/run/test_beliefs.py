"""From a tape to the scrubber's words."""

from __future__ import annotations

from tests.kit.forensics import TOOLS, TWO
from workbench.app.forensics import ParityLine, Specimen, TextChunk, tape_of
from workbench.formats.survey.playback import Belief
from workbench.replay.difference import Change, Difference
from workbench.replay.parity import Cutting
from workbench.ui.run.beliefs import SHOWN, belief_words, parity_words, tape_lines

SPECIMEN = Specimen(
    TWO, "qwen_xml", TOOLS, chunks=tuple(TextChunk(at * 1000, TWO[at : at + 5], 9) for at in range(0, len(TWO), 5))
)


def test_bars_and_times() -> None:
    received, single = tape_of(SPECIMEN), tape_of(SPECIMEN, 1)
    assert received is not None
    assert single is not None
    lines = tape_lines(SPECIMEN, received, None)
    assert (lines[1].size, lines[1].time) == (5, "0.005 s")
    assert tape_lines(SPECIMEN, single, 1)[3].time == ""


def test_a_moment_in_words() -> None:
    tape = tape_of(SPECIMEN)
    assert tape is not None
    within = belief_words(tape.after(16))
    assert within.progress.startswith("get_weather(")
    assert within.calls == 0
    end = belief_words(tape.after(len(tape) + 1))
    assert (end.calls, end.state, end.progress) == (2, "the reply has ended", 'get_weather(city="Oslo", days=3)')


def test_only_the_end_of_a_long_text_is_shown() -> None:
    long = Specimen("word " * 2_000 + TWO, "qwen_xml", TOOLS)
    tape = tape_of(long, 0)
    assert tape is not None
    belief: Belief = tape.after(2)
    words = belief_words(belief)
    assert (len(words.text), words.skipped) == (SHOWN, len(long.text) - SHOWN)
    names = [words.text[one.span.start : one.span.end] for one in words.regions if one.role == "name"]
    assert names == ["get_weather", "get_weather"]


def test_parity_in_words() -> None:
    change = Difference((Change("calls[0].name", "a", "b"),))
    told = parity_words(
        [
            ParityLine("as one text", 1),
            ParityLine("every single cut (9)", 9, (Cutting("cut at 4", ("ab", "c"), change),)),
            ParityLine("1 character each", 1, (Cutting("1 character each", (), Difference(), told=True),)),
        ]
    )
    assert [(one.word, one.equal) for one in told] == [("equal", True), ("1 of 9 differ", False), ("different", False)]
    assert told[1].tip == "cut at 4: calls[0].name: 'a' became 'b'"
    assert told[2].tip.endswith("other text was told on the way")

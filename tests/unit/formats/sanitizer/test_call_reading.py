"""The grammars that own an opener say where its call ends; none of them, and all that was read is given back."""

from __future__ import annotations

import pytest

from workbench.formats.sanitize import StreamSanitizer, sanitize
from workbench.formats.sanitizer.call_body import Where
from workbench.formats.sanitizer.call_reading import CallReading, grammars_for

PAIRS = "f\n<arg_key>a</arg_key>\n<arg_value>x </tool_call> y</arg_value>\n</tool_call>"


@pytest.mark.parametrize("size", [1, 5, 4000])
@pytest.mark.parametrize(
    ("body", "where", "given"),
    [
        ('{"name": "f", "arguments": {}}</tool_call>', Where.OVER, ""),
        (PAIRS, Where.OVER, ""),
        (PAIRS + " Bye. " * 100, Where.OVER, " Bye. " * 100),
        (" is a tag.", Where.BACK, " is a tag."),
        ('{"name": "f", "argum', Where.BACK, '{"name": "f", "argum'),
    ],
)
def test_call_end_follows_the_grammar(size: int, body: str, where: Where, given: str) -> None:
    reading, rest = CallReading("<tool_call>"), ""
    found = Where.MORE
    for at in range(0, len(body), size):
        piece = body[at : at + size]
        if found is Where.MORE:
            found, read = reading.read(piece, at + size >= len(body))
            rest += piece[read:] if found is not Where.MORE else ""
        else:
            rest += piece
    assert (found, reading.given + rest) == (where, given)


def test_waste_is_counted_alike_for_every_cut() -> None:
    text = "f\n<arg_key>a</arg_key>" + "x" * 2000 + "<tool_call>"
    wasted = set()
    for size in (1, 13, 256, 9000):
        reading = CallReading("<tool_call>")
        for at in range(0, len(text), size):
            if reading.read(text[at : at + size], at + size >= len(text))[0] is not Where.MORE:
                break
        wasted.add(reading.wasted)
    assert len(wasted) == 1
    assert wasted.pop() > 2000


def test_markers_of_several_formats_have_several_readers() -> None:
    names = [grammar.format for grammar in grammars_for("<tool_call>")]
    assert names[0] == "qwen_xml"
    assert {"glm45", "hy_v3"} <= set(names)
    assert "glm47" not in names  # it reads as glm45 does
    assert grammars_for("<tool-call>") == ()


@pytest.mark.parametrize(
    "piece", ["<function=f><parameter=a>", "<tool_call>f<arg_key>a</arg_key><arg_value>", '<invoke name="f">']
)
def test_openers_sharing_one_end_take_linear_time(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    stream = StreamSanitizer()
    kept = "".join(stream.feed(text[at : at + 997]) for at in range(0, len(text), 997)) + stream.finish()
    assert kept == sanitize(text)

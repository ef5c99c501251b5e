"""Markers of a user's own formats: taken out, sealed and held back like all others, and gone when the formats are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from workbench.core.errors import InvalidInput
from workbench.formats import list_formats
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.markers import BARRIER
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.tag_json import TagJson
from workbench.formats.sanitize import StreamSanitizer, leaked_markers, neutralise, sanitize
from workbench.formats.sanitizer.format_markers import grammar_markers
from workbench.formats.sanitizer.marker_table import literals, other_formats, use_formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.calls import ParsedCall


class _Shout(TagJson):
    format = "shout"
    envelope = Envelope()
    opens = ("@@call:",)
    closes = ("@@end",)
    reasoning = {"@@muse": "@@mused"}  # noqa: RUF012
    turn_tokens = ("@@over",)
    result_markers = ("@@answer",)


def _write(call: ParsedCall) -> str:
    return f"@@call:{compact({'name': call.name, 'arguments': call.arguments})}@@end"


SHOUT = FormatSpec(id="shout", family="shout", models="Shout", grammar=_Shout(), write_call=_write)
ANGLES = replace(SHOUT, id="angles", grammar=TagJson(), markers=(("[[CALL", "]]"), ("§done", ""), ("Zap(", ")Zap")))


@pytest.fixture(autouse=True)
def _in_force() -> Iterator[None]:
    use_formats((SHOUT, ANGLES))
    yield
    use_formats(())


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ('Hi. @@call:{"name": "now", "arguments": {}}@@end Bye.', "Hi. Bye."),
        ('Hi. @@CALL: {"name": "now", "arguments": {"a": "@@end"}} @@end', "Hi."),
        ("Hi. @@call: anything at all @@end Bye.", "Hi. Bye."),
        ("Hi. @@call: and never closed.", "Hi. and never closed."),
        ("@@museLet me think.@@mused Yes.@@over", "Yes."),
        ("Hi. @@ca", "Hi."),
        ("Hi. @@<tool_call>end Bye.", "Hi. Bye."),
        ("Hi. [[CALL now]] Bye [[1]].", "Hi. Bye [[1]]."),
        ("Hi. [[call now", "Hi. now"),
        ("Yes.§done", "Yes."),
        ("zap(x)Zap, ok", ", ok"),
        ("It is @@oVER.", "It is ."),
        ("Not @@\u017fend.", "Not @@\u017fend."),
        ("Mail me @ home, a@@b.", "Mail me @ home, a@@b."),
        ("An answer: all is over.", "An answer: all is over."),
    ],
)
def test_own_markers_are_taken_out(raw: str, kept: str) -> None:
    assert sanitize(raw) == kept
    assert leaked_markers(kept) == ()
    assert bool(leaked_markers(raw)) == (kept != raw)
    stream = StreamSanitizer()
    assert "".join(map(stream.feed, raw)) + stream.finish() == kept
    shown = neutralise(raw)
    assert shown.replace(BARRIER, "") == raw
    assert sanitize(shown) == shown


def test_they_are_gone_with_their_formats() -> None:
    use_formats((SHOUT,))
    assert sanitize("Yes.§done @@over") == "Yes.§done"
    use_formats(())
    assert other_formats() == ()
    assert sanitize("Yes. @@over") == "Yes. @@over"


def test_possible_prose_is_no_marker() -> None:
    class Prose(_Shout):
        opens = ("Tool call", "<<", "@call@")
        closes = (">>",)

    found = grammar_markers(replace(SHOUT, grammar=Prose()))
    assert found["@call@"].closer == ">>"
    assert not {"<<", ">>", "Tool call"} & set(found)


def test_lookalike_literals_are_listed_once() -> None:
    use_formats(())
    own = grammar_markers(next(spec for spec in list_formats() if spec.id == "qwen_xml"))
    assert "<tool_call>" in own
    assert not own.keys() & literals().keys()


@pytest.mark.parametrize("text", ["x", "@" * 121, f"a{BARRIER}b"])
def test_bad_markers_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is no marker"):
        use_formats((replace(ANGLES, markers=((text, ""),)),))

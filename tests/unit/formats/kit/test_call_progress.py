"""Every format tells a call's name as soon as it stands there, and every piece that follows."""

from __future__ import annotations

import re

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import CallGrew, CallOpened, CallRead, Outcome, ParsedCall, ParseEvent, Span
from workbench.formats import get_format, list_formats
from workbench.formats.kit.call_progress import HEAD, Progress, own_shapes

SPECS = tuple(TOOLS.values())
NOWHERE = Span(0, 0)
NAMES = [spec.id for spec in list_formats() if not spec.native]


def call(number: int) -> ParsedCall:
    return ParsedCall(
        "write_file", {"path": "a", "content": f"text {number} " * 20}, f"call0000{number}", Outcome.STRICT, (),
        NOWHERE, NOWHERE, NOWHERE, "",
    )  # fmt: skip


def fed(name: str, text: str, size: int) -> list[ParseEvent]:
    parser = get_format(name).parser(SPECS)
    events = [event for at in range(0, len(text), size) for event in parser.feed(text[at : at + size])]
    return events + parser.finish()


@pytest.mark.parametrize("size", [1, 4, 9])
@pytest.mark.parametrize("name", NAMES)
def test_a_call_is_opened_grows_and_is_read(name: str, size: int) -> None:
    text = get_format(name).render_call(call(1))
    events = fed(name, text, size)
    opened = [event for event in events if isinstance(event, CallOpened)]
    assert [(event.number, event.name) for event in opened] == [(0, "write_file")]
    assert text[opened[0].span.start : opened[0].span.end].rstrip('">:0').endswith("write_file")
    grown = "".join(event.fragment for event in events if isinstance(event, CallGrew))
    assert "text 1 text 1" in grown
    assert text[opened[0].span.end :].startswith(grown)
    order = [type(event) for event in events if isinstance(event, CallOpened | CallRead)]
    assert order == [CallOpened, CallRead]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"react", "glm4_legacy"}])
def test_second_call_is_opened_separately(name: str) -> None:
    text = get_format(name).render_turn("", [call(1), call(2)]).text
    told = [event for event in fed(name, text, 1) if isinstance(event, CallOpened | CallRead)]
    opened = [event.number for event in told if isinstance(event, CallOpened)]
    assert opened in ([0], [0, 1]), told  # [0]: a list is read as a whole
    assert [event.number for event in told if isinstance(event, CallRead)] == [0, 1]


def test_a_lost_attempt_leaves_nothing_open() -> None:
    broken = '<tool_call>{"name": "now", "arguments": {"zone": <<}}</tool_call>'
    good = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
    opened = [event for event in fed("qwen_xml", broken + good, 1) if isinstance(event, CallOpened)]
    assert [(event.number, event.name) for event in opened] == [(0, "now"), (0, "now")]


def test_ignored_places_report_no_progress() -> None:
    assert not [event for event in fed("qwen_xml", "a < b, then {} and (c)", 1) if isinstance(event, CallOpened)]
    progress, events = Progress(), list[ParseEvent]()
    progress.begin(0, 0)
    text = ""
    while progress.start >= 0:
        text += '("'
        progress.tell('("', text, 0, events)
    assert not events
    assert HEAD < len(text) < HEAD + 4


def test_an_unusual_key_of_a_name_has_a_shape_of_its_own() -> None:
    assert own_shapes(("a",), "") == own_shapes(("a",), "name") == ("a",)
    kept, added = own_shapes(("a",), "content.name")
    assert kept == "a"
    found = re.search(added, '{"content.name" : "write_file"')
    assert found is not None
    assert found[1] == "write_file"


def told(*pieces: str, own: tuple[str, ...] = (), base: int = 0, start: int = 0) -> list[ParseEvent]:
    """What is told of an attempt that begins at `start`, in a window that begins at `base`."""
    progress, events, text = Progress(own), list[ParseEvent](), ""
    progress.begin(start, 3)
    for piece in pieces:
        text += piece
        if not progress.open and progress.start >= 0:
            progress.tell(piece, text, base, events)
    return events


@pytest.mark.parametrize(
    ("pieces", "opened", "grown"),
    [
        (('{"name": "now", "ar',), '{"name": "now"', ', "ar'),
        (("{'name' : 'now'}",), "{'name' : 'now'", "}"),
        (('{"name": "now"',), '{"name": "now"', ""),
        (('{"na', 'me": "now"', ', "x"'), '{"name": "now"', ""),
        (("<function=now>", "x"), "<function=now>", ""),
        (("<function=", "now", ">x"), "<function=now>", "x"),
        (('<x:invoke name="now">',), '<x:invoke name="now">', ""),
        (("tool_call>now\n<",), "tool_call>now", "\n<"),
        (("[now(",), "[now", "("),
        (('{"now": {',), '{"now"', ": {"),
        (("to=now;",), None, ""),
    ],
)  # fmt: skip
def test_name_and_rest_of_a_piece(pieces: tuple[str, ...], opened: str | None, grown: str) -> None:
    whole = "".join(pieces)
    expected: list[ParseEvent] = []
    if opened is not None:
        assert whole.startswith(opened)
        expected = [CallOpened(3, "now", Span(0, len(opened)))]
    expected += [CallGrew(3, grown)] if grown else []
    assert told(*pieces) == expected


def test_a_name_is_looked_for_from_where_the_attempt_begins() -> None:
    assert told('xx{"name": "now"', base=10, start=12) == [CallOpened(3, "now", Span(12, 26))]
    assert told('"name": "now" {"name": "later"', base=0, start=14) == [CallOpened(3, "later", Span(14, 30))]


def test_a_shape_of_the_grammar_is_seen() -> None:
    assert told("to=now ->", own=(r"to=(\w+) ->",)) == [CallOpened(3, "now", Span(0, 9))]
    assert told("to=now", own=(r"to=(\w+)",)) == []


def test_a_name_behind_many_characters_is_not_told() -> None:
    late = "," * (HEAD - 14)
    assert told(late + '{"name": "now"}') == [CallOpened(3, "now", Span(0, HEAD)), CallGrew(3, "}")]
    assert told(late + "," + '{"name": "now"}') == [CallOpened(3, "now", Span(0, HEAD + 1))]
    assert told(late + ",," + '{"name": "now"}') == []


def test_the_end_of_an_attempt() -> None:
    progress = Progress()
    assert (progress.start, progress.number, progress.open) == (-1, 0, False)
    progress.begin(5, 2)
    assert (progress.start, progress.number, progress.open) == (5, 2, False)
    progress.tell('{"name": "a"', '{"name": "a"', 5, [])
    assert progress.open
    progress.end()
    assert (progress.start, progress.open) == (-1, False)
    progress.begin(9, 3)
    events = list[ParseEvent]()
    progress.tell('{"name": "b"', '{"name": "b"', 9, events)
    assert events == [CallOpened(3, "b", Span(9, 21))]


def test_a_name_far_before_the_last_piece_is_looked_for_no_more() -> None:
    far, near = '{"name" ', '{"name": "no'
    assert told(near, 'w"') == [CallOpened(3, "now", Span(0, 14))]
    assert told("," * 250 + near, 'w"') == [CallOpened(3, "now", Span(0, 264))]
    assert told(far + "," * 250, '"') == []

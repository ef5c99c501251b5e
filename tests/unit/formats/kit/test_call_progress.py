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

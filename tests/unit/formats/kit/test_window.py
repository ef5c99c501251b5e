"""Waiting for more text without searching anything twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from workbench.formats.kit.json_end import End
from workbench.formats.kit.window import Step, Window


def drive(make: Callable[[Window], Step[Any]], text: str, size: int) -> Any:
    """Run a step over `text` in pieces; return what it gave."""
    window = Window()
    step = make(window)
    try:
        next(step)
        for at in range(0, len(text), size):
            step.send(text[at : at + size])
        step.send(None)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("the step must end with the text")


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_find_space_literal(size: int) -> None:
    assert drive(lambda window: window.find(0, "</b>", "<c>"), "aa <b </b> <c>", size) == (6, 10)
    assert drive(lambda window: window.find(0, "</b>"), "aa <b", size) is None
    assert drive(lambda window: window.space(0), "   \n x", size) == 5
    assert drive(lambda window: window.space(0), "   ", size) == 3
    assert drive(lambda window: window.literal(0, "abc"), "ABCd", size) == 3
    assert drive(lambda window: window.literal(0, "abc"), "abd", size) == -1
    assert drive(lambda window: window.literal(0, "abc"), "ab", size) == -1
    assert drive(lambda window: window.within(0, 5, "x"), "aaax", size) == (3, 4)
    assert drive(lambda window: window.within(0, 3, "x"), "aaaaax", size) is None


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_json_end(size: int) -> None:
    assert drive(lambda window: window.json_end(0), '{"a": [1]} x', size) == (End.DONE, 10)
    assert drive(lambda window: window.json_end(0), '{"a": [1]', size) == (End.MORE, 9)


def test_pieces_go_to_a_walk_directly_until_it_ends() -> None:
    window = Window()
    step = window.json_end(0)
    assert next(step) is None
    assert [window.walked(piece) for piece in ('{"a": "', "}}", '"')] == [True, True, True]
    assert not window.walked("} rest")
    with pytest.raises(StopIteration) as ended:
        step.send("} rest")
    assert ended.value.value == (End.DONE, 11)
    assert window.text == '{"a": "}}"} rest'


def test_cut_short() -> None:
    window = Window()
    window.reason = "length"
    assert not window.cut_short
    window.closed = True
    assert window.cut_short


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_far_search_is_remembered_but_not_beyond_its_match(size: int) -> None:
    def both(window: Window) -> Step[Any]:
        first = yield from window.find(0, "</b>")
        again = yield from window.find(300, "</b>")
        next_one = yield from window.find(first[1] if first else 0, "</b>")
        none = yield from window.find(next_one[1] if next_one else 0, "</b>")
        return first, again, next_one, none, (yield from window.find(2, "</b>"))

    text = "a" * 1000 + "</b>" + "a" * 20 + "</b> rest"
    assert drive(both, text, size) == ((1000, 1004), (1000, 1004), (1024, 1028), None, (1000, 1004))


def test_waiting_text_grows_by_pieces() -> None:
    window = Window()
    window.append("ab")
    held = window.text
    window.append("c｜")
    assert (held, window.text) == ("ab", "abc｜")


def test_consumed_text_is_dropped_when_large() -> None:
    window = Window()
    window.append("a" * 5000 + "b" * 3000)
    assert window.shed(3000) == 3000
    assert window.shed(5000) == 1
    assert (window.base, window.text[:2], len(window.text)) == (4999, "ab", 3001)


@pytest.mark.parametrize("size", [1, 3, 500])
@pytest.mark.parametrize(("text", "end"), [("```json  \n{", 10), ("```" + "x" * 300 + "{", 303), ("``{", -1)])
def test_a_fence_with_a_label_of_any_length(size: int, text: str, end: int) -> None:
    window = Window()
    window.text = text[:size]
    reading = window.fenced(0)
    found: int | None = None
    pieces = [text[at : at + size] for at in range(size, len(text), size)]
    try:
        next(reading)
        for piece in pieces:
            reading.send(piece)
        reading.send(None)
    except StopIteration as done:
        found = done.value
    assert found == end


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_a_literal_that_goes_on_as_a_longer_one_is_waited_for(size: int) -> None:
    marks = ("<a>", "<a><b>")
    assert drive(lambda window: window.find(0, *marks), "x<a><b>y", size) == (1, 7)
    assert drive(lambda window: window.find(0, *marks), "x<a><c>", size) == (1, 4)
    assert drive(lambda window: window.find(0, *marks), "x<a><", size) == (1, 4)
    assert drive(lambda window: window.literal(1, *marks), "x<a><b>y", size) == 7
    assert drive(lambda window: window.literal(1, *marks), "x<a>", size) == 4


def test_a_reply_is_open_until_it_is_said_to_be_over() -> None:
    window = Window(7)
    assert (window.base, window.closed, window.whole, window.reason) == (7, False, False, None)

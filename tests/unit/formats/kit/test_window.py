"""Waiting for more text without searching anything twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from workbench.formats.kit.json_end import End
from workbench.formats.kit.openers import Openers
from workbench.formats.kit.window import SHED, Step, Window


def drive(make: Callable[[Window], Step[Any]], text: str, size: int, begin: int = 0) -> Any:
    """Run a step over `text`, of which so much is there at first, in pieces; return what it gave."""
    window = Window()
    window.text = text[:begin]
    step = make(window)
    try:
        next(step)
        for at in range(begin, len(text), size):
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


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    ("step", "text", "found"),
    [
        (lambda window: window.find(1, "<a>", "<a>b"), "<a> <a>b", (4, 8)),
        (lambda window: window.find(0, "<a>", "<a>b"), " <a>c", (1, 4)),
        (lambda window: window.find(0, "<a>", "<a>b"), " <a>", (1, 4)),
        (lambda window: window.literal(0, "ab", "abcd"), "abce", 2),
        (lambda window: window.literal(0, "ab", "abcd"), "ABCD", 4),
        (lambda window: window.literal(1, "ab", "abcd"), "xabc", 3),
        (lambda window: window.within(1, 3, "bc"), "aabc", (2, 4)),
        (lambda window: window.within(1, 2, "bc"), "aabc", None),
        (lambda window: window.within(0, 9, "bc"), "aab", None),
        (lambda window: window.at_least(3), "abc", True),
        (lambda window: window.at_least(4), "abc", False),
        (lambda window: window.space(0), "\u200b\ufeff \n\u2060x", 5),
        (lambda window: window.space(2), "a  ", 3),
        (lambda window: window.fenced(0), "```json\n {", 9),
        (lambda window: window.fenced(0), "``` {", 4),
        (lambda window: window.fenced(0), "``json", -1),
        (lambda window: window.fenced(1), "```json", -1),
        (lambda window: window.past(1, re.compile(r"\d*+")), "a123b", 4),
        (lambda window: window.past(1, re.compile(r"\d*+")), "a12", 3),
        (lambda window: window.brace(0), " , {", 3),
        (lambda window: window.brace(0), "=>{", 2),
        (lambda window: window.brace(0), "=>>{", 0),
        (lambda window: window.brace(0), " a{", 1),
        (lambda window: window.brace(0), " [", 1),
        (lambda window: window.brace(0), "*x", 0),
        (lambda window: window.seek(0, re.compile("b+c"), 4), "aabbbca", (2, 6)),
        (lambda window: window.seek(3, re.compile("b+c"), 4), "aabbbca", (3, 6)),
        (lambda window: window.seek(3, re.compile("b+c"), 4), "abcbba", None),
        (lambda window: window.json_end(1), '[[1, "]"], 2', (End.DONE, 9)),
        (lambda window: window.json_end(1), "[[1, ", (End.MORE, 5)),
    ],
)
def test_steps_do_not_depend_on_pieces(
    size: int, step: Callable[[Window], Step[Any]], text: str, found: object
) -> None:
    assert drive(step, text, size, 3) == found


@pytest.mark.parametrize("size", [1, 2, 5, 100])
@pytest.mark.parametrize(
    ("text", "found"),
    [("x<a  1>y", "<a  1>"), ("x<a 1", None), ("x<b>", None), ("xa", None), ("x<a 12345678901234>", None), ("x", None)],
)
def test_a_marker_in_several_spellings(size: int, text: str, found: str | None) -> None:
    def step(window: Window) -> Step[Any]:
        match = yield from window.token(1, re.compile(r"<a\s+\d{1,6}>"), 12)
        return match and match.group()

    assert drive(step, text, size, 1) == found


def test_what_is_done_with_is_let_go() -> None:
    window = Window(10)
    window.text = "abcdef"
    assert window.span(1, 3)[:2] == (11, 13)
    assert window.slide(0, "x") == 0
    assert (window.text, window.base) == ("abcdefx", 10)
    assert window.slide(3, "yz") == 1
    assert (window.text, window.base, window.closed) == ("cdefxyz", 12, False)
    assert (window.slide(4, None), window.text, window.closed) == (4, "cdefxyz", True)


@pytest.mark.parametrize(
    ("length", "at", "shed"),
    [(2 * SHED, SHED, True), (2 * SHED, SHED - 1, False), (2 * SHED + 1, SHED, False), (2 * SHED + 2, SHED + 1, True)],
)
def test_so_much_is_shed(length: int, at: int, shed: bool) -> None:
    window = Window(5)
    window.text = "".join(chr(97 + number % 26) for number in range(length))
    text = window.text
    assert window.shed(at) == (1 if shed else at)
    assert (window.text, window.base) == ((text[at - 1 :], 5 + at - 1) if shed else (text, 5))


def test_the_tail_is_short_and_a_cut_reply_is_known() -> None:
    window = Window()
    window.text = "a" * 600
    assert (len(window.tail(0)), len(window.tail(100)), window.tail(600)) == (512, 500, "")
    window.closed = True
    for reason, cut in (
        ("length", True),
        ("max_tokens", True),
        ("MAX_TOKENS", True),
        ("model_length", True),
        ("stop", False),
        (None, False),
    ):
        window.reason = reason
        assert window.cut_short is cut


def test_the_tail_that_may_begin_an_opener_is_held() -> None:
    openers = Openers({"<tool_call>": "call"})
    window = Window()
    window.text = "some text <tool"
    assert (window.hold(openers, 0), window.hold(openers, 12), window.hold(openers, 15)) == (10, 15, 15)
    window.whole = True
    assert (window.hold(openers, 0), window.hold(openers, 12)) == (4, 12)


@pytest.mark.parametrize("base", [0, 7, 5000])
def test_a_far_search_is_remembered_by_its_place_in_the_reply(base: int) -> None:
    window = Window(base)
    window.text = "a" * 1000 + "</b>" + "a" * 20
    window.closed = True

    def found(at: int) -> Any:
        try:
            next(window.find(at, "</b>"))
        except StopIteration as done:
            return done.value
        raise AssertionError("all is there")

    assert [found(at) for at in (0, 300, 1000, 1001, 0)] == [
        (1000, 1004),
        (1000, 1004),
        (1000, 1004),
        None,
        (1000, 1004),
    ]


@pytest.mark.parametrize(
    ("step", "text", "found"),
    [
        (lambda window: window.within(0, 3, "x"), "aaaa", None),
        (lambda window: window.within(0, 3, "x"), "aaa", None),
        (lambda window: window.within(1, 3, "a"), "xa", (1, 2)),
        (lambda window: window.literal(0, "abc"), "abd", -1),
        (lambda window: window.literal(0, "abc"), "abcd", 3),
        (lambda window: window.literal(0, "ab", "abc"), "abd", 2),
        (lambda window: window.find(0, "<b>"), "a<b>", (1, 4)),
        (lambda window: window.space(0), "  a", 2),
        (lambda window: window.layout(0), " \\n{", 3),
        (lambda window: window.layout(0), " \\x", 1),
        (lambda window: window.brace(0), " {", 1),
        (lambda window: window.brace(0), " a", 1),
        (lambda window: window.past(0, re.compile(r"\d*+")), "12a", 2),
        (lambda window: window.fenced(0), "```json\n{", 8),
        (lambda window: window.fenced(0), "a", -1),
        (lambda window: window.at_least(2), "ab", True),
        (lambda window: window.token(0, re.compile("<a>"), 9), "<b>", None),
        (lambda window: window.token(0, re.compile("<a>"), 3), "<bc", None),
        (lambda window: window.seek(0, re.compile("b+c"), 4), "abbc", (1, 4)),
        (lambda window: window.json_end(0), "[1]", (End.DONE, 3)),
        (lambda window: window.json_end(0), "[<", (End.BROKEN, 1)),
    ],
)
def test_what_is_certain_waits_for_nothing(step: Callable[[Window], Step[Any]], text: str, found: object) -> None:
    window = Window()
    window.text = text
    with pytest.raises(StopIteration) as done:
        next(step(window))
    assert done.value.value == found
    assert window.text == text

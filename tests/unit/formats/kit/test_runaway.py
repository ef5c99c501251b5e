"""Replies that run away: turns and tests that the model writes itself behind a right call."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParseResult
from workbench.formats import get_format
from workbench.formats.kit.runaway import TURNS, Runaway

SPECS = tuple(TOOLS.values())
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
BEHIND = (
    "<|im_end|>\n<|im_start|>user\nAnd Paris?<|im_end|>\n<|im_start|>assistant\n" + CALL,
    "\n\nUser: And Paris?\nAssistant: " + CALL,
    "\nHuman: And Paris?\n\n" + CALL,
    "\n\n### Instruction:\nAnd Paris?\n\n### Response:\n" + CALL,
    "user\n\nAnd Paris?",
    "\n\n# Test\nassert get_weather(city='Rome')",
    "\n\nTest case 1: Rome",
    "\n\n```python\ndef test_weather():\n    assert get_weather(city='Rome')\n```",
    "\n\n**User:** And Paris?",
)


def read(raw: str, *, step: int = 0, form: str = "qwen_xml") -> ParseResult:
    parser = get_format(form).parser(SPECS)
    for at in range(0, len(raw), step or len(raw)):
        parser.feed(raw[at : at + (step or len(raw))])
    parser.finish("stop")
    return parser.result()


@pytest.mark.parametrize("behind", BEHIND)
def test_run_on_behind_a_call(behind: str) -> None:
    found = read(CALL + behind)
    assert [call.outcome for call in found.calls] == [Outcome.STRICT]
    assert [one.code for one in found.problems if one.outcome is not Outcome.IGNORED] == ["runaway"]
    (problem,) = (one for one in found.problems if one.code == "runaway")
    assert problem.outcome is None
    assert problem.span.start >= len(CALL)
    assert all(read(CALL + behind, step=step) == found for step in (1, 3, 7))


@pytest.mark.parametrize(
    "behind",
    [
        "", "<|im_end|>", "<|im_end|>\n<|im_start|>user", "<|im_end|>\n<|im_start|>user\n",
        "\nI called it for the user: Ada.", "\n\nThe user is Ada.\nUser: Ada", "\n\nTesting is not needed.", "\n\nUsername: ada",
    ],
)  # fmt: skip
def test_ordinary_text_behind_a_call(behind: str) -> None:
    assert "runaway" not in [one.code for one in read(CALL + behind).problems]


@pytest.mark.parametrize("token", TURNS)
def test_somebody_elses_turn_behind_an_answer(token: str) -> None:
    found = read(f"It is sunny.{token}\nAnd Paris?{CALL}")
    assert (found.text, found.calls) == ("It is sunny.", ())
    assert [one.code for one in found.problems] == ["runaway"]


def test_words_count_behind_a_call_alone() -> None:
    assert read("Dialogue:\n\nUser: hi\nAssistant: hello").problems == ()


def test_words_on_both_sides_of_a_call_are_no_sign_together() -> None:
    ear = Runaway()
    ear.hear("\n\n// ", 10)
    assert not ear.begun()
    ear.again()
    ear.hear("tests passed\n\n# tests\n", 60)
    assert ear.begun()
    assert ear.at == 60 + len("tests passed\n\n")


def test_react_tells_of_turns_behind_its_call() -> None:
    raw = 'Action: get_weather\nAction Input: {"city": "Rome"}\n\nHuman: And Paris?'
    found = read(raw, form="react")
    assert [one.code for one in found.problems] == ["runaway"]
    assert read(raw, form="react", step=1) == found


@pytest.mark.parametrize("size", [1, 2, 5, 400])
def test_place_does_not_depend_on_the_pieces(size: int) -> None:
    text = "One moment.\n" + "x" * 900 + "\n \n> user 2:\nAnd so on."
    heard = Runaway()
    for at in range(0, len(text), size):
        heard.hear(text[at : at + size], 50 + at)
    assert heard.begun()
    assert heard.at == 50 + text.index("user 2")


def test_lines_without_end_take_linear_time() -> None:
    heard = Runaway()
    for at in range(0, 400_000, 4):
        heard.hear("abcd", at)
    assert len(heard._text) < 1000
    assert not heard.begun()


def heard(*pieces: str, at: int = 100) -> Runaway:
    runaway = Runaway()
    for piece in pieces:
        runaway.hear(piece, at)
        at += len(piece)
    return runaway


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("User: x\n", 0), ("a\n\nUser: x\n", 3), ("a\n \t\n  > Human 2: x\n", 9), ("a\n\n```python\ndef test_x\n", 13), ("a\n\n**user**:\n", 3),
        ("a\n\n[user]\n", 3), ("a\n\n<human>: b\n", 3), ("a\n\n## Question 3:\n", 3), ("a\n\n#### Input\n", 3), ("a\n\n-- self-test\n", 3), ("a\n\ntest case\n", 3),
        ("a\n\nassertEqual(\n", 3), ("a\n\nimport pytest\n", 3), ("a\n\n>>> f(1)\n", 3), ("a\n\nExpected output\n", 3), ("a\n\nif __name__\n", 3),
        ("a\nUser: x\n", -1), ("a\n\nuserful\n", -1), ("a\n\n##### Question\n", -1), ("a\n\nthe user: x\n", -1), ("a\n\nuser 1234: x\n", -1), ("a\n\ntests run\n", -1),
        ("a\n\nUser: x", -1), ("a\n\nuser", -1), (f"a\n\n{'b' * 200}\n\nUser: x\n", 205),
    ],
)  # fmt: skip
def test_where_it_begins(text: str, at: int) -> None:
    place = at + 100 if at >= 0 else -1
    assert heard(text).at == place
    assert heard(*text).at == place
    half = len(text) // 2
    assert heard(text[:half], text[half:]).at == place
    assert at < 0 or heard(text, "\n\nUser: x\n").at == place, "the first counts"


def test_pieces_that_do_not_follow_each_other() -> None:
    runaway = Runaway()
    for piece, at in (("a\n", 10), ("\n", 40), ("Us", 60), ("er: x\n", 90)):
        runaway.hear(piece, at)
    assert runaway.at == 60
    runaway.hear("\n\nHuman: x\n", 200)
    assert runaway.at == 60, "the first counts"


def test_a_marker_ends_the_line() -> None:
    runaway = heard("a\n\nuser")
    assert (runaway.at, runaway.begun(), runaway.at) == (-1, True, 103)
    assert heard("a\n\nuse").begun() is False
    long = heard("a\n\n" + "x" * 400)
    assert long.begun() is False
    told = heard("a\n\n" + "x" * 301, "\n\nuser")
    assert told.begun() is True
    assert told.at == 100 + 3 + 301 + 2


def test_a_long_line_is_decided_before_it_ends() -> None:
    assert heard("\n\nUser: " + "x" * 292).at == -1
    assert heard("\n\nUser: " + "x" * 295).at == 102
    assert heard("\n\n" + "x" * 301, " User: x", "\n\nUser: y\n").at == 100 + 2 + 301 + 8 + 2
    assert heard("x" * 400, "\n", "\n", "User: y\n").at == 502


def test_a_further_call_begins_anew() -> None:
    runaway = heard("a\n\n")
    assert not runaway.fresh
    runaway.again()
    assert runaway.fresh
    runaway.hear("User: x\n", 500)
    assert runaway.at == 500
    long = heard("x" * 400)
    long.again()
    long.hear("User: x\n", 700)
    assert long.at == 700
    assert Runaway().fresh


def test_the_pace_of_two_rounds_is_the_same_wherever_they_are() -> None:
    one, other = heard("a\n\nb", at=100), heard("a\n\nb", at=350)
    assert one.pace(90) == other.pace(340) != one.pace(91)
    assert one.pace(0) != heard("a\n\nc", at=100).pace(0)
    one.jump(250)
    assert one.pace(340) == other.pace(340)
    one.hear("\n\nUser: x\n", 354)
    assert one.at == 356


def test_it_may_begin_with_the_reply() -> None:
    runaway = heard("User: x\n", at=0)
    assert (runaway.at, runaway.begun()) == (0, True)


@pytest.mark.parametrize(
    ("pieces", "place"),
    [
        ((("a\nb\nc\n\nUser", 10), (": hi\n", 300)), 17), ((("a\nb\n", 3), ("c\nd\n\nUser", 10), (": hi\n", 300)), 15),
        ((("a\nb\nc\nd\n", 10), ("\n\nUser:", 200), (" hi\n", 300)), 202), ((("a\n\n", 10), ("\n", 50), ("User: hi\n", 200)), 200),
    ],
)  # fmt: skip
def test_the_place_of_a_turn_that_came_in_pieces(pieces: tuple[tuple[str, int], ...], place: int) -> None:
    heard = Runaway()
    for text, at in pieces:
        heard.hear(text, at)
    assert (heard.begun(), heard.at) == (True, place)


def test_a_long_line_that_opens_a_turn_is_known_before_its_end() -> None:
    heard = Runaway()
    heard.hear(f"\n\nUser: {'x' * 400}", 50)
    assert (heard.begun(), heard.at) == (True, 52)

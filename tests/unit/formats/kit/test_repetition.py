"""What is jumped over in a text that repeats itself is read exactly as without the jump."""

from __future__ import annotations

import random

import pytest

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.calls import ParseResult
from workbench.formats import get_format, list_formats
from workbench.formats.kit import repetition
from workbench.formats.kit.repetition import Repetition, Stretch, stretches
from workbench.formats.kit.scanner import Scanner

FORMS = [spec.id for spec in list_formats() if not spec.native]
CITY = '{"name": "get_weather", "arguments": {"city": "Rome"}}'
UNITS = (
    f"<tool_call>\n{CITY}\n</tool_call>\n", "<tool_call>{\n\nWell. ", "a `b` c\n\n", "```json\n" + CITY + "\n```\n", "<think>a</think> b ",
    "It is fine. ", f"<tool_call>{CITY}</tool_call>\nuser: and now?\n\n", "for example: <tool_call>x</tool_call> ", "<tool_call>", "<tool_call></tool_call>",
)  # fmt: skip


def read(form: str, text: str, *, quick: bool, reason: str | None = None, **flags: bool) -> ParseResult:
    parser = get_format(form).parser(tuple(TOOLS.values()), **flags)
    assert isinstance(parser, Scanner)
    parser.watch = "own"
    parser.jump = Repetition(stretches(text)).jump if quick else None
    parser.feed(text)
    parser.finish(reason)
    return parser.result()


def test_stretches_are_found_with_their_period() -> None:
    text = "Begin. " + "abcde" * 2000 + ", the end"
    assert stretches("ab" * 6000) == (Stretch(0, 2, 11_998),)
    (found,) = stretches(text)
    assert text[found.start : found.end] == text[found.start + found.period : found.end + found.period]
    assert found.period % 5 == 0
    assert found.end + found.period > len("Begin. ") + 9990


def test_a_text_without_repetition_has_none() -> None:
    assert stretches("".join(f"Line {number} of a log. " for number in range(2000))) == ()
    assert stretches("abc" * 100) == ()


def test_two_stretches_are_found() -> None:
    found = stretches("abc" * 4000 + "".join(map(str, range(3000))) + "xyz-" * 4000)
    assert len(found) == 2
    assert all(isinstance(one, Stretch) for one in found)


@pytest.mark.parametrize("form", FORMS)
def test_repeated_samples_are_read_as_without_the_jump(form: str) -> None:
    chooser = random.Random(form)
    own = [case for case in cases() if case.format == form]
    for case in chooser.sample(own, min(4, len(own))):
        unit = case.raw + chooser.choice(("", "\n", "\n\n", " and "))
        text = (
            chooser.choice(("", "Hello. ", "<think>")) + unit * (6000 // len(unit) + 4) + chooser.choice(("", unit[:9]))
        )
        assert read(form, text, quick=True, reason=case.reason, **case.flags) == read(
            form, text, quick=False, reason=case.reason, **case.flags
        ), text[:200]


@pytest.mark.parametrize("form", ["qwen_xml", "react", "pythonic", "bare_json", "harmony", "generic_xml"])
def test_any_repeated_text_is_read_as_without_the_jump(form: str) -> None:
    for unit in UNITS:
        text = "Well: " + unit * (6000 // len(unit)) + "one more. " + UNITS[0] + UNITS[0] * 90
        assert read(form, text, quick=True) == read(form, text, quick=False), unit


@pytest.mark.parametrize(
    ("form", "unit", "end"),
    [
        ("pythonic", '[get_weather(city="Rome"), get_weather(city="Os\n', ""),  # the text's end is seen from afar
        ("arrow_call", '[TOOL_CALL]\n{tool => "get_weather", args => {\n  --city "Rome"\n}}\n', "[TOOL_CALL]\n{to\nm_end|>"),
        ("json_scaffold", f"<|function_call|>{CITY}\n<|function_call|>{CITY}\nLet me look.\n", ""),  # calls wait for text
    ],
)  # fmt: skip
def test_what_follows_the_rounds_decides_about_none_that_was_jumped_over(form: str, unit: str, end: str) -> None:
    for size in (9000, 16000):
        text = unit * (size // len(unit)) + end
        for reason in (None, "length"):
            assert read(form, text, quick=True, reason=reason) == read(form, text, quick=False, reason=reason)


IN_VAIN = '\n{"name": "get_weather", "arguments": {"city": <b>Rome}}\n'
"""What is walked over for nothing."""


@pytest.mark.parametrize(
    ("form", "unit", "calls"), [("qwen_xml", UNITS[0], 3000), ("qwen_xml", "<tool_call>", 0), ("qwen_xml", IN_VAIN, 0)]
)
def test_jumps_happen(form: str, unit: str, calls: int) -> None:
    """A round may take more than one period, as where two openers are read together."""
    text = unit * 3000
    watched: list[int] = []

    class Watched(Repetition):
        def jump(self, scan: Scanner, at: int) -> int:
            watched.append(at)
            return super().jump(scan, at)

    parser = get_format(form).parser(tuple(TOOLS.values()))
    assert isinstance(parser, Scanner)
    parser.jump = Watched(stretches(text)).jump
    parser.feed(text)
    parser.finish()
    assert len(parser.result().calls) == calls
    assert len(watched) < 100


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ab" * 2048, ()),
        ("ab" * 2049, (Stretch(0, 2, 4096),)),
        ("abcd" * 1024 + "abcx", ()),
        (f"{'ab' * 2100}x{'cd' * 100}", (Stretch(0, 2, 4198),)),
        ("".join(map(str, range(1400))) + "ab" * 5000, None),
    ],
)
def test_where_stretches_begin_and_end(text: str, found: tuple[Stretch, ...] | None) -> None:
    every = stretches(text)
    assert found is None or every == found
    for one in every:
        assert text[one.start : one.end] == text[one.start + one.period : one.end + one.period]


def test_a_long_round_is_found_and_one_that_comes_twice_is_none() -> None:
    round_ = "".join(f"{number} of many; " for number in range(400))
    assert stretches(round_ * 2) == ()
    assert stretches(round_ * 3) == ()
    assert stretches(round_ * 4) == (Stretch(0, len(round_), 3 * len(round_)),)


@pytest.mark.parametrize("step", [0, 1, 24, 48, 49, 96, 97, 144, 4095, 4096])
def test_how_far_two_places_are_the_same(step: int) -> None:
    text = "x" * step + "y" + "x" * step + "z"
    assert repetition._alike(text, 0, step + 1) == step
    assert repetition._alike("x" * step + "x", 0, 1) == step


@pytest.mark.parametrize(
    ("form", "unit"),
    [
        ("qwen_xml", f"It is fine. <tool_call>{CITY}</tool_call>\n"),
        ("qwen_xml", "Words.\n<tool_call>\n</tool_call>\n\nMore words. "),
        ("qwen_xml", f"a `<tool_call>` b\n<tool_call>{CITY}</tool_call>"),
        ("qwen_xml", f"For example: <tool_call>{CITY}</tool_call> and so on.\n"),
        ("json_scaffold", f"{CITY}\n"),
        ("json_scaffold", f"{CITY} Let me look.\n\n"),
        ("kimi_k2", '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|> x '),
        ("generic_xml", f"<tool_call>{CITY}</tool_call> and ] </tool_call> "),
        ("bare_json", '{"name": "get_weather", "arguments": {"city": "a"b"}} '),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "tail", ["", "get_weather(city='Rome')", f"\n\nUser: and now?\n<tool_call>{CITY}</tool_call>", "<tool_ca"]
)
def test_places_behind_rounds_that_were_jumped_over(form: str, unit: str, tail: str) -> None:
    text = f"Well.\n\n{unit * (14_000 // len(unit))}{tail}"
    found, plain = read(form, text, quick=True), read(form, text, quick=False)
    assert found.calls == plain.calls
    assert found.text == plain.text
    assert found.problems == plain.problems


@pytest.mark.parametrize(
    ("form", "unit"),
    [
        ("qwen_xml", UNITS[0]), ("qwen_xml", IN_VAIN), ("bare_json", f"{IN_VAIN} and "), ("llama31_function", 'Now get_weather{"city": "Rome"} it is.\n'),
        ("generic_xml", '<tool_call><function name="now"><b></function></tool_call>\n'), ("qwen_xml", "<think>a</think> b " + UNITS[0]),
    ],
)  # fmt: skip
def test_limits_count_what_was_jumped_over(form: str, unit: str) -> None:
    text = unit * (24_000 // len(unit))
    counted = []
    for found in (stretches(text), ()):
        parser = get_format(form).parser(tuple(TOOLS.values()))
        assert isinstance(parser, Scanner)
        parser.jump = Repetition(found).jump if found else None
        parser.feed(text)
        counted.append((parser.wasted, parser.attempts, parser.mends, parser.number, parser.prose.length))
    assert counted[0] == counted[1]

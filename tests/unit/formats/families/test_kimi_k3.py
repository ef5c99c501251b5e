"""The contract of the kimi_k3 family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS, contract
from tests.kit.whole_reading import Drawn, drawn, told
from workbench.formats import get_format

TestFamily = contract("kimi_k3")


def test_a_close_that_is_written_twice_loses_no_argument() -> None:
    head = '<|open|>call tool="write_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a<|close|>argument<|sep|>'
    rest = '<|open|>argument key="content" type="string"<|sep|>b<|close|>argument<|sep|><|close|>call<|sep|>'
    for junk in ("<|close|>argument<|sep|>", ">"):
        (call,) = get_format("kimi_k3").parse(head + junk + rest, tuple(TOOLS.values())).calls
        assert (call.arguments, call.repairs) == ({"path": "a", "content": "b"}, ("near_miss_tag",))


@pytest.mark.parametrize(
    ("token", "bent"),
    [("<|open|>", "|open|>"), ("<|open|>", "<|opn|>"), ("<|open|>", "<|open|><|open|>"), ("<|sep|>", "<|sep|"), ("<|sep|>", "<|sp|>"),
     ("<|sep|>", "<|sep|><|sep|>")],
)  # fmt: skip
def test_a_bent_token_loses_no_argument(token: str, bent: str) -> None:
    first = '<|open|>call tool="write_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a<|close|>argument<|sep|>'
    second = '<|open|>argument key="content" type="string"<|sep|>b'.replace(token, bent)
    raw = f"{first}{second}<|close|>argument<|sep|><|close|>call<|sep|>"
    (call,) = get_format("kimi_k3").parse(raw, tuple(TOOLS.values())).calls
    assert (call.arguments, call.repairs) == ({"path": "a", "content": "b"}, ("near_miss_tag",))


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("kimi_k3", "stop", True, Drawn('<|open|>tools<|sep|>⟦<|open|>call tool="‹get_weather›" index="1"<|sep|>«<|open|>argument key="city" type="string"Rome<|close|>argument<|sep|>»<|close|>call<|sep|>⟧<|close|>tools<|sep|>', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("kimi_k3", "stop", True, Drawn('<|open|>tools<|sep|>⟦<|open|>call tool="‹get_weather›" index="1"<|sep|>«<|open|>argument key="city" type="string"\nRome<|close|>argument<|sep|>»<|close|>call<|sep|>⟧<|close|>tools<|sep|>', [("get_weather", {"city": "\nRome"}, "near_miss_tag")])),
        ("kimi_k3", "stop", True, Drawn('<|open|>tools<|sep|>⟦<|open|>call tool="‹get_weather›" index="1"<|sep|>«<|open|>argument key="city" type="string"<|sep|>Rome<|close|>argument<|sep|><|open|>argument key="days" type="integer"3<|close|>argument<|sep|>»<|close|>call<|sep|>⟧<|close|>tools<|sep|>', [("get_weather", {"city": "Rome", "days": 3}, "near_miss_tag")])),
        ("kimi_k3", "stop", True, Drawn('<|open|>tools<|sep|>⟦<|open|>call tool="‹get_weather›" index="1"<|sep|>«<|open|>argument key="city"Rome<|close|>argument<|sep|>»<|close|>call<|sep|>⟧<|close|>tools<|sep|>', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("kimi_k3", "stop", True, Drawn('<|open|>tools<|sep|>⟦<|open|>call tool="‹get_weather›" index="1"<|sep|>«<|open|>argument key="city" type="string"<|sep|>key="a" type="b"c<|close|>argument<|sep|>»<|close|>call<|sep|>⟧<|close|>tools<|sep|>', [("get_weather", {"city": 'key="a" type="b"c'}, "")])),
    ],
)  # fmt: skip
def test_the_token_behind_an_argument_s_header_is_lost(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("between", "repairs"),
    [
        ("<|close|>argument<|sep|>", "near_miss_tag"),
        ("<|sep|>", "missing_close_tag near_miss_tag"),
        ("", "missing_close_tag near_miss_tag"),
        ("<|sep|><|open|>", "near_miss_tag missing_close_tag"),
    ],
)
def test_lost_tokens_between_two_arguments_lose_neither(between: str, repairs: str) -> None:
    first = '<|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Rome'
    second = 'argument key="days" type="integer"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|>'
    (call,) = told("kimi_k3", f"{first}{between}{second}").calls
    assert call[:3] == ("get_weather", {"city": "Rome", "days": 3}, repairs)


def test_words_that_look_like_a_header_stay_in_a_value() -> None:
    text = 'pass argument key="days" type="integer" to it'
    raw = f'<|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>{text}<|close|>argument<|sep|><|close|>call<|sep|>'
    assert [call[1:3] for call in told("kimi_k3", raw).calls] == [({"city": text}, "")]


@pytest.mark.parametrize("token", ["|sep|>", "ep|>", "<|sep|", "<|s", "<|sep1|>"])
def test_what_is_left_of_a_header_s_end_takes_no_part_of_the_value(token: str) -> None:
    raw = f'<|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Rome<|close|>argument<|sep|><|open|>argument key="days" type="integer"{token}3<|close|>argument<|sep|><|close|>call<|sep|>'
    assert [call[1:3] for call in told("kimi_k3", raw).calls] == [({"city": "Rome", "days": 3}, "near_miss_tag")]

"""Calls between tokens: what may be lost of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, Told, drawn, told
from workbench.formats import get_format
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.token_call import TokenCall
from workbench.formats.kit.toolset import prepared

SPECS = tuple(TOOLS.values())


@pytest.mark.parametrize(
    ("raw", "repairs"),
    [
        ("<|tool_call:begin|>1<|tool_call:name|>now<|tool_call:args|>{}<|tool_call:end|>", ()),
        ("<|tool_call:begin|><|tool_call:name|>now{}<|tool_call:end|>", ("missing_open_tag",)),
        ("<|tool_call:begin|><|tool_call:name|>now<|tool_call:end|>", ("missing_close_tag",)),
        ("<|tool_call:name|>now<|tool_call:args|>{}", ("missing_open_tag", "missing_close_tag")),
    ],
)
def test_tokens_may_be_lost(raw: str, repairs: tuple[str, ...]) -> None:
    (call,) = get_format("solar_open").parse(raw, SPECS).calls
    assert (call.name, call.arguments, call.repairs) == ("now", {}, repairs)


def test_an_id_between_the_tokens_is_the_calls_own() -> None:
    raw = "<|tool_call:begin|>{}<|tool_call:name|>now<|tool_call:args|>{{}}<|tool_call:end|>"
    calls = get_format("solar_open").parse(raw.format("a1b2-c3") + raw.format(""), SPECS).calls
    assert calls[0].id == "a1b2-c3"
    assert calls[1].id not in ("", "a1b2-c3")


def test_words_between_tokens_are_no_call() -> None:
    found = get_format("solar_open").parse("<|tool_call:begin|>Hello you<|tool_call:end|>", SPECS)
    assert found.calls == ()
    assert found.problems


BEGIN = "<|tool_call:begin|>"
NAME = "<|tool_call:name|>"
ARGS = "<|tool_call:args|>"
END = "<|tool_call:end|>"


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("solar_open", f"{BEGIN}id1{NAME}now{ARGS}{{}}{END}", Told([("now", {}, "", f"{BEGIN}id1{NAME}now{ARGS}{{}}{END}")])),
        ("solar_open", f"{BEGIN}{NAME}now{ARGS}{{}}{END} Done.", Told([("now", {}, "", f"{BEGIN}{NAME}now{ARGS}{{}}{END}")], "Done.")),
        ("solar_open", f"{BEGIN} id1 {NAME} now {ARGS} {{}} {END}", Told([("now", {}, "", f"{BEGIN} id1 {NAME} now {ARGS} {{}} {END}")])),
        ("solar_open", f"{BEGIN}id 1{NAME}now{ARGS}{{}}{END}", Told([("now", {}, "missing_open_tag", f"{NAME}now{ARGS}{{}}{END}")], f"{BEGIN}id 1", [("unread_call", "", "A call begins here and cannot be read.")])),
        ("solar_open", f"{BEGIN}now", Told([], "", [("truncated", "", "The call is cut off.")])),
        ("solar_open", BEGIN, Told([], "", [("truncated", "", "The call is cut off.")])),
        ("solar_open", f"{BEGIN}1{NAME}now", Told([], "", [("truncated", "now", "The call is cut off.")])),
        ("solar_open", f"{BEGIN}1{NAME}now{ARGS}", Told([("now", {}, "missing_close_tag", f"{BEGIN}1{NAME}now{ARGS}")])),
        ("solar_open", f'{BEGIN}1{NAME}now{ARGS}{{"zone": "C', Told([], "", [("truncated", "now", "The call is cut off. ('now')")])),
        ("solar_open", f"{BEGIN}1{NAME}now{ARGS}{{}}", Told([("now", {}, "missing_close_tag", f"{BEGIN}1{NAME}now{ARGS}{{}}")])),
        ("solar_open", f"{BEGIN}1{NAME}now{ARGS}{{}}<|tool_call:e", Told([("now", {}, "missing_close_tag", f"{BEGIN}1{NAME}now{ARGS}{{}}")])),
        ("solar_open", f"{BEGIN}1{NAME}now{END}", Told([("now", {}, "missing_close_tag", f"{BEGIN}1{NAME}now{END}")])),
        ("solar_open", f"{BEGIN}1{NAME}other{ARGS}{{}}{END}", Told([], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("solar_open", f"{BEGIN}1{NAME}a b{ARGS}{{}}{END}", Told([], f"{BEGIN}1{NAME}a b{{}}", [("unread_call", "", "A marker ends a call here that was never begun."), ("unread_call", "", "A call begins here and cannot be read.")])),
        ("solar_open", f"{NAME}now{ARGS}{{}}{END}", Told([("now", {}, "missing_open_tag", f"{NAME}now{ARGS}{{}}{END}")])),
        ("solar_open", f"{NAME}now{{}}{END}", Told([("now", {}, "missing_open_tag", f"{NAME}now{{}}{END}")])),
        ("solar_open", END, Told([], "", [("unread_call", "", "A marker ends a call here that was never begun.")])),
        ("solar_open", f"text {ARGS} more", Told([], "text more", [("unread_call", "", "A marker ends a call here that was never begun.")])),
        ("solar_open", f"{BEGIN}1{NAME}now{ARGS}{{}}{END}{BEGIN}2{NAME}now{ARGS}{{}}{END}", Told([("now", {}, "", f"{BEGIN}1{NAME}now{ARGS}{{}}{END}"), ("now", {}, "", f"{BEGIN}2{NAME}now{ARGS}{{}}{END}")])),
        ("solar_open", f'{BEGIN}1{NAME}get_weather{ARGS}{{"city": "Rome",}}{END}', Told([("get_weather", {"city": "Rome"}, "trailing_comma", f'{BEGIN}1{NAME}get_weather{ARGS}{{"city": "Rome",}}{END}')])),
        ("solar_open", f"{BEGIN}1{NAME}now{ARGS}[1]{END}", Told([], "", [("args_not_object", "now", "The arguments of 'now' are no JSON object.")])),
    ],
)  # fmt: skip
def test_all_that_is_said_of_calls_between_tokens(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("solar_open", Drawn('⟦<|tool_call:begin|><|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»<|tool_call:end|>⟧ ok', [("get_weather", {"city": "Rome"}, "")], [], "ok")),
        ("solar_open", Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»⟧', [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("solar_open", Drawn("⟨<|tool_call:begin|><|tool_call:name|>get_weather<|tool_call:args|>Rome<|tool_call:end|>⟩", [], ["reported args_not_object get_weather: The arguments of 'get_weather' are no JSON object."])),
        ("solar_open", Drawn("⟨<|tool_call:begin|><|tool_call:name|>later<|tool_call:args|>{}<|tool_call:end|>⟩", [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("solar_open", Drawn('⟦<|tool_call:begin|><|tool_call:name|>‹get_weather›«{"city": "Rome"}»<|tool_call:end|>⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("solar_open", Drawn("⟦<|tool_call:name|>‹now›<|tool_call:args|>«{}»<|tool_call:end|>⟧", [("now", {}, "missing_open_tag")])),
        ("solar_open", Drawn("<|tool_call:args|>{}⟨<|tool_call:end|>⟩", [], ["reported unread_call : A marker ends a call here that was never begun."], "{}")),
        ("solar_open", Drawn("⟨<|tool_call:begin|><|tool_call:name|><|tool_call:args|>{}⟩⟨<|tool_call:end|>⟩", [], ["reported unread_call : A marker ends a call here that was never begun.", "reported unread_call : A call begins here and cannot be read."], "<|tool_call:begin|><|tool_call:name|>{}")),
        ("solar_open", Drawn("⟨<|tool_call:begin|><|tool_call:name|>now⟩⟨<|tool_call:begin|>⟩", [], ["reported truncated : The call is cut off.", "reported unread_call now: A call of 'now' begins here and cannot be read."], "<|tool_call:begin|><|tool_call:name|>now")),
        ("solar_open", Drawn("⟦<|tool_call:begin|><|tool_call:name|>‹now›<|tool_call:args|>«{}»⟧ x<|tool_call:end|>", [("now", {}, "missing_close_tag")], [], "x")),
        ("solar_open", Drawn("⟨<|tool_call:begin|>now<|tool_call:args|>{}⟩⟨<|tool_call:end|>⟩", [], ["reported unread_call : A marker ends a call here that was never begun.", "reported unread_call now: A call of 'now' begins here and cannot be read."], "<|tool_call:begin|>now{}")),
        ("solar_open", Drawn('⟦<|tool_call:begin|><|tool_call:name|>‹now›<|tool_call:args|>«{}»<|tool_call:end|>⟧⟦<|tool_call:begin|><|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»<|tool_call:end|>⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("solar_open", Drawn("⟨<|tool_call:begin|>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx⟩⟦<|tool_call:name|>‹now›<|tool_call:args|>«{}»<|tool_call:end|>⟧", [("now", {}, "missing_open_tag")], ["reported unread_call : A call begins here and cannot be read."], "<|tool_call:begin|>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")),
        ("solar_open", Drawn("Say ⟨<|tool_call:begin|>⟩", [], ["reported truncated : The call is cut off."], "Say")),
        ("solar_open", Drawn("⟨<|tool_call:end|>⟩ x", [], ["reported unread_call : A marker ends a call here that was never begun."], "x")),
    ],
)  # fmt: skip
def test_names_ids_and_tokens(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


def test_what_each_token_is() -> None:
    grammar: Any = get_format("solar_open").grammar  # type: ignore[attr-defined]
    assert grammar.literals() == {
        BEGIN: "call", NAME: "named", ARGS: "orphan", END: "orphan", "<|tool_calls|>": "orphan",
    }  # fmt: skip
    assert [grammar.ends(mark) for mark in (BEGIN, NAME, ARGS, END, END.upper())] == [False, False, False, True, True]


@dataclass(frozen=True)
class Closed(TokenCall):
    """A grammar in which name and arguments are closed by tokens of their own."""

    format = "closed"
    outer = ("<calls>", "</calls>")
    begin, end = "<call>", "</call>"
    name_open, name_close = "<n>", "</n>"
    args_open, args_close = "<a>", "</a>"


@pytest.mark.parametrize(
    ("text", "end", "arguments", "repairs"),
    [
        ("<call><n>now</n><a>{}</a></call> x", 32, {}, ()),
        ("<call><n>now</n> <a>{} </a> </call> x", 35, {}, ()),
        ("<call><n>now</n>{}</a></call> x", 29, {}, ("missing_open_tag",)),
        ("<call><n>now<a>{}</a></call> x", 28, {}, ()),
        ("<call><n>now</n><a>{}</call> x", 28, {}, ()),
        ("<call><n>now</n><a>{}</a> x", 25, {}, ("missing_close_tag",)),
        ("<call><n>now</n><a>{} x", 21, {}, ("missing_close_tag",)),
        ("<call><n>now</n><a>{}</a></cal", 25, {}, ("missing_close_tag",)),
        ("<n>now</n><a>{}</a></call>", 26, {}, ("missing_open_tag",)),
    ],
)
def test_tokens_that_close_name_and_arguments(text: str, end: int, arguments: object, repairs: tuple[str, ...]) -> None:
    scan = Scanner(Closed(), prepared(SPECS))
    scan.feed(text)
    scan.finish("stop")
    (call,) = scan.result().calls
    assert (call.arguments, call.repairs, call.span.end, call.id) == (arguments, repairs, end, "call_1")


def test_a_call_is_written_with_its_tokens() -> None:
    call = get_format("bare_json").parse('{"name": "now", "arguments": {"zone": "ü"}}').calls[0]
    assert Closed().written(call, "id1") == '<call>id1<n>now</n><a>{"zone": "ü"}</a></call>'
    assert Closed().written(call).startswith("<call><n>")


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ('solar_open', 'stop', True, Drawn('Well. ⟦<|tool_call:begin|>a1<|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»<|tool_call:end|>⟧ ok', [('get_weather', {'city': 'Rome'}, '')], [], 'Well. ok')),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>a 1⟩⟦<|tool_call:name|>‹now›<|tool_call:args|>«{}»<|tool_call:end|>⟧', [('now', {}, 'missing_open_tag')], ['reported unread_call : A call begins here and cannot be read.'], '<|tool_call:begin|>a 1')),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:begin|>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa<|tool_call:name|>‹now›<|tool_call:args|>«{}»<|tool_call:end|>⟧', [('now', {}, '')])),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa⟩⟦<|tool_call:name|>‹now›<|tool_call:args|>«{}»<|tool_call:end|>⟧', [('now', {}, 'missing_open_tag')], ['reported unread_call : A call begins here and cannot be read.'], '<|tool_call:begin|>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:begin|> <|tool_call:name|> ‹now› <|tool_call:args|> «{}» <|tool_call:end|>⟧', [('now', {}, '')])),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>a1<|tool_call:args|>{}⟩⟨<|tool_call:end|>⟩', [], ['reported unread_call : A marker ends a call here that was never begun.', 'reported unread_call : A call begins here and cannot be read.'], '<|tool_call:begin|>a1{}')),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>a1⟩', [], ['reported truncated : The call is cut off.'])),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>a1<|tool_call:name|>⟩', [], ['reported truncated : The call is cut off.'])),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>a1<|tool_call:name|>get_wea⟩', [], ['reported truncated get_wea: The call is cut off.'])),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹now›«»<|tool_call:args|>⟧', [('now', {}, 'missing_close_tag')])),
        ('solar_open', 'length', True, Drawn('⟨<|tool_call:begin|>a1<|tool_call:name|>now<|tool_call:args|>⟩', [], ["reported truncated now: The call of 'now' is cut off."])),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»⟧', [('get_weather', {'city': 'Rome'}, 'missing_close_tag')])),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»⟧<|tool_', [('get_weather', {'city': 'Rome'}, 'missing_close_tag')])),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»⟧<|other', [('get_weather', {'city': 'Rome'}, 'missing_close_tag')], [], '<|other')),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»⟧ more', [('get_weather', {'city': 'Rome'}, 'missing_close_tag')], [], 'more')),
        ('solar_open', 'length', True, Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»⟧', [('get_weather', {'city': 'Rome'}, 'missing_close_tag')])),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>a1<|tool_call:name|>two words<|tool_call:args|>{}⟩⟨<|tool_call:end|>⟩', [], ['reported unread_call : A marker ends a call here that was never begun.', 'reported unread_call : A call begins here and cannot be read.'], '<|tool_call:begin|>a1<|tool_call:name|>two words{}')),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>a1<|tool_call:name|>now<|tool_call:begin|>{}⟩⟨<|tool_call:end|>⟩', [], ['reported unread_call : A marker ends a call here that was never begun.', "reported unread_call now: A call of 'now' begins here and cannot be read."], '<|tool_call:begin|>a1<|tool_call:name|>now<|tool_call:begin|>{}')),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:name|>‹now›<|tool_call:args|>«{}»<|tool_call:end|>⟧', [('now', {}, 'missing_open_tag')])),
        ('solar_open', 'stop', True, Drawn('`⟨<|tool_call:begin|>` is it⟩', [], ['ignored mentioned : This looks like a call but it stands in inline code.'], '`<|tool_call:begin|>` is it')),
        ('solar_open', 'stop', True, Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹now›<|tool_call:args|>«{}»<|tool_call:end|>⟧⟦<|tool_call:begin|>a2<|tool_call:name|>‹get_weather›<|tool_call:args|>«{"city": "Rome"}»<|tool_call:end|>⟧', [('now', {}, ''), ('get_weather', {'city': 'Rome'}, '')])),
        ('solar_open', 'stop', True, Drawn('now⟨<|tool_call:end|>⟩ so', [], ["reported unread_call now: A marker ends a call of 'now' here that was never begun."], 'now so')),
        ('solar_open', 'stop', True, Drawn('<|tool_call:args|>{}⟨<|tool_call:end|>⟩', [], ['reported unread_call : A marker ends a call here that was never begun.'], '{}')),
        ('solar_open', 'stop', True, Drawn('⟨<|tool_call:begin|>a1<|tool_call:name|>later<|tool_call:args|>{}<|tool_call:end|>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ('solar_open', 'stop', False, Drawn('⟦<|tool_call:begin|>a1<|tool_call:name|>‹later›<|tool_call:args|>«{}»<|tool_call:end|>⟧', [('later', {}, '')])),
        ('plamo3', 'stop', True, Drawn('⟨<|plamo:begin_tool_request:plamo|>⟩', [], ['reported truncated : The call is cut off.'])),
    ],
)  # fmt: skip
def test_calls_whose_tokens_are_cut_or_lost(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


def test_the_name_of_a_call_that_is_cut_off_is_told_in_short() -> None:
    raw = f"<|tool_call:begin|>a1<|tool_call:name|>{'n' * 90}"
    (problem,) = get_format("solar_open").parse(raw, SPECS).problems
    assert (problem.code, problem.name) == ("truncated", "n" * 64)

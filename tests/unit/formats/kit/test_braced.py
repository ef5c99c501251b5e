"""Gemma's own argument syntax."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.formats.kit.braced import braced_marks, read_braced, write_braced

Q = '<|"|>'


@pytest.mark.parametrize(
    ("text", "want", "repairs"),
    [
        (f"{{a:{Q}x,y:z}}{Q},b:3}}", {"a": "x,y:z}", "b": 3}, ()),
        (f"{{a:[{Q}x{Q},{Q},{Q}],b:{{c:true,d:null}}}}", {"a": ["x", ","], "b": {"c": True, "d": None}}, ()),
        (f"{{a:x{Q},b:3}}", {"a": "x", "b": 3}, ("missing_open_tag", "open_value")),
        (f"{{a:{Q}x,b:3}}", {"a": "x", "b": 3}, ("missing_close_tag", "open_value")),
        (f'{{a:{Q}x",b:3}}', {"a": "x", "b": 3}, ("missing_close_tag", "open_value")),
        (f'{{a:{Q}x "y",b:3}}', {"a": 'x "y"', "b": 3}, ("missing_close_tag", "open_value")),
        (f"{{a:{Q}x{Q},b='y, z',c=3}}", {"a": "x", "b": "y, z", "c": 3}, ("near_miss_tag", "single_quotes")),
        (f"{{a:{Q}x{Q},b{Q}y{Q}}}", {"a": "x", "b": "y"}, ("near_miss_tag",)),
        (f"{{a:{Q}{Q}x{Q}}}", {"a": "x"}, ("near_miss_tag",)),
        (f"{{a:'x y{Q}}}", {"a": "x y"}, ("missing_open_tag", "open_value")),
        ("{a:x y,b:-1.5}", {"a": "x y", "b": -1.5}, ("schema_coerced",)),
        (f"{{a:[{Q}x,{Q}y{Q}]}}", {"a": ["x", "y"]}, ("missing_close_tag", "open_value")),
        ("{a:x, }", {"a": "x"}, ("trailing_comma", "schema_coerced")),
        ("{a:[x,]}", {"a": ["x"]}, ("schema_coerced",)),
        (
            f"{{a:[x{Q},{Q}y{Q}],b:z}}",
            {"a": ["x", "y"], "b": "z"},
            ("missing_open_tag", "open_value", "schema_coerced"),
        ),
        (f"{{a b :{{c d:1}},e:[{{{Q}f g{Q}:{Q}h{Q}}}]}}", {"a b": {"c d": 1}, "e": [{"f g": "h"}]}, ()),
        ("{}", {}, ()),
    ],
)
def test_read(text: str, want: dict[str, Any], repairs: tuple[str, ...]) -> None:
    read = read_braced(text, 0, len(text), Q)
    assert (read.value, read.repairs) == (want, repairs)


def test_entities_are_decoded_where_the_delimiter_is_one() -> None:
    text = '{a:&lt;|"|&gt;x &amp; y&lt;|"|&gt;,b:[&lt;|"|&gt;&lt;b&gt;&lt;|"|&gt;]}'
    read = read_braced(text, 0, len(text), Q)
    assert (read.value, read.repairs) == ({"a": "x & y", "b": ["<b>"]}, ("html_escaped",))
    plain = f"{{a:{Q}x &amp; &lt;y&gt;{Q}}}"
    assert read_braced(plain, 0, len(plain), Q).value == {"a": "x &amp; &lt;y&gt;"}


def test_write_is_the_inverse() -> None:
    value = {"a": "x}", "b": [1, None, True, {"c": "d"}]}
    text = write_braced(value, Q)
    assert read_braced(text, 0, len(text), Q).value == value
    assert braced_marks(text, 0, len(text), Q)[0][0] == ("a",)


@pytest.mark.parametrize("value", ["1e999", "-1e999", "NaN", "-Infinity", "9" * 5000])
def test_non_finite_numbers_are_refused(value: str) -> None:
    text = f"{{days:{value}}}"
    assert read_braced(text, 0, len(text), Q).error == "bad_json"


UNREAD = "The arguments cannot be read."
FG = "<escape>"


@pytest.mark.parametrize(
    ("text", "value", "end", "repairs", "error"),
    [
        ("{", None, 1, "", "truncated"),
        ("{a", None, 1, "", "bad_json"),
        ("{a:", None, 3, "", "truncated"),
        ("{a:1", None, 3, "", "truncated"),
        ("{a 1}", None, 1, "", "bad_json"),
        ("{a;1}", None, 1, "", "bad_json"),
        ("{:1}", None, 1, "", "bad_json"),
        ('{"a":1}', {"a": 1}, 7, "near_miss_tag", ""),
        (f"{{{Q}a{Q}:1}}", {"a": 1}, 15, "", ""),
        ("{a:[1", None, 4, "", "truncated"),
        ("{a:[1}", None, 5, "", "bad_json"),
        ("{a:[1 2]}", {"a": ["1 2"]}, 9, "schema_coerced", ""),
        ("{a:[[1],[]]}", {"a": [[1], []]}, 12, "", ""),
        ("{a:-2e3,b:1.50,c:-7}", {"a": -2000.0, "b": 1.5, "c": -7}, 20, "", ""),
        ("{a:TRUE,b:None,c:nil,d:False}", {"a": True, "b": None, "c": None, "d": False}, 29, "", ""),
        ("{a:x", None, 3, "", "truncated"),
        ("{a:1,b c:2}", {"a": 1, "b c": 2}, 11, "", ""),
        ("{a:true, the key:none}", {"a": True, "the key": None}, 22, "", ""),
        ('{a:"x"}', {"a": "x"}, 7, "near_miss_tag", ""),
        ('{a:"x","b":"y}', None, 11, "near_miss_tag", "bad_json"),
        ('{a:"x}', None, 3, "", "bad_json"),
        ('{a:"x', None, 3, "", "bad_json"),
        ("{a:'x'}", {"a": "x"}, 7, "single_quotes", ""),
        ("{a:'it''s'}", {"a": "'it''s'"}, 11, "schema_coerced", ""),
        ("{a:'x'y}", {"a": "'x'y"}, 8, "schema_coerced", ""),
        (f"{{a:'x'{Q}}}", {"a": "x"}, 12, "single_quotes", ""),
        (f"{{a:'x'{Q},b:1}}", {"a": "x", "b": 1}, 16, "single_quotes", ""),
        ("{a:['x','y']}", {"a": ["'x'", "y"]}, 13, "schema_coerced single_quotes", ""),
        ('{a:<|"x"|>}', {"a": "x"}, 11, "near_miss_tag", ""),
        ('{a:<|"x"|>,b:1}', {"a": "x", "b": 1}, 15, "near_miss_tag", ""),
        ('{a:<|"x"|>y}', {"a": '<|"x"|>y'}, 12, "schema_coerced", ""),
        ('{a:<|"x}', {"a": '<|"x'}, 8, "schema_coerced", ""),
        ("{a:<b>}", {"a": "<b>"}, 7, "schema_coerced", ""),
        (f"{{a:{Q}x{Q} y{Q}}}", {"a": f"x{Q} y"}, 22, "open_value", ""),
        (f"{{a:{Q}x", None, 3, "", "truncated"),
        (f"{{a:{Q}x}}", {"a": "x"}, 10, "missing_close_tag open_value", ""),
        (f"{{a:{Q}x, b:{Q}y{Q}}}", {"a": "x", "b": "y"}, 25, "missing_close_tag open_value", ""),
        (f"{{a:{Q}x,b:{Q}y{Q},c:1}}", {"a": "x", "b": "y", "c": 1}, 28, "missing_close_tag open_value", ""),
        (f"{{a:{Q}say {Q}hi{Q} now{Q}}}", {"a": f"say {Q}hi{Q} now"}, 34, "open_value", ""),
        (f"{{a:{Q}{Q}}}", {"a": ""}, 14, "", ""),
        (f"{{a:{Q}x{Q}{Q}}}", {"a": "x"}, 20, "near_miss_tag", ""),
        (f"{{a:{Q}x, y:z{Q}}}", {"a": "x, y:z"}, 20, "", ""),
        (f"{{a:{Q}x]{Q},b:2}}", {"a": "x]", "b": 2}, 20, "", ""),
        (f"{{a:[{Q}x{Q} {Q}y{Q}]}}", {"a": ["x", "y"]}, 29, "", ""),
        (f"{{a:[{Q}x,{Q}y,{Q}z{Q}]}}", {"a": ["x", "y", "z"]}, 31, "missing_close_tag open_value", ""),
        (f"{{a:[{Q}x , {Q}y{Q}],b:1}}", {"a": ["x", "y"], "b": 1}, 30, "missing_close_tag open_value", ""),
        (f"{{a:[{Q}x]}}", {"a": ["x"]}, 12, "missing_close_tag open_value", ""),
        ("{a:[x,y z,3,true]}", {"a": ["x", "y z", 3, True]}, 18, "schema_coerced", ""),
        ("{a=1,b:2}", {"a": 1, "b": 2}, 9, "near_miss_tag", ""),
        ("{a==1}", None, 1, "", "bad_json"),
        (f"{{a{Q}x{Q}}}", {"a": "x"}, 14, "near_miss_tag", ""),
        (f"{{a b:{Q}x{Q}}}", {"a b": "x"}, 17, "", ""),
        ("{a.b-c$:1}", {"a.b-c$": 1}, 10, "", ""),
        ("{1a:2}", {"1a": 2}, 6, "", ""),
        ("{,a:1,,b:2,}", {"a": 1, "b": 2}, 12, "trailing_comma", ""),
        (f"{{a:x{Q}}}", {"a": "x"}, 10, "missing_open_tag open_value", ""),
        (f"{{a:'x{Q}}}", {"a": "x"}, 11, "missing_open_tag open_value", ""),
        (f"{{a:'x'y{Q}}}", {"a": "'x'y"}, 13, "missing_open_tag open_value", ""),
        (f"{{a:x y{Q},b:1}}", {"a": "x y", "b": 1}, 16, "missing_open_tag open_value", ""),
        ("{a:x,, }", {"a": "x"}, 8, "trailing_comma schema_coerced", ""),
        ("{a:[x, ]}", {"a": ["x"]}, 9, "schema_coerced", ""),
        ("{a:NaN}", None, 6, "", "bad_json"),
        ("{a:[-Infinity]}", None, 13, "", "bad_json"),
        ("{a:1e5,b:1E-2}", {"a": 100000.0, "b": 0.01}, 14, "", ""),
        ("{a:+1}", {"a": "+1"}, 6, "schema_coerced", ""),
        ("  {a:1} tail", {"a": 1}, 7, "", ""),
        ("{a:{b:{c:[{d:1}]}}}", {"a": {"b": {"c": [{"d": 1}]}}}, 19, "", ""),
        ("{a:\u200b1}", {"a": 1}, 6, "", ""),
        (f"{{a:{FG}x{FG}}}", None, 21, "", "bad_json"),
        (f"{{a:1,b:{FG}x{FG}}}", None, 25, "", "bad_json"),
    ],
)  # fmt: skip
def test_what_is_read_up_to_where_and_how(text: str, value: Any, end: int, repairs: str, error: str) -> None:
    message = "The strings stand between another model's tokens." if FG in text else UNREAD if error else ""
    assert read_braced(text, 0, len(text), Q) == (value, end, tuple(repairs.split()), error, message)


def test_arguments_nested_too_deeply_are_refused() -> None:
    text = "{a:" * 300
    assert read_braced(text, 0, len(text), Q)[3:] == ("too_large", UNREAD)


def test_another_models_delimiter_is_its_own() -> None:
    assert read_braced(f"{{a:{FG}x{FG}}}", 0, 21, FG)[:4] == ({"a": "x"}, 21, (), "")
    assert read_braced("{a:1}", 0, 5, FG)[:4] == ({"a": 1}, 5, (), "")
    assert read_braced(f"{{a:{Q}x{Q}}}", 0, 15, FG).error == "bad_json"


def test_only_what_stands_between_the_places_is_read() -> None:
    assert read_braced("xx{a:1}yy", 2, 7, Q)[:4] == ({"a": 1}, 7, (), "")
    assert read_braced("xx{a:1}yy", 2, 6, Q) == (None, 5, (), "truncated", UNREAD)


def test_where_each_value_and_its_key_stand() -> None:
    assert braced_marks("{a:1,b:[2,{c:3}]}", 0, 17, Q) == [
        (("a",), 3, 4, 1, 2),
        (("b", 0), 8, 9, 8, 8),
        (("b", 1, "c"), 13, 14, 11, 12),
        (("b", 1), 10, 15, 10, 10),
        (("b",), 7, 16, 5, 6),
    ]
    loose = f"{{a:{Q}x{Q},b=2}}"
    assert braced_marks(loose, 0, len(loose), Q) == [(("a",), 3, 14, 1, 2), (("b",), 17, 18, 15, 16)]
    assert braced_marks("{a", 0, 2, Q) == braced_marks("{}", 0, 2, Q) == []


def test_values_are_written_as_they_are_read() -> None:
    value = {"a": None, "b": False, "c": [1, -2.5, "x"], "d": {}}
    assert write_braced(value, Q) == f"{{a:null,b:false,c:[1,-2.5,{Q}x{Q}],d:{{}}}}"


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("functiongemma", "stop", Drawn("⟦<start_function_call>call:‹get_weather›«{city:<escape>Rome &amp; x</escape>}»<end_function_call>⟧", [("get_weather", {"city": "Rome &amp; x"}, "missing_close_tag open_value near_miss_tag")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹write_file›«{path:<|"|>a<|"|>,content:<|"|><|"|>x<|"|>,tags:[a,b]}»<tool_call|>⟧', [("write_file", {"path": "a", "content": "x", "tags": ["a", "b"]}, "near_miss_tag schema_coerced")])),
    ],
)  # fmt: skip
def test_places_of_a_call_in_braces(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{city:<|"|>Rome<|"|>,days:3}»<tool_call|>⟧', [("get_weather", {"city": "Rome", "days": 3}, "")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{city:<|"|>Rome<|"|>}»<tool_call|>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹get_weather›«{}»<tool_call|>⟧", [("get_weather", {}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{}»<tool_call|>⟧", [("now", {}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹get_weather›«{city:Rome,days:3}»<tool_call|>⟧", [("get_weather", {"city": "Rome", "days": 3}, "schema_coerced")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹get_weather›«{city:Rome, Lazio}»<tool_call|>⟧", [("get_weather", {"city": "Rome, Lazio"}, "schema_coerced")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{city:<|"|>Rome}»<tool_call|>⟧', [("get_weather", {"city": "Rome"}, "missing_close_tag open_value")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{city:Rome<|"|>}»<tool_call|>⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag open_value")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹get_weather›«{city:'Rome'}»<tool_call|>⟧", [("get_weather", {"city": "Rome"}, "single_quotes")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{city:"Rome"}»<tool_call|>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{"city":"Rome"}»<tool_call|>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("gemma4", "stop", Drawn("⟨<|tool_call>call:get_weather{'city':<|\"|>Rome<|\"|>}<tool_call|>⟩", [], ["reported bad_json get_weather: The call of 'get_weather' cannot be read."])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{city=<|"|>Rome<|"|>}»<tool_call|>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{city:<|"|>Rome<|"|>»<tool_call|>⟧', [("get_weather", {"city": "Rome"}, "missing_brace")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹get_weather›«{city:<|"|>Rome<|"|>}»}<tool_call|>⟧', [("get_weather", {"city": "Rome"}, "extra_brace")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:null}»<tool_call|>⟧", [("now", {"zone": None}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:None}»<tool_call|>⟧", [("now", {"zone": None}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:True}»<tool_call|>⟧", [("now", {"zone": True}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:-1.5e3}»<tool_call|>⟧", [("now", {"zone": -1500.0}, "")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹now›«{zone:[1,<|"|>a<|"|>,true]}»<tool_call|>⟧', [("now", {"zone": [1, "a", True]}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:{a:{b:[]}}}»<tool_call|>⟧", [("now", {"zone": {"a": {"b": []}}}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:[a,b]}»<tool_call|>⟧", [("now", {"zone": ["a", "b"]}, "schema_coerced")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:a:b}»<tool_call|>⟧", [("now", {"zone": "a:b"}, "schema_coerced")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:}»<tool_call|>⟧", [("now", {"zone": ""}, "schema_coerced")])),
        ("gemma4", "stop", Drawn("⟨<|tool_call>call:now{:a}<tool_call|>⟩", [], ["reported bad_json now: The call of 'now' cannot be read."])),
        ("gemma4", "stop", Drawn("⟨<|tool_call>call:now{zone}<tool_call|>⟩", [], ["reported bad_json now: The call of 'now' cannot be read."])),
        ("gemma4", "stop", Drawn("⟨<|tool_call>call:later{a:1}<tool_call|>⟩", [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹write_file›«{path:<|"|>a<|"|>,content:<|"|>say "hi", {ok: 1}<|"|>}»<tool_call|>⟧', [("write_file", {"path": "a", "content": 'say "hi", {ok: 1}'}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹write_file›«{path:a b,content:two words, more}»<tool_call|>⟧", [("write_file", {"path": "a b", "content": "two words, more"}, "schema_coerced")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«{zone:&lt;a&gt;}»<tool_call|>⟧", [("now", {"zone": "&lt;a&gt;"}, "schema_coerced")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹now›«{zone:<|"|>a\nb<|"|>}»<tool_call|>⟧', [("now", {"zone": "a\nb"}, "")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«(zone='a')»<tool_call|>⟧", [("now", {"zone": "a"}, "near_miss_tag")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now› «{zone:a}»<tool_call|>⟧", [("now", {"zone": "a"}, "schema_coerced")])),
        ("gemma4", "stop", Drawn("⟦<|tool_call>call:‹now›«»<tool_call|>⟧", [("now", {}, "missing_brace")])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>call:‹now›«{zone:<|"|>a<|"|>}»⟧', [("now", {"zone": "a"}, "missing_close_tag")])),
        ("gemma4", "stop", Drawn('⟨<|tool_call>call:now{zone:<|"|>a⟩', [], ["reported truncated now: The call of 'now' cannot be read."])),
        ("gemma4", "length", Drawn("⟨<|tool_call>call:now{zone:a⟩", [], ["reported truncated now: The call of 'now' cannot be read."])),
        ("gemma4", "stop", Drawn('⟦<|tool_call>‹now›«{zone:<|"|>a<|"|>}»<tool_call|>⟧', [("now", {"zone": "a"}, "near_miss_tag")])),
        ("gemma4", "stop", Drawn('⟦call:‹now›«{zone:<|"|>a<|"|>}»⟧', [("now", {"zone": "a"}, "missing_open_tag")])),
        ("functiongemma", "stop", Drawn("⟦<start_function_call>call:‹get_weather›«{city:<escape>Rome<escape>,days:3}»<end_function_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "")])),
        ("functiongemma", "stop", Drawn("⟦<start_function_call>call:‹get_weather›«{city:Rome}»<end_function_call>⟧", [("get_weather", {"city": "Rome"}, "schema_coerced")])),
        ("functiongemma", "stop", Drawn("⟦<start_function_call>call:‹get_weather›«{city:<escape>a &amp; b<escape>}»<end_function_call>⟧", [("get_weather", {"city": "a &amp; b"}, "")])),
    ],
)  # fmt: skip
def test_arguments_in_braces_of_their_own(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole

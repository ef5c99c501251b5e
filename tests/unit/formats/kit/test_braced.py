"""Gemma's own argument syntax."""

from __future__ import annotations

from typing import Any

import pytest

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

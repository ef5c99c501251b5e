"""The walk to the end of a JSON value, whole and in pieces."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.formats.kit.json_end import End, JsonEnd


def walk(text: str, size: int) -> tuple[End, int]:
    """Feed `text` in pieces; return how the walk ended and at which offset of the whole."""
    end, state = JsonEnd(), End.MORE
    for at in range(0, len(text), size):
        state = end.feed(text[at : at + size])
        if state:
            return state, at + end.at
    return state, len(text)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("text", "state", "at"),
    [
        ('{"a": 1} tail', End.DONE, 8),
        ('{"a": "}{\\"}"} x', End.DONE, 14),
        ('[{"a": [1, 2]}, {}]', End.DONE, 19),
        ("{'it': 'it's'} x", End.DONE, 14),
        ('{"a": 1 // } \n}', End.DONE, 15),
        ('{"a": /* } */ 1}', End.DONE, 16),
        ('{"a": /* } **/ 1}', End.DONE, 17),
        ('{"a": /* } * / } */ 1}', End.DONE, 22),
        ("{“a”: “b}”}", End.DONE, 11),
        ('{"a": 1</tool_call>', End.BROKEN, 7),
        ('{"a": f(1)}', End.BROKEN, 7),
        ('{"a": "b', End.MORE, 8),
        ('{"a": "b\\', End.MORE, 9),
    ],
)
def test_end(text: str, state: End, at: int, size: int) -> None:
    assert walk(text, size) == (state, at)


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("json_scaffold", False, Drawn('⟦{"name": "‹f›", # the tool\'s }\n "arguments": «{"a": 1}»}⟧', [("f", {"a": 1}, "comment name_key")])),
        ("dspy", True, Drawn('⟨[[ ## next_tool_name ## ]]\nget_weather\n\n[[ #: next_tool_args ## ]]\n{"city": "Rome", "days"# 3}\n\n⟩[[ ## completed ## ]]', [], ["reported bad_json get_weather: No colon follows the key 'days'. ('get_weather')"])),
    ],
)  # fmt: skip
def test_comments_between_members(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1} x', ("DONE", 8)),
        ("[1, [2]] x", ("DONE", 8)),
        ('{"a": "}"}', ("DONE", 10)),
        ('{"a": "\\"}"}', ("DONE", 12)),
        ("{\"a\": '}'}", ("DONE", 10)),
        ('{"a": “}”}', ("DONE", 10)),
        ('{"a": 1', ("MORE", 7)),
        ('{"a": [1}', ("MORE", 9)),
        ("[1}", ("DONE", 3)),
        ('{"a": "x', ("MORE", 8)),
        ('{"a": 1 // }\n}', ("DONE", 14)),
        ('{"a": /* } */ 1}', ("DONE", 16)),
        ('{"a": 1 # }\n}', ("DONE", 13)),
        ('{"a": "x" "}"}', ("DONE", 14)),
        ('{"a": <b>}', ("BROKEN", 6)),
        ('{"a": 1]', ("DONE", 8)),
        (' {"a": 1}', ("DONE", 9)),
        ("", ("MORE", 0)),
        ("{}", ("DONE", 2)),
        ('{"it\'s": 1}', ("DONE", 11)),
        ("{'it's': 1}", ("DONE", 11)),
        ('{"a": `}`}', ("BROKEN", 6)),
        ('{"a": "b"c"}', ("MORE", 12)),
        ('{"a"}}', ("DONE", 5)),
        ("[/]", ("BROKEN", 2)),
    ],
)  # fmt: skip
def test_ends_of_json_values(text: str, found: tuple[str, int]) -> None:
    walk = JsonEnd()
    assert (walk.feed(text).name, walk.at) == found

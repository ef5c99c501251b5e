"""Fragments of native calls. The habits of servers are tested through their wires."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from workbench.wires.kit.call_fragments import CallAssembler, Fragment, fragment_from


def test_wrong_types_are_empty() -> None:
    for value in (None, 5, [], {"function": 3}, {"function": {"name": 1}, "id": {}, "index": "x"}):
        piece = fragment_from(value)
        assert (piece.index, piece.id, piece.name, piece.arguments) == (None, "", "", "")


def test_flat_calls_are_read() -> None:
    piece = fragment_from({"id": "a", "name": "f", "arguments": {"x": 1}})
    assert (piece.id, piece.name, piece.arguments) == ("a", "f", '{"x": 1}')


def test_id_and_name_are_given_once() -> None:
    calls = CallAssembler()
    assert calls.add(Fragment(0, "a", "f", "{")) == (0, "a", "f", "{")
    assert calls.add(Fragment(0, "a", "f", "}")) == (0, "", "", "}")
    assert calls.add(Fragment(None, "a", "", "!")) == (0, "", "", "!")
    assert len(calls) == 1


def test_repeated_name_does_not_cut_arguments_in_two() -> None:
    calls = CallAssembler()
    for piece in ('{"a": ', '{"b": 1}', "}"):
        assert calls.add(Fragment(0, "", "f", piece))[0] == 0
    assert calls.add(Fragment(0, "", "f", "{}"))[0] == 1


def test_an_id_decides_before_name_and_arguments() -> None:
    calls = CallAssembler()
    calls.add(Fragment(0, "a", "f", "{}"))
    assert calls.add(Fragment(0, "a", "f", "{}"))[0] == 0
    assert calls.add(Fragment(0, "a", "g", ""))[0] == 0
    assert calls.add(Fragment(0, "b", "f", "{}"))[:3] == (1, "b", "f")


def test_calls_on_one_index_are_told_apart_by_their_ids() -> None:
    calls = CallAssembler()
    calls.add(Fragment(0, "a", "f", ""))
    calls.add(Fragment(0, "b", "g", ""))
    assert [calls.add(Fragment(0, id_, "", "{}"))[0] for id_ in "abab"] == [0, 1, 0, 1]


def test_a_whole_call_that_is_said_once_more_adds_nothing() -> None:
    calls = CallAssembler()
    calls.add(Fragment(0, "a", "f", '{"x": 1}'))
    assert calls.add(Fragment(0, "a", "f", '{"x": 1}')) == (0, "", "", "")


def test_an_empty_object_stands_for_all_arguments_where_nothing_follows() -> None:
    calls = CallAssembler()
    calls.add(Fragment(0, "a", "f", "{}", blank=True))
    calls.add(Fragment(1, "b", "g", "{}", blank=True))
    calls.add(Fragment(0, "", "", '{"x": 1}'))
    assert calls.close() == [(1, "{}")]
    assert calls.close() == []


def test_arguments_that_begin_anew_are_said_once() -> None:
    calls = CallAssembler()
    said = "".join(calls.add(Fragment(0, "a", "f", piece))[3] for piece in ('{"x": "{"', '{"x": "{", "y": 1}'))
    assert said == '{"x": "{", "y": 1}'
    assert calls.add(Fragment(0, "", "", said)) == (0, "", "", "")


def test_an_object_within_one_that_begins_alike_is_no_repetition() -> None:
    for pieces in (('{"x":', '{"x":1}', "}"), ('{"x":"', '{"x":"', '"}')):
        assert _arguments(list(pieces)) == "".join(pieces)


def test_the_head_of_a_call_may_come_twice() -> None:
    calls = CallAssembler()
    calls.add(Fragment(0, "a", "f", ""))
    assert calls.add(Fragment(0, "b", "f", "")) == (0, "", "", "")
    assert calls.add(Fragment(0, "c", "g", ""))[0] == 1
    assert calls.add(Fragment(None, "d", "g", ""))[0] == 2


def test_a_call_is_one_under_several_indexes() -> None:
    whole = '{"at": 1}'
    for before in ([Fragment(0, "a", "f", whole)], [Fragment(0, "a", "f", ""), Fragment(0, "a", "", whole)]):
        calls = CallAssembler()
        for piece in before:
            calls.add(piece)
        assert calls.add(Fragment(1, "a", "f", whole)) == (0, "", "", "")
        assert len(calls) == 1
    calls = CallAssembler()
    calls.add(Fragment(0, "a", "f", ""))
    assert calls.add(Fragment(1, "a", "f", whole)) == (0, "", "", whole)
    assert calls.add(Fragment(2, "a", "", "!")) == (0, "", "", "!")


def test_calls_that_share_an_id_keep_their_indexes() -> None:
    calls = CallAssembler()
    for index, name, arguments in ((0, "f", "{}"), (1, "f", '{"at": 1}'), (2, "g", '{"at": 1}')):
        calls.add(Fragment(index, "a", name, ""))
        assert calls.add(Fragment(index, "a", "", arguments))[0] == index


def test_a_call_under_anothers_index_goes_on_under_its_own() -> None:
    calls = CallAssembler()
    calls.add(Fragment(0, "a", "f", '{"at": 1}'))
    assert calls.add(Fragment(0, "b", "g", ""))[:3] == (1, "b", "g")
    assert calls.add(Fragment(1, "", "", '{"to": ')) == (1, "", "", '{"to": ')
    assert calls.add(Fragment(1, "", "", "2}")) == (1, "", "", "2}")


def _arguments(pieces: list[str], *, named: bool = False) -> str:
    calls = CallAssembler()
    got = [calls.add(Fragment(0, "", "f" if named or not at else "", piece)) for at, piece in enumerate(pieces)]
    assert {number for number, *_ in got} == {0}
    return "".join([arguments for *_, arguments in got] + [arguments for _, arguments in calls.close()])


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    "text", ['{"city": "Rome"}', '{"path": "a\\\\b", "n": [1, {"x": "y"}]}', '{"a": {"a": {"a": 1}}}', '{ "q" : "" }']
)
def test_pieces_that_say_all_so_far_are_told_from_those_that_say_what_is_new(text: str, named: bool) -> None:
    for first in range(1, len(text)):
        for second in range(first, len(text)):
            grown = [text[:first], text[:second], text]
            assert _arguments(grown, named=named) == text, grown
            assert _arguments([*grown, text], named=named) == text, grown
            assert _arguments([text[:first], text[first:second], text[second:]]) == text


def test_an_object_that_begins_like_the_whole_is_an_object_in_its_place() -> None:
    assert _arguments(['{"a": ', '{"a": 1}', "}"]) == '{"a": {"a": 1}}'
    assert _arguments(['{"a": ', '{"a": 1}}']) == '{"a": {"a": 1}}'
    assert _arguments(['{"a": ', '{"a": 1}']) == '{"a": 1}'
    assert _arguments(['{"a": ', '{"a": {']) == '{"a": {"a": {'


def test_a_name_in_pieces_under_one_id_is_two_calls_with_that_id() -> None:
    calls = CallAssembler()
    assert calls.add(Fragment(0, "a", "edit_", "")) == (0, "a", "edit_", "")
    assert calls.add(Fragment(0, "a", "file", "")) == (1, "a", "file", "")
    assert calls.add(Fragment(0, "a", "", "{}"))[0] == 1


Sent = tuple[int | None, str, str, str]


def joined(sent: Sequence[Sent | list[Sent]]) -> list[tuple[str, str, str]]:
    """Calls as a client puts them together of what is given out; pieces that came in one list know their place."""
    calls, out = CallAssembler(), dict[int, tuple[str, str, str]]()
    for chunk in sent:
        for place, (index, id_, name, arguments) in enumerate(chunk if isinstance(chunk, list) else [chunk]):
            at = place if isinstance(chunk, list) else None
            piece = Fragment(index, id_, name, arguments, at, blank=arguments == "{}")
            number, *new = calls.add(piece)
            a, b, c = out.get(number, ("", "", ""))
            out[number] = (a + new[0], b + new[1], c + new[2])
    for number, rest in calls.close():
        a, b, c = out[number]
        out[number] = (a, b, c + rest)
    assert len(calls) == len(out)
    return list(out.values())


@pytest.mark.parametrize(
    ("sent", "whole"),
    [
        # pieces of (index, id, name, arguments), and the calls (id, name, arguments) that they are
        ([[(None, "a", "f", '{"x"'), (None, "b", "g", '{"y"')], [(None, "", "", ": 1}"), (None, "", "", ": 2}")]], [("a", "f", '{"x": 1}'), ("b", "g", '{"y": 2}')]),
        ([[(None, "a", "f", '{"x"'), (None, "b", "g", '{"y"')], [(None, "", "g", ": 2}")]], [("a", "f", '{"x"'), ("b", "g", '{"y": 2}')]),
        ([[(None, "a", "f", '{"x"'), (None, "b", "g", '{"y"')], [(None, "b", "", ": 2}"), (None, "a", "", ": 1}")]], [("a", "f", '{"x": 1}'), ("b", "g", '{"y": 2}')]),
        ([[(None, "a", "f", '{"x"'), (None, "b", "g", '{"y"')], (None, "", "", ": 2}")], [("a", "f", '{"x"'), ("b", "g", '{"y": 2}')]),
        ([[(None, "a", "f", '{"x"'), (None, "b", "g", '{"y"')], [(None, "a", "", ": 1}")]], [("a", "f", '{"x": 1}'), ("b", "g", '{"y"')]),
        ([(None, "", "f", '{"x"'), (None, "", "", ": 1}")], [("", "f", '{"x": 1}')]),
        ([(None, "", "f", "{}"), (None, "", "f", "{}")], [("", "f", "{}"), ("", "f", "{}")]),
        ([(None, "", "f", '{"x": 1}'), (None, "", "f", '{"x": 2}')], [("", "f", '{"x": 1}'), ("", "f", '{"x": 2}')]),
        ([(None, "", "f", '{"x": 1}'), (None, "", "f", '  {"x": 2}')], [("", "f", '{"x": 1}'), ("", "f", '  {"x": 2}')]),
        ([(None, "", "f", '{"x": 1'), (None, "", "f", "2}")], [("", "f", '{"x": 12}')]),
        ([(None, "", "f", '{"x": 1'), (None, "", "g", "{}")], [("", "f", '{"x": 1'), ("", "g", "{}")]),
        ([(None, "", "", '{"x": 1}'), (None, "", "g", "")], [("", "g", '{"x": 1}')]),
        ([(0, "a", "f", ""), (0, "b", "f", ""), (0, "b", "", '{"x": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", ""), (0, "b", "g", ""), (0, "b", "", '{"x": 1}')], [("a", "f", ""), ("b", "g", '{"x": 1}')]),
        ([(0, "a", "f", '{"x'), (0, "b", "f", '": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "b", "f", '{"x": 1}')], [("a", "f", '{"x": 1}'), ("b", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "b", "f", " ")], [("a", "f", '{"x": 1}'), ("b", "f", " ")]),
        ([(0, "a", "f", '{"x": '), (0, "b", "f", " "), (0, "b", "f", "1}")], [("a", "f", '{"x": '), ("b", "f", " 1}")]),
        ([(0, "a", "f", '{"x": 1'), (0, "b", "g", "}")], [("a", "f", '{"x": 1'), ("b", "g", "}")]),
        ([(None, "a", "f", ""), (None, "b", "f", ""), (None, "b", "", "{}")], [("a", "f", ""), ("b", "f", "{}")]),
        ([(0, "a", "f", '{"x": 1}'), (0, "a", "f", '{"x": 2}')], [("a", "f", '{"x": 1}'), ("a", "f", '{"x": 2}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "a", "f", '{"x": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "a", "g", '{"x": 1}')], [("a", "f", '{"x": 1}'), ("a", "g", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "a", "f", "")], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (1, "a", "f", '{"x": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (1, "a", "f", '{"x": 2}')], [("a", "f", '{"x": 1}'), ("a", "f", '{"x": 2}')]),
        ([(0, "a", "f", '{"x": 1}'), (1, "a", "g", '{"x": 1}')], [("a", "f", '{"x": 1}'), ("a", "g", '{"x": 1}')]),
        ([(0, "a", "f", ""), (1, "a", "f", '{"x": 2}')], [("a", "f", '{"x": 2}')]),
        ([(0, "a", "f", ""), (1, "a", "f", ' {"x": 2}')], [("a", "f", ' {"x": 2}')]),
        ([(0, "a", "f", '{"x":'), (1, "a", "", "2}")], [("a", "f", '{"x":2}')]),
        ([(0, "a", "f", '{"x":'), (1, "", "", "2}")], [("a", "f", '{"x":'), ("", "", "2}")]),
        ([(0, "a", "f", "{}"), (0, "b", "g", ""), (1, "", "", '{"y": 1}')], [("a", "f", "{}"), ("b", "g", '{"y": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "b", "g", ""), (1, "", "", '{"y": 1}')], [("a", "f", '{"x": 1}'), ("b", "g", '{"y": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "b", "g", ""), (1, "", "h", '{"y": 1}')], [("a", "f", '{"x": 1}'), ("b", "g", ""), ("", "h", '{"y": 1}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "b", "g", '{"y"'), (1, "", "", ": 1}")], [("a", "f", '{"x": 1}'), ("b", "g", '{"y"'), ("", "", ": 1}")]),
        ([(0, "a", "f", ""), (0, "b", "g", ""), (0, "a", "", '{"x": 1}'), (0, "b", "", '{"y": 2}')], [("a", "f", '{"x": 1}'), ("b", "g", '{"y": 2}')]),
        ([(0, "a", "f", ""), (1, "b", "g", ""), (0, "b", "", '{"x": 1}')], [("a", "f", ""), ("b", "g", '{"x": 1}')]),
        ([(0, "a", "f", ""), (0, "", "", "{}"), (0, "", "", '{"x": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", "{}"), (0, "", "", "{"), (0, "", "", '"x": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": '), (0, "", "", "{}"), (0, "", "", "}")], [("a", "f", '{"x": {}}')]),
        ([(0, "a", "f", '{"x": 1}'), (0, "", "", '{"x": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": '), (0, "", "", "1}"), (0, "", "", '{"x": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x'), (0, "", "", '": 1}'), (0, "", "", '{"x": 1}')], [("a", "f", '{"x": 1}')]),
        ([(0, "a", "f", '{"x": "'), (0, "", "", '{"x": "y'), (0, "", "", '{"x": "yz"}')], [("a", "f", '{"x": "yz"}')]),
        ([(0, "a", "f", '{"x": ["'), (0, "", "", '{"x": ["y"]}')], [("a", "f", '{"x": ["y"]}')]),
        ([(0, "a", "f", '{"x": ['), (0, "", "", '{"x": ['), (0, "", "", "]}]}")], [("a", "f", '{"x": [{"x": []}]}')]),
        ([(0, "a", "f", '{"x": [1, '), (0, "", "", '{"x": [1, 2]}')], [("a", "f", '{"x": [1, 2]}')]),
        ([(0, "a", "f", '{"x": [1, '), (0, "", "", '{"x": [1, 2]}'), (0, "", "", "]}")], [("a", "f", '{"x": [1, {"x": [1, 2]}]}')]),
        ([(0, "a", "f", '{"x": 1, '), (0, "", "", '{"x": 1, "y": 2}')], [("a", "f", '{"x": 1, "y": 2}')]),
        ([(0, "a", "f", '{ "'), (0, "", "", '{ "x": 1}')], [("a", "f", '{ "x": 1}')]),
        ([(0, "a", "f", '{"q'), (0, "", "", '{"q": {"q'), (0, "", "", '": 1}}')], [("a", "f", '{"q": {"q": 1}}')]),
        ([(0, "a", "f", "[1"), (0, "", "", "[1, 2]")], [("a", "f", "[1[1, 2]")]),
        ([(0, "a", "f", '{"x": 1'), (0, "a", "f", '{"x": 12'), (0, "a", "f", '{"x": 12}')], [("a", "f", '{"x": 12}')]),
        ([(0, "a", "f", '{"x": 1'), (0, "", "f", '{"x": 12'), (0, "", "f", '{"x": 12}')], [("a", "f", '{"x": 12}')]),
        ([(0, "a", "f", '{"x": 1'), (0, "b", "f", '{"x": 12'), (0, "c", "f", '{"x": 12}')], [("a", "f", '{"x": 1'), ("b", "f", '{"x": 12'), ("c", "f", '{"x": 12}')]),
        ([(None, "a", "", '{"x": '), (None, "", "f", "1}")], [("a", "f", '{"x": 1}')]),
    ],
)  # fmt: skip
def test_the_calls_that_a_servers_pieces_are(sent: list[Sent | list[Sent]], whole: list[tuple[str, str, str]]) -> None:
    assert joined(sent) == whole


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ({"index": 1, "id": "a", "function": {"name": "f", "arguments": '{"x": 1}'}}, (1, "a", "f", '{"x": 1}', False)),
        ({"id": "a", "function": {"index": 2, "name": "f", "arguments": "{}"}}, (2, "a", "f", "{}", True)),
        ({"id": "a", "function": {"name": "f", "arguments": {}}}, (None, "a", "f", "{}", True)),
        ({"id": "a", "custom": {"name": "sh", "input": "ls"}}, (None, "a", "sh", "ls", False)),
        ({"id": "a", "custom": "x", "name": "f", "parameters": {"x": 1}}, (None, "a", "f", '{"x": 1}', False)),
        ({"name": "f", "input": {"x": 1}, "parameters": {"y": 1}}, (None, "", "f", '{"x": 1}', False)),
    ],
)
def test_an_entry_is_read_in_all_shapes(entry: dict[str, Any], found: tuple[int | None, str, str, str, bool]) -> None:
    for place in (None, 3):
        piece = fragment_from(entry, place)
        assert (piece.index, piece.id, piece.name, piece.arguments, piece.blank) == found
        assert piece.place == place


def test_a_whole_call_is_one_of_its_own_whatever_came_before() -> None:
    calls = CallAssembler()
    assert calls.add(Fragment(0, "a", "f", "{}"), whole=True) == (0, "a", "f", "{}")
    assert calls.add(Fragment(0, "a", "f", "{}"), whole=True) == (1, "a", "f", "{}")

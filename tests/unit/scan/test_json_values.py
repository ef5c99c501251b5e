from __future__ import annotations

import io
import json

import pytest

from workbench.scan.json_values import UNREADABLE, documents, elements, json_bytes, json_value, keys_of, members


def stream(value: object) -> io.BytesIO:
    return io.BytesIO(value.encode() if isinstance(value, str) else json.dumps(value).encode())


def test_json_as_strangers_write_it() -> None:
    assert json_value(b'{"a": NaN}')["a"] != 0
    assert json_value('"\\ud800"') == "\ud800"
    assert json_value("\ufeff[1]") == [1]
    assert json_value("{") is UNREADABLE
    assert json_value("[" * 100_000) is UNREADABLE


def test_keys_of_a_document_that_is_cut_off() -> None:
    assert keys_of('{"a": 1, "b": {"c": [') == ("a", "b")
    assert keys_of('{"a": 1, "b') == ("a",)
    assert keys_of("[1]") == ()


def test_elements_at_a_path_behind_other_keys() -> None:
    value = {"x": {"y": [0]}, "log": {"pages": [1], "entries": [{"n": 1}, {"n": 2}], "z": 1}}
    assert [one.value for one in elements(stream(value), "log", "entries")] == [{"n": 1}, {"n": 2}]
    assert [one.value for one in elements(stream([5, "a"]))] == [5, "a"]
    assert list(elements(stream(value), "log", "nothing")) == []
    assert list(elements(stream(""))) == []


def test_elements_longer_than_a_block_and_numbers_at_its_end() -> None:
    long = "x" * ((1 << 20) + 7)
    found = [one.value for one in elements(stream([long, 1234567, {"a": long}, 8]))]
    assert found == [long, 1234567, {"a": long}, 8]


def test_memory_holds_one_element_and_not_the_document() -> None:
    class Endless(io.RawIOBase):
        left = 40

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return b"[" * (self.left == 39) + b'{"n": 1},' * 10_000 if self.left else b""

    import tracemalloc

    tracemalloc.start()
    count = sum(1 for _ in elements(Endless()))  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count > 100_000
    assert peak < 16_000_000


@pytest.mark.parametrize("broken", ['{"n": oops, "m": 0}', '{"n": 1 "m": 0}', '{"n": [1, 2}, "m": 0}'])
def test_a_broken_element_is_told_and_the_next_are_read(broken: str) -> None:
    text = '[{"n": 1, "m": 0}, ' + broken + ', {"n": 3, "m": 0}]'
    found = list(elements(stream(text)))
    assert [one.value for one in found if one.value is not UNREADABLE] == [{"n": 1, "m": 0}, {"n": 3, "m": 0}]
    assert len([one for one in found if one.value is UNREADABLE]) == 1


def test_a_document_that_breaks_off_keeps_what_came_before() -> None:
    found = list(elements(stream('{"entries": [{"n": 1}, {"n": 2, "m": "hel'), "entries"))
    assert [one.value for one in found] == [{"n": 1}, {"n": 2, "m": "hel"}, UNREADABLE]
    assert [one.message for one in found] == ["", "", "the file ends early"]


@pytest.mark.parametrize("text", ['[{"n": 1}', '[{"n": 1},', '[{"n": 1} '])
def test_an_end_between_two_elements_is_told(text: str) -> None:
    assert [(one.value, one.message) for one in elements(stream(text))] == [
        ({"n": 1}, ""), (UNREADABLE, "the file ends early"),
    ]  # fmt: skip


def test_a_packed_document_that_breaks_off_says_so() -> None:
    class Packed(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if not (data := super().read(size)):
                raise EOFError
            return data

    *found, last = elements(Packed(b'[{"n": 1}, {"n": 2'))
    assert [one.value for one in found] == [{"n": 1}, {"n": 2}]
    assert (last.value, last.message) == (UNREADABLE, "the file ends early")


def test_documents_with_commas_between_them() -> None:
    assert [one.value for one in documents(io.BytesIO(b'{"a": 1},\n{"b": 2},\n'))] == [{"a": 1}, {"b": 2}]


def test_members_one_after_the_other() -> None:
    assert list(members(stream({"a": 1, "b": [2]}))) == [("a", 1), ("b", [2])]


def test_values_that_are_no_json_have_no_bytes() -> None:
    assert (json_bytes({"a": 1}), json_bytes(object())) == (b'{"a":1}', b"")


@pytest.mark.parametrize("between", ["", "\n", "\r\n\r\n"])
def test_documents_one_behind_the_other(between: str) -> None:
    values = [{"a": 1}, {"b": "x" * 3_000_000}, [1, 2], {}]
    text = between.join(json.dumps(value, indent=1) for value in values)
    assert [one.value for one in documents(io.BytesIO(text.encode()))] == values
    assert list(documents(io.BytesIO(b""))) == []


def test_a_broken_document_is_told_and_the_next_are_read() -> None:
    found = list(documents(io.BytesIO(b'{"a": 1}\n{"b": }\n{\n "c": 2\n}\n{"cut": ')))
    assert [one.value for one in found] == [{"a": 1}, UNREADABLE, {"c": 2}, {}, UNREADABLE]
    assert found[1].message

from __future__ import annotations

import pytest

from workbench.grading.literals import argument_sources, known_kinds, literal_kind, spelled


@pytest.mark.parametrize("words", ["java long", "java ArrayList of String", "javascript array of integer", "java any"])
def test_kinds_are_read_and_written_the_same(words: str) -> None:
    assert str(literal_kind(words)) == words


@pytest.mark.parametrize("words", ["java", "java Long", "ruby long", "java ArrayList of Text", ""])
def test_unknown_kinds(words: str) -> None:
    assert literal_kind(words) is None
    assert "javascript" in known_kinds()


def test_a_kind_reads_its_language() -> None:
    kind = literal_kind("java ArrayList of long")
    assert kind is not None
    assert kind.read("new ArrayList<>(Arrays.asList(1L, 2L))") == [1, 2]


def test_values_as_both_languages_write_them() -> None:
    assert [spelled(value) for value in (True, None, 10, "a", [1, "b"])] == ["true", "null", "10", "a", '[1, "b"]']


def test_sources_of_arguments() -> None:
    text = "a=\"x, b=1\", b=new HashMap<String, Object>(), c=true, d = 'q', e=foo(x=1, y=2), f=[1, 2], g==1"
    assert argument_sources(text, "java") == {
        "a": "x, b=1", "b": "new HashMap<String, Object>()", "c": "true", "d": "q", "e": "foo(x=1, y=2)", "f": "[1, 2], g==1",
    }  # fmt: skip


def test_the_body_of_an_anonymous_class_is_left_out() -> None:
    text = 'a=new HashMap<>() {{ put("k", 1); }}, b=function(x) { return x; }'
    assert argument_sources(text, "java")["a"] == "new HashMap<>()"
    assert argument_sources(text, "javascript")["b"] == "function(x) { return x; }"

"""JSON and YAML as users hand them in."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.errors import InvalidInput, SettingsError
from workbench.documents import DocumentError, dump_yaml, read_json, read_yaml, text_of

if TYPE_CHECKING:
    from pathlib import Path

BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "circle": ("m: &m [*m]", "alias stands inside"),
    "circle of keys": ("a: &a {b: {c: *a}}", "alias stands inside"),
    "bomb": (BOMB, "more than 1,000,000 values in line"),
    "deep": ("[" * 5000, "nested too deeply"),
    "long number": ("a: " + "9" * 5000, "cannot be read"),
    "bytes": ("a: !!binary aGk=", "type 'binary'"),
    "date by tag": ("a: !!timestamp 2001-01-01", "type 'timestamp'"),
    "set": ("!!set {a, b}", "type 'set'"),
    "python": ("!!python/object/apply:os.system ['x']", "type 'python/object/apply:os.system'"),
    "key that is a list": ("{[a]: b}", "unhashable"),
    "control character": ("a: \x07", "no YAML"),
    "broken": ("a: [", r"no YAML: .* in line 1, column 5"),
    "number that is none": ("a: 0b", None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_yaml_is_one_sentence(name: str) -> None:
    text, said = HOSTILE[name]
    if said is None:
        read_yaml(text, "it")
        return
    with pytest.raises(InvalidInput, match=f"^it: .*{said}"):
        read_yaml(text, "it")


def test_values_are_those_of_json() -> None:
    text = "day: 2001-12-14\nat: 2001-12-14 10:00:00\n200: ok\ntrue: x\nnull: y\nyes: no\nmore: &m {a: 1}\nagain: *m\n<<: {b: 2}\n"
    found = read_yaml(text, "it", words=True)
    assert found["day"] == "2001-12-14"
    assert (found["200"], found["true"], found["null"], found["yes"], found["b"]) == ("ok", "x", "y", "no", 2)
    assert found["again"] == {"a": 1}
    json.dumps(found, sort_keys=True)
    assert read_yaml("a: yes", "it") == {"a": True}
    assert read_yaml("", "it") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "line 1, column 2"), ("NaN", "no number 'NaN'"), ("9" * 5000, "4300 digits"), ("[" * 100_000, "too deeply")],
)
def test_hostile_json_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(DocumentError, match=f"^it: .*{said}"):
        read_json(text, "it")


def test_non_strict_json_has_infinite_numbers() -> None:
    assert read_json("[Infinity]", "it", strict=False) == [float("inf")]


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
)


@given(VALUES)
@settings(max_examples=80)
def test_written_yaml_is_read_back(value: object) -> None:
    assert read_yaml(dump_yaml(value), "it", words=True) == value


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["&a ", "*a", "[", "]", "{", "}", ": ", "- ", "\n", "!!int ", "x", "1", "<<"])).map(
        "".join
    )
)
@settings(max_examples=200)
def test_any_text_is_read_or_refused(text: str) -> None:
    for words in (False, True):
        with suppress(InvalidInput):
            read_yaml(text, "it", words=words)


def test_a_file_that_is_no_text_is_named_with_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xef\xbb\xbfna\xc3\xafve")
    assert text_of(tmp_path / "a.yaml") == "naïve"
    (tmp_path / "b.yaml").write_bytes(b"ab\xff")
    with pytest.raises(InvalidInput, match=r"The case file '.*b\.yaml' is not UTF-8 text: byte 2\."):
        text_of(tmp_path / "b.yaml", "The case file")
    with pytest.raises(
        InvalidInput, match=r"The file '.*none' cannot be read: No such file or directory\. Is its name"
    ):
        text_of(tmp_path / "none")
    with pytest.raises(
        SettingsError, match=r"The template '.*' cannot be read: Is a directory\. Name a file in there\."
    ):
        text_of(tmp_path, "The template", pipes=False, error=SettingsError)

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from workbench.cases.expectation_document import expectation_from_document, expectation_to_document
from workbench.core.case import (
    Expectation,
    ExpectedArgument,
    ExpectedCall,
    Matching,
    PathChecks,
)
from workbench.core.errors import InvalidInput
from workbench.grading.modes import MODES

FULL = """
calls:
- name: search
  arguments:
    query: {contains: [users], regex: ^SELECT}
    day: {kind: date, optional: true}
    city: {any_of: [Rome], text: folded}
    limit: {any_of: [10], tolerance: 0.5, numbers: type}
    count: {any_of: [10], literal: java long}
    note: {any: true}
    filter: {fields: {field: {any_of: [a, b]}, deep: {fields: {x: 1}, extra: true}}}
    tags: {items: [x, {one_of: [1, {kind: string}]}], any_order: true}
  extra_arguments: true
extra_calls: true
names_only: true
no_markers: true
order: any
answer_contains: [degrees]
must_not_call: [rm]
answer_lacks: [sorry]
answer_regex: '\\d'
matching: {text: letters, numbers: widening, tolerance: 0.01, coerced: true, defaults: false, as_written: true}
path: {max_steps: 4, tools: [search, read], no_repeats: true}
"""


def test_every_rule_is_read_and_written_the_same() -> None:
    document = yaml.safe_load(FULL)
    read = expectation_from_document(document, "case")
    arguments = read.calls[0].arguments

    assert arguments["query"] == ExpectedArgument(regex="^SELECT", contains=("users",))
    assert arguments["day"] == ExpectedArgument(kind="date", optional=True)
    assert arguments["note"] == ExpectedArgument()
    assert arguments["tags"].items == (
        ExpectedArgument(("x",)), ExpectedArgument(one_of=(ExpectedArgument((1,)), ExpectedArgument(kind="string"))),
    )  # fmt: skip
    assert read.matching == Matching("letters", "widening", 0.01, coerced=True, defaults=False, as_written=True)
    assert read.path == PathChecks(max_steps=4, tools=("search", "read"), no_repeats=True)
    assert expectation_to_document(read) == document


def test_every_field_has_a_key_in_these_documents() -> None:
    """One that is read and never written would be lost when a case is saved."""
    others: list[Any] = ["no_call", "any_call", "must_ask", {"missing_calls": True, "calls": [{"name": "f"}]}]
    documents = [yaml.safe_load(FULL), *others, {"one_of": others}]
    found = [expectation_from_document(document, "case") for document in documents]
    unset = Expectation()
    for name in (item.name for item in fields(Expectation)):
        assert any(getattr(one, name) != getattr(unset, name) for one in found), name


@pytest.mark.parametrize("way", ["no_call", {"any_call": True}, {"must_ask": True}, {"must_not_call": ["rm"]},
                                 {"one_of": ["no_call", {"calls": [{"name": "f"}]}]},
                                 {"answer_lacks": ["x"]}, {"answer_regex": "a"}, {"path": {"max_steps": 2}}], ids=str)  # fmt: skip
def test_ways_without_calls(way: Any) -> None:
    assert expectation_to_document(expectation_from_document(way, "case")) == way


@pytest.mark.parametrize("word", ["no_call", "any_call", "must_ask"])
def test_a_word_may_stand_alone(word: str) -> None:
    assert expectation_from_document(word, "case") == expectation_from_document({word: True}, "case")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"any_call": True, "no_call": True}, "once"),
        ({"order": "any"}, "once"),
        ({"one_of": ["no_call"], "order": "any"}, "other keys"),
        ({"one_of": "no_call"}, "one_of is not a list"),
        ({"one_of": []}, "one_of is empty"),
        ({"calls": [{"name": "f", "arguments": {"x": {"one_of": []}}}]}, "x.one_of is empty"),
        ({"calls": [{"name": "f", "arguments": {"x": {"any": False}}}]}, "x.any is false"),
        ({"no_call": "yes"}, "no_call is 'yes'"),
        ({"any_call": True, "answer_regex": "("}, "answer_regex is no regular expression"),
        ({"any_call": True, "matching": {"text": "loose"}}, "matching.text is 'loose'"),
        ({"any_call": True, "matching": {"tolerance": -1}}, "tolerance is -1"),
        ({"any_call": True, "path": {"max_steps": True}}, "max_steps is True"),
        ({"any_call": True, "path": {"steps": 1}}, "unknown key 'steps'"),
        ({"calls": [{"name": "f", "arguments": {"x": {"kind": "colour"}}}]}, "x.kind is 'colour'"),
        ({"any_call": True, "grading": "kfcl"}, "grading is 'kfcl'"),
        ({"any_call": True, "grading": "bfcl", "matching": {}}, "both 'grading' and 'matching'"),
        ({"calls": [{"name": "f", "arguments": {"x": {"any": True, "literal": "java Long"}}}]}, "no kind of literal"),
        ({"calls": [{"name": "f", "arguments": {"x": {"literal": "java long"}}}]}, "says nothing about the value"),
        ({"calls": [{"name": "f", "arguments": {"x": {"optional": True}}}]}, "says nothing about the value"),
        ({"calls": [{"name": "f", "arguments": {"x": {"fields": [1]}}}]}, "x.fields is not an object"),
    ],
)
def test_errors_are_named(document: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        expectation_from_document(document, "case")


def test_a_named_mode_is_written_by_its_name() -> None:
    document = {"any_call": True, "grading": "bfcl"}
    read = expectation_from_document(document, "case")

    assert read.matching == MODES["bfcl"]
    assert expectation_to_document(read) == document


PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.lists(st.integers(), max_size=2)
RULES = st.recursive(
    st.builds(lambda values, optional: ExpectedArgument(tuple(values), optional=optional),
              st.lists(PLAIN | st.dictionaries(st.text(max_size=3), PLAIN, max_size=2), max_size=3), st.booleans())
    | st.builds(lambda kind: ExpectedArgument(kind=kind), st.sampled_from(["date", "integer", "uuid"])),
    lambda inner: st.builds(lambda fields: ExpectedArgument(fields=fields), st.dictionaries(st.text(max_size=3), inner, max_size=2))
    | st.builds(lambda items, free: ExpectedArgument(items=tuple(items), any_order=free), st.lists(inner, max_size=2), st.booleans()),
    max_leaves=5,
)  # fmt: skip


@given(st.dictionaries(st.text(max_size=3), RULES, max_size=3))
def test_argument_rules_survive_the_document(arguments: dict[str, ExpectedArgument]) -> None:
    expectation = Expectation((ExpectedCall("f", arguments),))

    assert expectation_from_document(expectation_to_document(expectation), "case") == expectation

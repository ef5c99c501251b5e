"""Any event survives being stored, whatever text and numbers a model put into it."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.events import ChunkReceived, RunEvent
from workbench.core.tools import ArgumentRule, MockRule
from workbench.store.codec import decode_event, encode_event, pack_chunks, unpack_chunks

TEXT = st.text(st.characters(), max_size=12)
"""Lone surrogates included: models write them as JSON escapes."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
EVENTS = [cls for cls in get_args(RunEvent) if cls is not ChunkReceived]


def values(shape: Any) -> st.SearchStrategy[Any]:
    """Values of a type as it is annotated."""
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: TEXT,
        int: INTEGERS,
        bool: st.booleans(),
        float: st.floats(allow_nan=False),
        bytes: st.binary(max_size=20),
        NoneType: st.none(),
        Any: JSON,
    }
    if shape in plain:
        return plain[shape]
    origin, options = get_origin(shape), get_args(shape)
    if origin in (Union, UnionType):
        return st.one_of([values(option) for option in options])
    if origin is Literal:
        return st.sampled_from(options)
    if origin is tuple and len(options) == 2 and options[1] is Ellipsis:
        return st.lists(values(options[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, options))
    if origin is dict:
        return st.dictionaries(values(options[0]), values(options[1]), max_size=2)
    if isinstance(shape, type) and issubclass(shape, Enum):
        return st.sampled_from(list(shape))
    return mocks() if shape is MockRule else composed(shape)


def mocks() -> st.SearchStrategy[MockRule]:
    """Mocks hold mocks: a few deep."""
    plain = st.builds(MockRule, st.sampled_from(["echo", "fixed"]), JSON, TEXT, INTEGERS, recorded=st.booleans())

    def nested(inner: st.SearchStrategy[MockRule]) -> st.SearchStrategy[MockRule]:
        steps = st.lists(inner, max_size=2).map(tuple)
        rules = st.lists(st.builds(ArgumentRule, st.dictionaries(TEXT, JSON, max_size=2), inner), max_size=2).map(tuple)
        return st.builds(MockRule, st.sampled_from(["sequence", "rules"]), steps=steps, rules=rules)

    return st.recursive(plain, nested, max_leaves=4)


def composed(shape: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(shape)
    names = [field.name for field in fields(shape)] if is_dataclass(shape) else list(shape._fields)
    return st.fixed_dictionaries({name: values(hints[name]) for name in names}).map(lambda given: shape(**given))


@pytest.mark.parametrize("event_type", EVENTS, ids=lambda cls: str(cls.__name__))
@given(data=st.data())
@settings(max_examples=25)
def test_every_event_comes_back_equal(event_type: type, data: st.DataObject) -> None:
    event = data.draw(values(event_type))

    kind, body = encode_event(event)
    body.encode()  # what SQLite takes: no lone surrogate may be left as such

    assert decode_event(kind, body) == event


@given(st.lists(st.tuples(st.binary(max_size=30), INTEGERS), min_size=1, max_size=20), st.integers(0, 1000))
def test_chunks_come_back_as_they_came(parts: list[tuple[bytes, int]], first: int) -> None:
    chunks = [ChunkReceived(2, 1, first + offset, data, at_us) for offset, (data, at_us) in enumerate(parts)]

    layout, data = pack_chunks(chunks)

    assert list(unpack_chunks(2, 1, first, layout, data)) == chunks


@given(JSON, st.sampled_from([math.nan, math.inf, -math.inf]))
@settings(max_examples=25)
def test_nan_and_infinity_survive_in_arguments(beside: Any, odd: float) -> None:
    from workbench.core.events import ToolStarted
    from workbench.core.tools import ToolMode

    event = ToolStarted(0, 0, "c", "t", {"beside": beside, "odd": odd}, ToolMode.MOCK, 1)

    back = decode_event(*encode_event(event))

    assert isinstance(back, ToolStarted)
    assert back.arguments["beside"] == beside
    assert repr(back.arguments["odd"]) == repr(odd)


@given(st.text(max_size=40), JSON)
@settings(max_examples=50)
def test_no_stored_text_raises(text: str, value: Any) -> None:
    import json

    for body in (text, json.dumps(value)):
        for kind in ("run_started", "step_finished", "verdict_given", "of_a_later_version"):
            assert decode_event(kind, body) is None or kind != "of_a_later_version"

"""Calls put together from fragments."""

from __future__ import annotations

from workbench.core.exchange import CallDelta
from workbench.core.messages import NativeCall
from workbench.wires.kit.whole_calls import WholeCalls, object_of


def test_call_is_complete_at_the_next() -> None:
    calls = WholeCalls()
    assert calls.add(CallDelta(0, "a", "f", "")) is None
    assert calls.add(CallDelta(0, "", "", '{"x":1}')) is None
    assert calls.add(CallDelta(1, "b", "g", "{}")) == NativeCall(0, "a", "f", '{"x":1}')
    assert calls.take() == NativeCall(1, "b", "g", "{}")
    assert (calls.take(), calls.count) == (None, 2)


def test_non_object_arguments() -> None:
    for arguments, value in (("", {}), ('{"a":1}', {"a": 1}), ('{"a":', None), ("[1]", None), ("null", None)):
        assert object_of(NativeCall(0, "", "f", arguments)) == value


def test_a_call_after_one_that_was_taken_begins_without_its_arguments() -> None:
    calls = WholeCalls()
    calls.add(CallDelta(0, "a", "f", '{"x":'))
    assert calls.take() == NativeCall(0, "a", "f", '{"x":')
    assert calls.add(CallDelta(0, "b", "g", "{}")) is None
    assert (calls.take(), calls.take(), calls.count) == (NativeCall(0, "b", "g", "{}"), None, 2)


def test_a_call_begins_without_arguments_and_ends_with_its_own() -> None:
    calls = WholeCalls()
    assert calls.take() is None
    assert calls.add(CallDelta(0, "a", "f", "")) is None
    assert calls.take() == NativeCall(0, "a", "f", "")
    assert calls.add(CallDelta(1, "b", "g", "{")) is None
    assert calls.add(CallDelta(1, "", "", "}")) is None
    assert calls.add(CallDelta(2, "c", "h", "")) == NativeCall(1, "b", "g", "{}")
    assert (calls.count, calls.take(), calls.take()) == (3, NativeCall(2, "c", "h", ""), None)

from __future__ import annotations

import json
from typing import get_args

import pytest

from tests.kit import runs
from workbench.core.approvals import ApprovalDecision
from workbench.core.events import (
    ChunkReceived,
    ExchangeStarted,
    RunEvent,
    StepFinished,
    ToolStarted,
    VerdictGiven,
)
from workbench.core.exchange import Usage, WireRequest
from workbench.core.tools import MockRule, ToolMode
from workbench.store.codec import (
    KINDS,
    _fit,
    _shallow,
    decode_event,
    encode_event,
    from_json,
    pack_chunks,
    to_json,
    unpack_chunks,
)


def all_kinds() -> list[RunEvent]:
    return [event for event in (*runs.make_run(), *runs.boosted()) if not isinstance(event, ChunkReceived)]


def test_the_sample_has_every_kind() -> None:
    assert {type(event) for event in all_kinds()} == set(get_args(RunEvent)) - {ChunkReceived}


@pytest.mark.parametrize("event", all_kinds(), ids=lambda event: type(event).__name__)
def test_an_event_comes_back_equal(event: RunEvent) -> None:
    kind, body = encode_event(event)

    assert kind in KINDS
    assert decode_event(kind, body) == event


def test_a_request_body_stays_readable() -> None:
    event = ExchangeStarted(0, 0, WireRequest("POST", "http://h", (), '{"text": "Größe"}'.encode()), 1)

    _, body = encode_event(event)

    assert json.loads(body)["request"]["body"] == '{"text": "Größe"}'


def test_binary_body_round_trip() -> None:
    event = ExchangeStarted(0, 0, WireRequest("POST", "http://h", (), b"\xff\x00"), 1)

    assert decode_event(*encode_event(event)) == event


def test_half_a_character_in_a_stored_request_is_kept() -> None:
    event = ExchangeStarted(0, 0, WireRequest("POST", "http://h", (), b"X"), 1)
    kind, body = encode_event(event)
    found = decode_event(kind, body.replace('"X"', '"\\ud83d"'))
    assert isinstance(found, ExchangeStarted)
    assert found.request.body == "\ud83d".encode(errors="surrogatepass")


def test_packed_chunks_come_back_with_their_bytes_times_and_places() -> None:
    chunks = [ChunkReceived(2, 1, 7 + place, b"ab" * place, 100 + 30 * place) for place in range(4)]
    layout, data = pack_chunks(chunks)
    assert json.loads(layout) == [100, 0, 130, 2, 160, 4, 190, 6]
    assert list(unpack_chunks(2, 1, 7, layout, data)) == chunks


def test_fields_of_a_later_version_are_skipped() -> None:
    kind, body = encode_event(VerdictGiven(runs.PASSED))
    value = json.loads(body)
    value["verdict"]["confidence"] = 0.5
    value["mood"] = {"name": "x"}

    assert decode_event(kind, json.dumps(value)) == VerdictGiven(runs.PASSED)


def test_longer_tuples_of_a_later_version_are_cut() -> None:
    event = next(event for event in runs.make_run() if isinstance(event, StepFinished))
    kind, body = encode_event(event)
    value = json.loads(body)
    value["reply"]["result"]["calls"][0].append("new")
    value["reply"]["result"]["calls"][0][5].append("new")
    value["reply"]["usage"] += [1, 2]

    assert decode_event(kind, json.dumps(value)) == event


@pytest.mark.parametrize("body", ["", "{", "[]", "{}", '{"verdict": {"state": "splendid"}}', "\ud800"])
def test_unknown_event_decodes_to_none(body: str) -> None:
    assert decode_event("verdict_given", body) is None


def test_an_unknown_kind_is_none() -> None:
    assert decode_event("coffee_made", "{}") is None


def test_arguments_too_deep_for_json_lose_their_depth_and_nothing_else() -> None:
    deep: dict[str, object] = {}
    inner = deep
    for _ in range(5000):
        inner["a"] = {}
        inner = inner["a"]  # type: ignore[assignment]
    event = ToolStarted(0, 0, "c", "get_weather", {"deep": deep, "city": "Rome"}, ToolMode.MOCK, 1)

    back = decode_event(*encode_event(event))

    assert isinstance(back, ToolStarted)
    assert back.arguments["city"] == "Rome"


def test_unfitting_json_decodes_to_none() -> None:
    assert from_json("3", dict[str, int]) is None
    assert from_json(to_json({"a": 1}), dict[str, int]) == {"a": 1}


@pytest.mark.parametrize("value", [{"a": None, "b": 2**70}, {"a": None, "b": "\x7f\ufffd", "c": [1.5, -0.0]}])
def test_values_beside_null_are_written_as_they_are(value: dict[str, object]) -> None:
    assert json.loads(to_json(value)) == value


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_nan_and_infinity_round_trip(number: float) -> None:
    kind, body = encode_event(ToolStarted(0, 0, "c", "f", {"x": number, "y": None}, ToolMode.MOCK, 1))
    event = decode_event(kind, body)
    assert isinstance(event, ToolStarted)
    assert repr(event.arguments) == repr({"x": number, "y": None})


def test_each_level_counts_once_where_depth_is_lost() -> None:
    assert _shallow({"a": [{"b": 1}]}, 3) == {"a": [{"b": "…"}]}
    assert _shallow({"a": [{"b": 1}]}, 4) == {"a": [{"b": 1}]}
    assert _shallow([["x"]], 1) == ["…"]
    assert set(_shallow(MockRule("fixed", {"a": 1}), 1).values()) == {"…"}


@pytest.mark.parametrize(
    ("value", "shape", "fitted"),
    [
        ([1, "a", 5], Usage | None, [1, "a", 5][: len(Usage._fields)]),
        (None, Usage | None, None),
        ([[7, 3, 1, 1, 9, 9]], tuple[Usage, ...], [[7, 3, 1, 1, 9, 9][: len(Usage._fields)]]),
        ([1, 2, 3], tuple[int, int], [1, 2, 3]),
        ({"allowed": True, "new": 1}, ApprovalDecision, {"allowed": True}),
        ({"new": 1}, dict[str, int], {"new": 1}),
        ({"new": 1}, int | str | None, {"new": 1}),
        ("text", Usage, "text"),
    ],
)
def test_what_a_later_version_made_longer_is_cut(value: object, shape: object, fitted: object) -> None:
    assert _fit(value, shape) == fitted


def test_null_and_what_is_no_number_are_told_apart() -> None:
    assert to_json({"a": None}) == '{"a":null}'
    assert to_json({"a": float("nan"), "b": None}) == '{"a":NaN,"b":null}'
    assert to_json({"a": float("inf")}) == '{"a":Infinity}'
    assert to_json({"a": "null"}) == '{"a":"null"}'
    assert to_json(["\ud800"]) == '["\\ud800"]'


def test_bytes_that_are_no_text_are_kept_beside_an_empty_body() -> None:
    _, text_body = encode_event(ExchangeStarted(3, 1, WireRequest("PUT", "http://h", (("a", "b"),), b"x"), 9))
    _, raw_body = encode_event(ExchangeStarted(3, 1, WireRequest("PUT", "http://h", (), b"\xff"), 9))
    assert json.loads(text_body) == {
        "step": 3, "exchange": 1, "at_us": 9,
        "request": {"method": "PUT", "url": "http://h", "headers": [["a", "b"]], "body": "x", "base64": ""},
    }  # fmt: skip
    assert (json.loads(raw_body)["request"]["body"], json.loads(raw_body)["request"]["base64"]) == ("", "/w==")


def test_tuples_and_records_lose_their_depth_as_lists_do() -> None:
    assert _shallow(("x", ["y"]), 2) == ["x", ["…"]]
    assert _shallow((("x",),), 1) == ["…"]
    assert _shallow(Usage(1, 2), 1)[:2] == ["…", "…"]
    assert {"a": 1} in _shallow(MockRule("fixed", {"a": 1}), 3).values()
    assert _shallow(b"x", 1) == "eA=="

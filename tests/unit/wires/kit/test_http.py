"""Addresses, headers and bodies."""

from __future__ import annotations

import json

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Endpoint, WireRequest
from workbench.core.messages import ChatRequest
from workbench.wires.kit.http import bearer, get_json, headers_for, join_url, key_header, lay_over, post_json, versioned


def test_path_and_base_queries_are_joined() -> None:
    assert join_url("http://h/v1beta/?a=b", "/models?pageSize=9") == "http://h/v1beta/models?a=b&pageSize=9"


def test_a_place_to_fill_in_is_named() -> None:
    with pytest.raises(InvalidInput, match="fill in"):
        join_url("https://{RESOURCE}.openai.azure.com/openai/v1", "/models")


def test_keys() -> None:
    assert bearer(" k\n") == (("authorization", "Bearer k"),)
    assert bearer(None) == bearer("  ") == ()
    with pytest.raises(InvalidInput):
        headers_for(Endpoint("p", "w", "http://h", headers=(("x", "a\r\nb: c"),)), (), json_body=True)


def test_the_endpoints_own_headers_win_over_all_others() -> None:
    own = (("Accept", "text/x"), ("AUTHORIZATION", " Basic x "), ("x-team", "7"))
    headers = headers_for(Endpoint("p", "w", "http://h", headers=own), bearer("k"), json_body=True, stream=True)
    assert headers == (
        ("Accept", "text/x"), ("content-type", "application/json"), ("AUTHORIZATION", "Basic x"), ("x-team", "7"),
    )  # fmt: skip


def test_the_requests_own_fields_win_over_the_wires_and_those_over_the_providers() -> None:
    endpoint = Endpoint(
        "p", "w", "http://h", extra={"a": 1, "b": 1, "c": 1, "options": {"x": 1, "y": 1}, "d": {"z": 1}}
    )
    by_wire = {"w": {"b": 2, "c": 2, "options": {"y": 2}}, "other": {"a": 9}}
    request = ChatRequest("m", (), by_wire=by_wire, extra={"c": 3, "d": None})
    body: dict[str, object] = {"a": 0, "model": "m", "options": {"seed": 5}}
    assert lay_over(body, endpoint, request) == {
        "a": 1, "b": 2, "c": 3, "model": "m", "options": {"seed": 5, "x": 1, "y": 2}, "d": None,
    }  # fmt: skip
    assert body == {"a": 0, "model": "m", "options": {"seed": 5}}


@pytest.mark.parametrize(
    ("base", "shown"),
    [
        ("http://me:s3cretpassword@h:port/v1", "'http://***@h:port/v1'"),
        ("http://me:s3cretpassword@[h/v1", "'http://***@[h/v1'"),
        ("ftp://h/v1?api_key=s3cretpassword", "'ftp://h/v1?api_key=**************'"),
        ("ftp://h/9fX2aQuLw7ZrTq0VbN/v1", "'ftp://h/******************/v1'"),
    ],
)
def test_an_address_that_is_refused_is_named_without_its_keys(base: str, shown: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        join_url(base, "/x")
    assert shown in str(caught.value)
    assert "s3cretpassword" not in str(caught.value)


@pytest.mark.parametrize(
    ("named", "usual", "header"),
    [
        (None, "authorization", ("authorization", "Bearer k")),
        (None, "x-api-key", ("x-api-key", "k")),
        ("api-key", "authorization", ("api-key", "k")),
        ("Authorization", "x-api-key", ("authorization", "Bearer k")),
    ],
)
def test_the_header_that_carries_the_key(named: str | None, usual: str, header: tuple[str, str]) -> None:
    endpoint = Endpoint("p", "w", "http://h", quirks={"auth_header": named} if named else {})
    assert key_header(endpoint, "k", usual) == (header,)
    assert key_header(endpoint, None, usual) == ()
    if usual == "authorization":
        assert key_header(endpoint, "k") == (header,)


@pytest.mark.parametrize("base", ["http:///v1", "https://", "http://:8080/v1", "//h/v1", "h/v1", ""])
def test_an_address_without_its_host_or_scheme_is_refused(base: str) -> None:
    with pytest.raises(InvalidInput, match="not an http"):
        join_url(base, "/x")


def test_requests_carry_key_own_headers_and_all_fields() -> None:
    endpoint = Endpoint("p", "w", "http://h", headers=(("X-Own", "1"),), extra={"a": {"x": 1}, "b": 1})
    request = ChatRequest("m", (), extra={"c": 4}, by_wire={"w": {"a": {"y": 2}}, "other": {"d": 5}})
    got = get_json("http://h/models", bearer("k"), endpoint)
    own = (("authorization", "Bearer k"), ("X-Own", "1"))
    assert got == WireRequest("GET", "http://h/models", (("accept", "application/json"), *own))
    for stream, accept in ((False, "application/json"), (True, "text/event-stream")):
        sent = post_json("http://h/x", bearer("k"), {"a": {"z": 3}}, endpoint, request, stream=stream)
        assert (sent.method, sent.url) == ("POST", "http://h/x")
        assert sent.headers == (("accept", accept), ("content-type", "application/json"), *own)
        assert json.loads(sent.body) == {"a": {"z": 3, "x": 1, "y": 2}, "b": 1, "c": 4}


@pytest.mark.parametrize(
    ("base", "path", "url"),
    [
        ("http://h", "/models", "http://h/v1/models"),
        ("http://h/v1", "/models", "http://h/v1/models"),
        (" http://h/v2/ ", "/models", "http://h/v2/models"),
        ("http://h/v1?a=b", "/models", "http://h/v1/models?a=b"),
        ("http://h/messages", "/messages", "http://h/messages"),
        ("http://h/api", "/models", "http://h/api/v1/models"),
    ],
)
def test_a_version_is_put_in_where_the_address_has_none(base: str, path: str, url: str) -> None:
    assert versioned(base, "/v1", path) == url

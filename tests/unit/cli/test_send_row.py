"""Rows of `workbench send`: what is sent, with which key and limits."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest

from workbench.cli.send_row import Privacy, limits_of, protocols, read_row, secrets_of
from workbench.core.errors import InvalidInput, SecretError

REQUEST = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def row(**more: Any) -> dict[str, Any]:
    return {"protocol": "openai_chat", "base_url": "http://h/v1", "request": REQUEST, **more}


def test_row_says_where_and_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", " sk-1 ")
    found = read_row(row(headers={"X-A": 1}, retries=10, stream=False, key_env="MY_KEY"))
    assert (found.endpoint.wire, found.endpoint.base_url, found.endpoint.headers) == (
        "openai_chat",
        "http://h/v1",
        (("X-A", "1"),),
    )
    assert (found.key, found.retries, found.request.stream) == ("sk-1", 10, False)
    plain = read_row(row())
    assert (plain.key, plain.retries, plain.request.stream) == (None, 0, True)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"protocol": None}, "must both be texts"),
        ({"base_url": 1}, "must both be texts"),
        ({"retries": 11}, "'retries' is 11"),
        ({"retries": "2"}, "'retries' is '2'"),
        ({"stream": "yes"}, "'stream' is 'yes'"),
        ({"headers": ["a"]}, "'headers' is not an object"),
    ],
)
def test_wrong_rows_are_named(more: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        read_row(row(**more))


def test_a_key_that_is_not_set_is_named() -> None:
    with pytest.raises(SecretError, match="'NO_SUCH_KEY' is not set"):
        read_row(row(key_env="NO_SUCH_KEY"))


def test_protocols_of_the_command_line() -> None:
    assert "openai_chat" in protocols()


def test_limits() -> None:
    usual = limits_of(Namespace(timeout=None, parallel=0), 2, Privacy(frozenset(), mask_foreign=True))
    assert (usual.connect, usual.first_byte, usual.stall, usual.total) == (10.0, 120.0, 60.0, 600.0)
    assert (usual.retries, usual.max_concurrency, usual.mask_foreign_keys) == (2, 1, True)
    own = limits_of(Namespace(timeout=900.0, parallel=3), 0, Privacy(frozenset(), mask_foreign=False))
    assert (own.connect, own.first_byte, own.stall, own.total, own.max_concurrency) == (10.0, 900.0, 900.0, 900.0, 3)
    for silence in (0.0, -1.0, 1e6):
        with pytest.raises(InvalidInput, match="no useful number of seconds"):
            limits_of(Namespace(timeout=silence, parallel=1), 0, Privacy(frozenset(), mask_foreign=False))


def test_keys_in_fields_of_the_request_are_kept_secret() -> None:
    found = read_row(row(request={**REQUEST, "extra": {"api_key": "hidden-key-123"}}))
    assert secrets_of(found, Privacy(frozenset({"known"}), mask_foreign=False)) == {"known", "hidden-key-123"}

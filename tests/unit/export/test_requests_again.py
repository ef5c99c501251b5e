from __future__ import annotations

from workbench.core.exchange import WireRequest
from workbench.export.requests_again import sendable


def test_masked_keys_become_places_for_a_key() -> None:
    headers = (("Authorization", "Bearer ****"), ("x-goog-api-key", "*****"), ("X-Mine", "1"), ("Host", "h"))
    found = sendable(WireRequest("POST", "https://h/v1?key=********&alt=sse", headers, b"{}"))
    assert found.url == ("https://h/v1?key=", "&alt=sse")
    assert found.headers == (("Authorization", "Bearer ", True), ("x-goog-api-key", "", True), ("X-Mine", "1", False))


def test_address_without_a_key_is_one_piece() -> None:
    assert sendable(WireRequest("GET", "https://h/?q=**a**")).url == ("https://h/?q=**a**",)

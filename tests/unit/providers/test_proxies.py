"""Which proxy a request goes through."""

from __future__ import annotations

import pytest

from workbench.providers.proxies import proxy_for


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("http://models.test/v1", "127.0.0.1:8"),
        ("https://models.test/v1", "p.test:9"),
        ("http://inside.test/v1", ""),
        ("https://deep.inside.test:8443/v1", ""),
        ("http://127.0.0.1:1/v1", ""),
        ("http://localhost/v1", ""),
        ("http://[::1]:8/v1", ""),
        ("http://[", ""),
        ("no address", ""),
    ],
)
def test_the_environment_decides(url: str, proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    assert proxy_for(url) == ""
    monkeypatch.setenv("HTTP_PROXY", "127.0.0.1:8")
    monkeypatch.setenv("ALL_PROXY", "http://me:secret@p.test:9")
    monkeypatch.setenv("NO_PROXY", "inside.test")
    assert proxy_for(url) == proxy

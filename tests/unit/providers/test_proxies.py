"""Which proxy a request goes through."""

from __future__ import annotations

import pytest

from workbench.providers.proxies import is_loopback, proxy_for


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


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "localhost", "LOCALHOST.", "models.localhost", "::1"])
def test_this_machine_needs_no_proxy(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "10.0.0.1", "localhost.test", "1.127.0.0", "::2", "127.0.0.1.test"])
def test_other_hosts_may(host: str) -> None:
    assert not is_loopback(host)


def test_the_scheme_goes_before_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.providers.proxies.getproxies", lambda: {"http": "h:1", "all": "socks5://me@a:2"})
    monkeypatch.setattr("workbench.providers.proxies.proxy_bypass", lambda host: host == "inside.test")
    assert proxy_for("http://models.test") == "h:1"
    assert proxy_for("https://models.test") == "a:2"
    assert proxy_for("http://inside.test") == ""
    assert proxy_for("http://") == ""
    monkeypatch.setattr("workbench.providers.proxies.getproxies", lambda: {"https": "h:1"})
    assert proxy_for("http://models.test") == ""

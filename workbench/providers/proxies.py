"""Which proxy of the environment a request goes through: the HTTP library follows it silently, an error must name it."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

DIRECT = ("127.0.0.1", "localhost", "[::1]")
"""Never through a proxy: a server on this machine."""


def proxy_for(url: str) -> str:
    """Return `HOST:PORT` of the proxy that this address is reached through, without any password; empty for none."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return ""
    if not host or host in ("127.0.0.1", "localhost", "::1"):
        return ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
    if not proxy or proxy_bypass(host):
        return ""
    return urlsplit(proxy if "://" in proxy else f"http://{proxy}").netloc.rpartition("@")[2]

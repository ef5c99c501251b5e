"""Failures below HTTP in the user's words; most are caused for real in the client's tests."""

from __future__ import annotations

import errno
import re
import socket
import ssl

import httpx
import pytest

from workbench.core.errors import ErrorKind as K
from workbench.providers.transport_errors import (
    _causes,
    explain,
    no_model_list,
    other_host,
    redirect_loop,
    timed_out,
    too_large,
)


def caused(outer: Exception, inner: BaseException) -> Exception:
    outer.__cause__ = inner
    return outer


CERT = ssl.SSLCertVerificationError(1, "certificate verify failed")


@pytest.mark.parametrize(
    ("error", "kind", "words", "permanent"),
    [
        (caused(httpx.ConnectError("x"), socket.gaierror(-2, "Name or service not known")), K.CONNECT, "not found", False),
        (httpx.ConnectError("[Errno -2] Name or service not known"), K.CONNECT, "not found", False),
        (caused(httpx.ConnectError("x"), ExceptionGroup("all", [ConnectionRefusedError(111, "no")])), K.CONNECT, "refused", False),
        (caused(httpx.ConnectError("x"), OSError(errno.ENETUNREACH, "Network is unreachable")), K.CONNECT, "cannot be reached", False),
        (caused(httpx.ConnectError("x"), CERT), K.CONNECT, "not trusted", True),
        (caused(httpx.ConnectError("x"), ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)")), K.CONNECT, "No TLS connection", True),
        (httpx.ConnectError("something else"), K.CONNECT, "something else", False),
        (httpx.ConnectTimeout(""), K.TIMEOUT, "No connection to h:1", False),
        (httpx.ProxyError("407"), K.CONNECT, "proxy", True),
        (httpx.InvalidURL("bad"), K.CONNECT, "cannot be used: bad", True),
        (httpx.UnsupportedProtocol("foo"), K.CONNECT, "cannot be used", True),
        (UnicodeError("label empty"), K.CONNECT, "cannot be used", True),
        (httpx.LocalProtocolError("Illegal header value"), K.BAD_REQUEST, "cannot be sent", True),
        (httpx.RemoteProtocolError("Server disconnected without sending a response."), K.CONNECT, "closed the connection", False),
        (httpx.RemoteProtocolError("illegal status line"), K.PROTOCOL, "does not speak HTTP", True),
        (caused(httpx.ReadError(""), ConnectionResetError(104, "Connection reset by peer")), K.CONNECT, "reset by peer", False),
    ],
)  # fmt: skip
def test_before_an_answer(error: Exception, kind: K, words: str, permanent: bool) -> None:
    info = explain(error, host="h:1")
    assert (info.kind, info.permanent) == (kind, permanent)
    assert words in info.message
    assert info.hint
    assert not re.search(r"Errno|\[SSL|_ssl\.c", info.message), "numbers in place of words"


def test_in_the_reply() -> None:
    info = explain(httpx.ReadError("reset"), received=12)
    assert (info.kind, "12 bytes" in info.message) == (K.CUT_OFF, True)
    assert explain(httpx.DecodingError("bad"), received=1).kind is K.PROTOCOL


def test_own_limits() -> None:
    assert timed_out("No answer came", 1.5).message == "No answer came within 1.5 seconds."
    assert "64 MiB" in too_large(64 * 2**20, 200).message
    assert "http://x" in other_host("http://x", 302).message
    assert "5 times" in redirect_loop(5, 302).message
    assert no_model_list(200).kind is K.PROTOCOL


def test_proxy_errors_are_told_from_server_errors() -> None:
    refused = explain(caused(httpx.ConnectError("x"), ConnectionRefusedError(111, "no")), host="h:1", proxy="p:2")
    assert (refused.message, "HTTP_PROXY" in refused.hint) == ("The proxy p:2 refused the connection.", True)
    slow = explain(httpx.ConnectTimeout(""), host="h:1", proxy="p:2")
    assert slow.message == "No connection to the proxy p:2 within the time limit."
    assert explain(httpx.ProxyError("407"), host="h:1", proxy="p:2").message == "The proxy p:2 refused: 407."
    assert "h:1" in explain(caused(httpx.ConnectError("x"), CERT), host="h:1", proxy="p:2").message


def test_bytes_are_quoted_as_text() -> None:
    text = explain(httpx.RemoteProtocolError("illegal status line: bytearray(b'SSH-2.0')"), host="h:1").message
    assert text.endswith("illegal status line: 'SSH-2.0'.")


def test_failures_that_name_each_other_as_cause_are_told_once() -> None:
    outer, inner = httpx.ConnectError("a"), OSError("b")
    caused(outer, inner)
    caused(inner, outer)
    assert list(_causes(outer)) == [outer, inner]

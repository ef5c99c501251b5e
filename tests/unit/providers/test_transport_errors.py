"""Failures below HTTP in the user's words; most are caused for real in the client's tests."""

from __future__ import annotations

import errno
import re
import socket
import ssl

import httpx
import pytest

from workbench.core.errors import ErrorInfo
from workbench.core.errors import ErrorKind as K
from workbench.providers.transport_errors import (
    _causes,
    explain,
    no_model_list,
    other_host,
    redirect_loop,
    timed_out,
    too_large,
    words_of,
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


REFUSED = "Is the server running? Check host and port of the base URL."
NAME = "Check the base URL's spelling and the network."
PROXY = "Requests go through a proxy here: check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY."
KEPT = "All that came is kept."
MIB = 64 * 2**20


def told(error: ErrorInfo) -> tuple[K, str, str, int | None, bool]:
    return error.kind, error.message, error.hint, error.status, error.permanent


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (caused(httpx.ConnectError("x"), socket.gaierror(-2, "Name or service not known")),
         (K.CONNECT, "The host name 'h:1' was not found (Name or service not known).", NAME, None, False)),
        (httpx.ConnectError("[Errno -2] Name or service not known"), (K.CONNECT, "The host name 'h:1' was not found.", NAME, None, False)),
        (httpx.ConnectError("getaddrinfo failed"), (K.CONNECT, "The host name 'h:1' was not found.", NAME, None, False)),
        (httpx.ConnectError("Temporary failure in name resolution"), (K.CONNECT, "The host name 'h:1' was not found.", NAME, None, False)),
        (httpx.ConnectError("Bad name."), (K.CONNECT, "No connection to h:1: Bad name.", REFUSED, None, False)),
        (httpx.ConnectError("Well known."), (K.CONNECT, "No connection to h:1: Well known.", REFUSED, None, False)),
        (caused(httpx.ConnectError("x"), ConnectionRefusedError(111, "no")), (K.CONNECT, "h:1 refused the connection.", REFUSED, None, False)),
        (caused(httpx.ConnectError("x"), OSError(errno.EHOSTUNREACH, "No route to host")),
         (K.CONNECT, "h:1 cannot be reached: No route to host.", "Check the network.", None, False)),
        (caused(httpx.ConnectError("x"), OSError(errno.ENETDOWN, "Network is down")),
         (K.CONNECT, "h:1 cannot be reached: Network is down.", "Check the network.", None, False)),
        (caused(httpx.ConnectError("x"), OSError(errno.EPIPE, "Broken pipe")), (K.CONNECT, "No connection to h:1: x.", REFUSED, None, False)),
        (caused(httpx.ConnectError("x"), ssl.SSLCertVerificationError(1, "self-signed")),
         (K.CONNECT, "The certificate of h:1 is not trusted: self-signed.",
          "For an own certificate authority set SSL_CERT_FILE; check the host name.", None, True)),
        (caused(httpx.ConnectError("x"), ssl.SSLError(1, "[SSL] odd (_ssl.c:1006)")),
         (K.CONNECT, "No TLS connection to h:1: odd.", "Does this port speak plain http? Write http://.", None, True)),
        (ssl.SSLError(1, "odd"), (K.CONNECT, "No TLS connection to h:1: odd.", "Does this port speak plain http? Write http://.", None, True)),
        (httpx.ConnectTimeout(""), (K.TIMEOUT, "No connection to h:1 within the time limit.", REFUSED, None, False)),
        (httpx.ProxyError("407"), (K.CONNECT, "The proxy refused: 407.", PROXY, None, True)),
        (httpx.InvalidURL("bad"), (K.CONNECT, "The address cannot be used: bad.", "Write http://HOST:PORT/v1.", None, True)),
        (httpx.LocalProtocolError("Illegal header value"),
         (K.BAD_REQUEST, "The request cannot be sent: Illegal header value.", "Check the provider's extra headers.", None, True)),
        (httpx.RemoteProtocolError("Server Disconnected."),
         (K.CONNECT, "h:1 closed the connection without an answer.", "See the server's log; is it the right port, and http or https?", None, False)),
        (httpx.RemoteProtocolError("illegal status line"),
         (K.PROTOCOL, "What answers at h:1 does not speak HTTP: illegal status line.",
          "Check the port, and whether it wants https:// instead of http://.", None, True)),
        (httpx.ReadError("reset."), (K.CONNECT, "The connection to h:1 broke before an answer came: reset.", "Try again.", None, False)),
        (httpx.ReadError(""), (K.CONNECT, "The connection to h:1 broke before an answer came: ReadError.", "Try again.", None, False)),
    ],
)  # fmt: skip
def test_what_happened_and_what_to_do(error: Exception, expected: tuple[K, str, str, int | None, bool]) -> None:
    assert told(explain(error, host="h:1")) == expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (httpx.ProxyError("407."), (K.CONNECT, "The proxy p:2 refused: 407.", PROXY, None, True)),
        (caused(httpx.ConnectError("x"), ConnectionRefusedError(111, "no")), (K.CONNECT, "The proxy p:2 refused the connection.", PROXY, None, False)),
        (httpx.ConnectTimeout(""), (K.TIMEOUT, "No connection to the proxy p:2 within the time limit.", PROXY, None, False)),
        (httpx.RemoteProtocolError("odd"),
         (K.CONNECT, "The connection to h:1 through the proxy p:2 broke before an answer came: odd.", PROXY, None, False)),
        (caused(httpx.ConnectError("x"), ssl.SSLError(1, "odd")),
         (K.CONNECT, "No TLS connection to h:1: odd.", "Does this port speak plain http? Write http://.", None, True)),
    ],
)  # fmt: skip
def test_what_happened_behind_a_proxy(error: Exception, expected: tuple[K, str, str, int | None, bool]) -> None:
    assert told(explain(error, host="h:1", proxy="p:2")) == expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (explain(httpx.ReadError("reset"), host="h", proxy="p", received=0),
         (K.CUT_OFF, "The connection broke in the middle of the reply, after 0 bytes: reset.", f"{KEPT} Try again.", None, False)),
        (explain(httpx.DecodingError("bad."), received=7),
         (K.PROTOCOL, "The reply's compression is broken after 7 bytes: bad.", f"{KEPT} A proxy may have changed the reply.", None, False)),
        (timed_out("No answer came", 60.0, status=200),
         (K.TIMEOUT, "No answer came within 60 seconds.", "Try again, or raise the provider's time limit.", 200, False)),
        (too_large(MIB, 200),
         (K.PROTOCOL, "The reply is larger than 64 MiB; reading was stopped.",
          f"{KEPT} Check that this address is the API; ask for fewer tokens.", 200, True)),
        (other_host("http://x", 302),
         (K.PROTOCOL, "The server redirects to another place, http://x; nothing was sent there.",
          "If that is the right address, set it as base URL.", 302, True)),
        (no_model_list(203),
         (K.PROTOCOL, "The server's model list is not JSON.",
          "Check the base URL: this looks like a web site, not the API (is '/v1' missing?).", 203, False)),
        (redirect_loop(5, 307),
         (K.PROTOCOL, "The server redirects again and again (5 times).", "Check the base URL.", 307, True)),
    ],
)  # fmt: skip
def test_limits_and_replies_say_what_to_do(error: ErrorInfo, expected: tuple[K, str, str, int | None, bool]) -> None:
    assert told(error) == expected


def test_words_are_those_of_the_first_cause_that_has_any() -> None:
    assert words_of(caused(httpx.ReadError(""), OSError(errno.EPIPE, "Broken   pipe."))) == "Broken pipe"
    assert words_of(ValueError("x" * 400)) == "x" * 300
    assert words_of(ValueError("[Errno 9]")) == "ValueError"
    assert words_of(ValueError("[WinError -9] no [X509: ODD] luck [SSL] (_ssl.c:12)")) == "no luck"
    assert words_of(ValueError('line: bytearray(b"it\'s")')) == 'line: "it\'s"'
    outer = httpx.ReadError("")
    outer.__context__ = OSError("by the way")
    assert words_of(outer) == "by the way"

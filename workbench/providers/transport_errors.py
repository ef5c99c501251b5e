"""Failures below HTTP, told in the user's words: what happened, where, what to do next.

The HTTP library may be imported by one module only, so its exceptions are known here by their names.
"""

from __future__ import annotations

import errno
import re
import socket
import ssl
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import ErrorInfo, ErrorKind

if TYPE_CHECKING:
    from collections.abc import Iterator

_REFUSED = "Is the server running? Check host and port of the base URL."
_BYTES = re.compile(r"bytearray\(b('[^']*'|\"[^\"]*\")\)")
"""How the HTTP library quotes what it could not read."""
_NUMBERS = re.compile(r"\[(?:Errno|WinError) -?\d+\]|\[(?:SSL|X509)\b[^\]]*\]|\(_ssl\.c:\d+\)")
"""What Python puts around the words of the system and of TLS."""
_PROXY = "Requests go through a proxy here: check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY."
_UNREACHABLE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN})


def explain(error: BaseException, *, host: str = "", proxy: str = "", received: int | None = None) -> ErrorInfo:
    """Describe an exception of the transport; `received` counts body bytes, None before the response head.

    `proxy` is what stands between, if anything does.
    """
    names = {kind.__name__ for kind in type(error).__mro__}
    if received is not None:
        return _in_body(names, error, received)
    if "InvalidURL" in names or "UnsupportedProtocol" in names or isinstance(error, UnicodeError):
        return _bad_address(error)
    if "ProxyError" in names:
        text = f"The proxy {proxy} refused: {words_of(error)}." if proxy else f"The proxy refused: {words_of(error)}."
        return ErrorInfo(ErrorKind.CONNECT, text, hint=_PROXY, permanent=True)
    if proxy and names & {"ConnectError", "ConnectTimeout"} and not _is_tls(error):
        found = explain(error, host=f"the proxy {proxy}")
        return replace(found, message=found.message[:1].upper() + found.message[1:], hint=_PROXY)
    if "ConnectTimeout" in names:
        return ErrorInfo(ErrorKind.TIMEOUT, f"No connection to {host} within the time limit.", hint=_REFUSED)
    if "ConnectError" in names or isinstance(error, ssl.SSLError):
        return _no_connection(error, host)
    if "LocalProtocolError" in names:
        text = f"The request cannot be sent: {words_of(error)}."
        return ErrorInfo(ErrorKind.BAD_REQUEST, text, hint="Check the provider's extra headers.", permanent=True)
    if "RemoteProtocolError" in names and not proxy:
        return _no_http(error, host)
    between = f" through the proxy {proxy}" if proxy else ""
    text = f"The connection to {host}{between} broke before an answer came: {words_of(error)}."
    return ErrorInfo(ErrorKind.CONNECT, text, hint=_PROXY if proxy else "Try again.")


def _is_tls(error: BaseException) -> bool:
    return any(isinstance(cause, ssl.SSLError) for cause in _causes(error))


def timed_out(what: str, seconds: float, *, status: int | None = None) -> ErrorInfo:
    """Describe one of our own time limits."""
    text = f"{what} within {seconds:g} seconds."
    return ErrorInfo(ErrorKind.TIMEOUT, text, hint="Try again, or raise the provider's time limit.", status=status)


def too_large(limit: int, status: int | None) -> ErrorInfo:
    """Describe a reply that never ends."""
    text = f"The reply is larger than {limit // 2**20} MiB; reading was stopped."
    hint = "All that came is kept. Check that this address is the API; ask for fewer tokens."
    return ErrorInfo(ErrorKind.PROTOCOL, text, hint=hint, status=status, permanent=True)


def other_host(target: str, status: int) -> ErrorInfo:
    """Describe a redirect that would take the key elsewhere."""
    text = f"The server redirects to another place, {target}; nothing was sent there."
    hint = "If that is the right address, set it as base URL."
    return ErrorInfo(ErrorKind.PROTOCOL, text, hint=hint, status=status, permanent=True)


def no_model_list(status: int) -> ErrorInfo:
    """Describe something else where the model list should be."""
    hint = "Check the base URL: this looks like a web site, not the API (is '/v1' missing?)."
    return ErrorInfo(ErrorKind.PROTOCOL, "The server's model list is not JSON.", hint=hint, status=status)


def redirect_loop(hops: int, status: int | None) -> ErrorInfo:
    """Describe redirects without end."""
    text = f"The server redirects again and again ({hops} times)."
    return ErrorInfo(ErrorKind.PROTOCOL, text, hint="Check the base URL.", status=status, permanent=True)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception with all that stand behind it."""
    seen: set[int] = set()
    queue: list[BaseException | None] = [error]
    while queue:
        one = queue.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        queue += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):
            queue += one.exceptions


def words_of(error: BaseException) -> str:
    """Return what an exception says, or what stands behind it says, without the system's numbers, else its name."""
    said = (" ".join(_NUMBERS.sub("", str(cause)).split()).rstrip(".") for cause in _causes(error))
    found = next((words[:300] for words in said if words), type(error).__name__)
    return _BYTES.sub(r"\1", found)


def _bad_address(error: BaseException) -> ErrorInfo:
    hint = "Write http://HOST:PORT/v1."
    return ErrorInfo(ErrorKind.CONNECT, f"The address cannot be used: {words_of(error)}.", hint=hint, permanent=True)


def _no_connection(error: BaseException, host: str) -> ErrorInfo:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            text = (
                f"The certificate of {host} is not trusted: {getattr(cause, 'verify_message', '') or words_of(cause)}."
            )
            hint = "For an own certificate authority set SSL_CERT_FILE; check the host name."
            return ErrorInfo(ErrorKind.CONNECT, text, hint=hint, permanent=True)
        if isinstance(cause, ssl.SSLError):
            text = f"No TLS connection to {host}: {getattr(cause, 'reason', '') or words_of(cause)}."
            return ErrorInfo(
                ErrorKind.CONNECT, text, hint="Does this port speak plain http? Write http://.", permanent=True
            )
        if isinstance(cause, socket.gaierror):
            text = f"The host name {host!r} was not found ({words_of(cause)})."
            return ErrorInfo(ErrorKind.CONNECT, text, hint="Check the base URL's spelling and the network.")
        if isinstance(cause, ConnectionRefusedError):
            return ErrorInfo(ErrorKind.CONNECT, f"{host} refused the connection.", hint=_REFUSED)
        if isinstance(cause, OSError) and cause.errno in _UNREACHABLE:
            return ErrorInfo(
                ErrorKind.CONNECT, f"{host} cannot be reached: {words_of(cause)}.", hint="Check the network."
            )
    low = words_of(error).lower()
    if ("name" in low and "known" in low) or "getaddrinfo" in low or "resolution" in low:
        text = f"The host name {host!r} was not found."
        return ErrorInfo(ErrorKind.CONNECT, text, hint="Check the base URL's spelling and the network.")
    return ErrorInfo(ErrorKind.CONNECT, f"No connection to {host}: {words_of(error)}.", hint=_REFUSED)


def _no_http(error: BaseException, host: str) -> ErrorInfo:
    words = words_of(error)
    if "disconnected" in words.lower():
        text = f"{host} closed the connection without an answer."
        return ErrorInfo(ErrorKind.CONNECT, text, hint="See the server's log; is it the right port, and http or https?")
    text = f"What answers at {host} does not speak HTTP: {words}."
    hint = "Check the port, and whether it wants https:// instead of http://."
    return ErrorInfo(ErrorKind.PROTOCOL, text, hint=hint, permanent=True)


def _in_body(names: set[str], error: BaseException, received: int) -> ErrorInfo:
    if "DecodingError" in names:
        text = f"The reply's compression is broken after {received} bytes: {words_of(error)}."
        return ErrorInfo(ErrorKind.PROTOCOL, text, hint="All that came is kept. A proxy may have changed the reply.")
    text = f"The connection broke in the middle of the reply, after {received} bytes: {words_of(error)}."
    return ErrorInfo(ErrorKind.CUT_OFF, text, hint="All that came is kept. Try again.")

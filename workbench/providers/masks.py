"""Which characters are secret, and masks of the same length for them in text, bytes, headers and addresses.

A secret is also found as JSON text would escape it, percent-encoded, and in base64 at any alignment.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, AnyStr
from urllib.parse import quote, urlsplit, urlunsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from workbench.core.errors import ErrorInfo
    from workbench.core.exchange import Headers

SHORTEST = 6
"""Shorter secrets are masked in headers and addresses only: in a text they would hit ordinary words."""
_SURE = 4
"""Other spellings than the own one may begin with any letter: shorter beginnings of them do not count."""
PLACEHOLDERS = frozenset("empty none dummy nokey no-key ollama lm-studio not-needed sk-no-key-required".split())
"""Values that people put where a local server wants a key and checks none."""

_HEADERS = re.compile(r"authorization|api-?key|cookie|token(?!s)|secret|password|credential", re.IGNORECASE)
_HARMLESS = re.compile(r"ratelimit", re.IGNORECASE)
_QUERY = re.compile(
    r"((?:^|[?&;])(?:[\w.-]*(?:key|token|secret|password)|sig|signature|code)=)([^&#;]+)", re.IGNORECASE
)


class Secrets:
    """A set of secrets, ready to be looked for."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        own = {value.strip() for value in values}
        long = {value for value in own if len(value) >= SHORTEST and value.lower() not in PLACEHOLDERS}
        self.forms = tuple(
            sorted({form for value in long for form in _forms(value)}, key=lambda form: (-len(form), form))
        )
        """All spellings, longest first."""
        self.byte_forms = tuple(form.encode("utf-8", "surrogatepass") for form in self.forms)
        self._text = re.compile("|".join(map(re.escape, self.forms)) or r"(?!)")
        self._bytes = re.compile(b"|".join(map(re.escape, self.byte_forms)) or rb"(?!)")
        beginnings = {form[:size] for form in self.forms for size in range(1 if form in long else _SURE, len(form))}
        self._endings = _by_last(beginnings)
        whole = {value.encode("utf-8", "surrogatepass") for value in long}
        cuts = {form[:size] for form in self.byte_forms for size in range(1 if form in whole else _SURE, len(form))}
        self._byte_endings = _by_last(cuts)
        self.longest = max(map(len, self.byte_forms), default=0)

    def __bool__(self) -> bool:
        return bool(self.forms)

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the places of secrets in a text."""
        return self._text.finditer(text)

    def mask_text(self, text: str) -> str:
        """Return the text with stars for secrets."""
        return self._text.sub(lambda match: "*" * len(match[0]), text) if self.forms else text

    def mask_bytes(self, data: bytes) -> bytes:
        """Return the bytes with stars for secrets."""
        if not self.forms or not self._bytes.search(data):
            return data
        return self._bytes.sub(lambda match: b"*" * len(match[0]), data)

    def mask_error(self, error: ErrorInfo) -> ErrorInfo:
        """Return an error with stars for secrets in its words."""
        if not self.forms:
            return error
        message, where = self.mask_text(error.message), self.mask_text(error.where)
        return replace(
            error, message=message, where=where, code=self.mask_text(error.code), body=self.mask_text(error.body)
        )

    def mask_value(self, value: Any) -> Any:
        """Return a JSON value with stars for secrets in all its texts; one nested too deep is left out."""
        try:
            return self._mask_value(value)
        except RecursionError:
            return None

    def _mask_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.mask_text(value)
        if isinstance(value, list):
            return [self._mask_value(item) for item in value]
        if isinstance(value, dict):
            return {self.mask_text(str(key)): self._mask_value(item) for key, item in value.items()}
        return value

    def tail(self, text: str) -> int:
        """Return how many characters at the end could begin a secret."""
        found = self._endings.get(text[-1:], ())
        if not text.endswith(found):
            return 0
        return next(len(beginning) for beginning in found if text.endswith(beginning))

    def byte_tail(self, data: bytes) -> int:
        """Return how many bytes at the end could begin a secret."""
        found = self._byte_endings.get(data[-1:], ())
        if not data.endswith(found):
            return 0
        return next(len(beginning) for beginning in found if data.endswith(beginning))

    def mask_headers(self, headers: Headers) -> Headers:
        """Return headers with stars for everything that authorizes, and for secrets anywhere."""
        return tuple((name, _mask_header(name, self.mask_text(value))) for name, value in headers)

    def mask_url(self, url: str) -> str:
        """Return an address with stars for passwords, keys in the query, and secrets anywhere."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return self.mask_text(url)
        place = parts.netloc
        if "@" in place:
            user, _, host = place.rpartition("@")
            place = f"{'*' * len(user)}@{host}"
        query = _QUERY.sub(lambda match: match[1] + "*" * len(match[2]), parts.query)
        return self.mask_text(urlunsplit((parts.scheme, place, parts.path, query, parts.fragment)))


def _by_last(beginnings: Iterable[AnyStr]) -> dict[AnyStr, tuple[AnyStr, ...]]:
    """Sort beginnings of secrets by their last character, the longest first."""
    out: dict[AnyStr, list[AnyStr]] = {}
    for text in sorted(beginnings, key=len, reverse=True):
        out.setdefault(text[-1:], []).append(text)
    return {last: tuple(texts) for last, texts in out.items()}


def _mask_header(name: str, value: str) -> str:
    if not _HEADERS.search(name) or _HARMLESS.search(name):
        return value
    scheme, space, rest = value.partition(" ")
    if space and scheme.isalpha() and "cookie" not in name.lower():
        return f"{scheme} {'*' * len(rest)}"
    return "*" * len(value)


def _forms(secret: str) -> set[str]:
    """All spellings in which a secret may come back."""
    raw = secret.encode("utf-8", "surrogatepass")
    once = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    twice = {json.dumps(form)[1:-1] for form in once}
    forms = {secret, *once, *twice, quote(raw, safe=""), quote(raw)}
    for shift in range(3):
        code = base64.b64encode(b"\0" * shift + raw).decode().rstrip("=")
        start = (0, 2, 3)[shift]
        end = len(code) if (shift + len(raw)) % 3 == 0 else len(code) - 1
        inner = code[start:end]
        forms |= {inner, inner.replace("+", "-").replace("/", "_")}
    return {form for form in forms if len(form) >= SHORTEST}

"""The one mask for secrets: stars of the same length in text, bytes, headers, addresses and values, so that offsets hold.

Everything that is recorded, shown or written passes here: requests and replies at the client, events before they are committed,
crash reports, drafts, capability cards. `core.secret_spellings` says what counts as a secret's spelling; what a stream holds back
until it is sure is `providers.redact`'s business; which secrets there are, `settings.secrets`'.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from workbench.core.key_shapes import begun_key, find_keys
from workbench.core.secret_spellings import SpellingFinder, decided, spelling_finder
from workbench.core.secret_values import names_secret, query_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from workbench.core.errors import ErrorInfo
    from workbench.core.events import RunEvent
    from workbench.core.exchange import Headers
    from workbench.core.secret_spellings import Span

SHORTEST = 6
"""Shorter secrets are masked in headers and addresses only: in a text they would hit ordinary words."""
LONGEST_BEGINNING = 7
"""A beginning of a secret of so many characters may stand at the end of a text; a longer one is masked."""
PLACEHOLDERS = frozenset("empty none dummy nokey no-key ollama lm-studio not-needed sk-no-key-required".split())
"""Values that people put where a local server wants a key and checks none."""

Value = TypeVar("Value")


class Secrets:
    """A set of secrets, ready to be looked for."""

    def __init__(self, values: Iterable[str] = (), *, foreign: bool = False) -> None:
        """`foreign`: what looks like a key of others is masked as well, but for the sign of its kind."""
        self.foreign = foreign
        own = {value.strip() for value in values}
        self.values = frozenset(value for value in own if len(value) >= SHORTEST and value.lower() not in PLACEHOLDERS)
        self._text = spelling_finder(self.values)
        self._bytes = self._text if "".join(self.values).isascii() else spelling_finder(self.values, as_bytes=True)
        self.longest = self._bytes.longest
        """Bytes of the longest spelling without escapes."""

    def __bool__(self) -> bool:
        return bool(self.values) or self.foreign

    def scan(self, text: str) -> tuple[list[Span], int]:
        """Return the places of secrets in a text that may go on, and how many characters at its end could begin one."""
        return self._scan(text, self._text) if self.foreign else self._text.scan(text)

    def scan_bytes(self, data: bytes) -> tuple[list[Span], int]:
        """Return the same for bytes."""
        text = data.decode("latin-1")
        return self._scan(text, self._bytes) if self.foreign else self._bytes.scan(text)

    def _scan(self, text: str, finder: SpellingFinder) -> tuple[list[Span], int]:
        spans, keep = finder.scan(text)
        if self.foreign:
            begun = begun_key(text)
            found = [(key.secret, key.end) for key in find_keys(text) if key.end <= len(text) - begun]
            return decided(sorted([*spans, *found]), max(keep, begun), len(text))
        return spans, keep

    def find(self, text: str) -> list[Span]:
        """Return the places of secrets in a text that is complete, and of a long beginning of one at its end."""
        return self._find(text, self._text)

    def _find(self, text: str, finder: SpellingFinder) -> list[Span]:
        spans, keep = (finder.find(text), finder.tail(text)) if self.values else ([], 0)
        if keep > LONGEST_BEGINNING:
            spans.append((len(text) - keep, len(text)))
        if self.foreign:
            spans += [(key.secret, key.end) for key in find_keys(text)]
        return sorted(spans)

    def _masked(self, text: str, finder: SpellingFinder) -> str:
        spans = self._find(text, finder)
        return starred(text, spans) if spans else text

    def mask_text(self, text: str) -> str:
        """Return the text with stars for secrets, and for a long beginning of one at its end."""
        return self._masked(text, self._text) if self else text

    def mask_bytes(self, data: bytes) -> bytes:
        """Return the bytes with stars for the same."""
        if not self:
            return data
        text = data.decode("latin-1")
        masked = self._masked(text, self._bytes)
        return data if masked is text else masked.encode("latin-1")

    def mask_error(self, error: ErrorInfo) -> ErrorInfo:
        """Return an error with stars for secrets in its words."""
        return self.mask_value(error)

    def mask_event(self, event: RunEvent) -> RunEvent:
        """Return an event before it is recorded. Bytes and what was decoded from them were masked by the client."""
        from workbench.core.events import ChunkReceived  # commands that mask only what they print start without it

        return event if isinstance(event, ChunkReceived) else self.mask_value(event)

    def mask_value(self, value: Value) -> Value:
        """Return a JSON value or a core value with stars for secrets in all its texts; the same object where none is.

        A JSON value nested too deep to be looked through is left out (None).
        """
        if not self:
            return value
        try:
            masked: Value = _walk(value, self.mask_text)
        except RecursionError:
            return None  # type: ignore[return-value]
        return masked

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
        query = parts.query
        for value in filter(None, query_secrets(query)):
            query = query.replace(f"={value}", f"={'*' * len(value)}")
        return self.mask_text(urlunsplit((parts.scheme, place, parts.path, query, parts.fragment)))


def starred(text: str, spans: Iterable[Span]) -> str:
    """Return the text with stars at these places."""
    out: list[str] = []
    begin = 0
    for start, end in spans:
        start = max(start, begin)
        if start >= end:
            continue
        out += (text[begin:start], "*" * (end - start))
        begin = max(begin, end)
    return "".join((*out, text[begin:]))


def _mask_header(name: str, value: str) -> str:
    if not names_secret(name):
        return value
    scheme, space, rest = value.partition(" ")
    if space and scheme.isalpha() and "cookie" not in name.lower():
        return f"{scheme} {'*' * len(rest)}"
    return "*" * len(value)


def _walk(value: Any, mask: Callable[[str], str]) -> Any:
    """Mask all texts inside a value; what does not change is not copied."""
    if isinstance(value, str):
        return value if isinstance(value, Enum) else mask(value)
    if isinstance(value, dict):
        pairs = {_walk(key, mask): _walk(item, mask) for key, item in value.items()}
        return pairs if pairs != value else value
    if isinstance(value, tuple | list):
        items = [_walk(item, mask) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if is_dataclass(value) and not isinstance(value, type):
        return _walk_fields(value, mask)
    return value


def _walk_fields(value: Any, mask: Callable[[str], str]) -> Any:
    changed = {}
    for field in fields(value):
        old = getattr(value, field.name)
        new = _walk(old, mask)
        if new is not old and new != old:
            changed[field.name] = new
    return replace(value, **changed) if changed else value

"""Errors that the world causes. Each has a hint that tells the user what to do next.

    WorkbenchError
    ├── InvalidInput          the user's text, file or option is wrong        (exit code 2)
    │   └── UnknownName       a name that is not in a list we can show
    ├── SettingsError         the settings file cannot be read or does not fit (exit code 2)
    ├── MissingLibrary        a system or optional Python library is absent    (exit code 2)
    ├── SecretError           the key is missing or the keychain refuses       (exit code 2)
    ├── StoreError            the database cannot be opened, read or written   (exit code 2)
    ├── ProviderError         one exchange with a model failed                 (exit code 3)
    └── ToolError             a tool could not be executed

Anything else that is raised is a bug of ours and reaches the crash report, never an error card.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def with_hint(message: str, hint: str) -> str:
    """A message and what to do next as sentences of their own; a provider's words may lack the full stop."""
    message, hint = message.strip(), hint.strip()
    if not message or not hint:
        return message or hint
    return f"{message} {hint}" if message.endswith((".", "!", "?", "…", ":")) else f"{message}. {hint}"


def cause_of(error: BaseException) -> str:
    """What an error says; the system's without its number and its file's name, which stand in the sentence around it."""
    return str(getattr(error, "strerror", None) or error)


class WorkbenchError(Exception):
    """Something that a user can understand and act on."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return with_hint(self.message, self.hint)


class InvalidInput(WorkbenchError):
    """A text, file or option from the user that cannot be used as it is."""


class UnknownName(InvalidInput):
    """A name was given that is not one of a known list."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        close = get_close_matches(name, names, n=1)
        hint = f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(names) or 'none'}."
        super().__init__(f"There is no {kind} {name!r}.", hint=hint)


class SettingsError(WorkbenchError):
    """The settings file or an environment setting cannot be used."""


class MissingLibrary(WorkbenchError):
    """A system library or an optional Python package is not installed."""

    @classmethod
    def of_extra(cls, text: str, extra: str) -> MissingLibrary:
        """The error for a part that comes with an extra of the package, such as `gui` or `mcp`; it tells the line to type."""
        return cls(text, hint=f"Install it: pip install 'tool-calling-workbench[{extra}]'.")


class SecretError(WorkbenchError):
    """A key is needed and absent, or the keychain refused."""


class StoreError(WorkbenchError):
    """The database cannot be opened, read or written."""


class ToolError(WorkbenchError):
    """A tool could not be executed; the message goes back to the model."""


class Stopped(Exception):
    """Whoever asked for a long work does not want its result any more."""


class ErrorKind(StrEnum):
    """What went wrong in one exchange, coarse enough to act on."""

    CONNECT = "connect"
    """No connection: name not found, refused, TLS, proxy."""
    TIMEOUT = "timeout"
    """Connect, first byte or stall limit passed."""
    AUTH = "auth"
    """The key is missing, wrong or not allowed to do this."""
    NOT_FOUND = "not_found"
    """The address answers, but this path or model does not exist."""
    RATE_LIMIT = "rate_limit"
    """Too many requests; waiting helps."""
    QUOTA = "quota"
    """No balance or spend limit reached; waiting does not help."""
    BAD_REQUEST = "bad_request"
    """The provider refused the request as sent."""
    CONTEXT_LENGTH = "context_length"
    """The prompt is longer than the model can take."""
    CONTENT_FILTER = "content_filter"
    """The provider's filter blocked prompt or reply."""
    MODEL_OUTPUT = "model_output"
    """The provider could not read its own model's call (Groq tool_use_failed, llama.cpp peg)."""
    SERVER = "server"
    """Status 5xx, or overloaded."""
    PROTOCOL = "protocol"
    """The reply is not what the protocol promises: HTML, broken JSON, broken SSE."""
    CUT_OFF = "cut_off"
    """The stream ended before its end marker."""
    CANCELLED = "cancelled"
    """Stopped by the user or by the program's end."""
    INTERNAL = "internal"
    """A fault of the workbench itself."""


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """One failure as recorded and shown: what, where, what next."""

    kind: ErrorKind
    message: str
    """What happened, one sentence; provider's own words where it gave any."""
    where: str = ""
    """Method and address or place in the program, never with a secret."""
    hint: str = ""
    """What the user can do next."""
    status: int | None = None
    """HTTP status, if an answer came."""
    code: str = ""
    """The provider's own error code or type."""
    retry_after: float | None = None
    """Seconds that the provider asked us to wait."""
    body: str = ""
    """The provider's answer in full where nothing else records it, masked."""
    permanent: bool = False
    """Another try cannot cure it, whatever the kind: a bad address, a refused certificate, no HTTP at all."""


class ProviderError(WorkbenchError):
    """One exchange with a model failed; `info` is what is recorded and shown."""

    exit_code = 3

    def __init__(self, info: ErrorInfo) -> None:
        super().__init__(info.message, hint=info.hint)
        self.info = info

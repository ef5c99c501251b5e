"""How a client treats one provider: time limits, retries, how much at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """All limits of a client, in seconds where nothing else is said."""

    connect: float = 15.0
    """Until the connection stands."""
    first_byte: float = 300.0
    """From the request to the first byte of the reply's body: reasoning models think long in silence."""
    stall: float = 120.0
    """Silence within a reply."""
    total: float = 1800.0
    """One try as a whole."""
    after_end: float = 0.5
    """Wait for the server to close once the end marker came."""
    after_finish: float = 5.0
    """Wait for counts and end marker once the finish reason came: some servers send neither, nor do they close."""
    max_bytes: int = 64 * 2**20
    """Largest reply that is read."""
    retries: int = 2
    """Further tries after a failure that another try may cure."""
    max_concurrency: int = 8
    """Requests at the same time."""
    redirects: int = 5
    """Redirects that are followed, within the same host only."""
    mask_foreign_keys: bool = False
    """What looks like a key of others is masked before it is recorded."""

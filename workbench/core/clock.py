"""Time and identity: microseconds since the epoch, monotonic offsets, and UUIDv7 run ids."""

from __future__ import annotations

import os
import time
import uuid


class Clock:
    """The real clock. Tests hand in another one with the same two methods."""

    def now_us(self) -> int:
        """UTC microseconds since the epoch."""
        return time.time_ns() // 1000

    def tick_us(self) -> int:
        """Monotonic microseconds from an arbitrary start; only differences mean anything."""
        return time.perf_counter_ns() // 1000


def new_id(now_us: int | None = None) -> str:
    """Return a UUIDv7 (RFC 9562): sorts by time, so that pages of history can be read by key."""
    stamp = (Clock().now_us() if now_us is None else now_us) // 1000
    value = (stamp & (1 << 48) - 1) << 80 | 0x7 << 76 | 0b10 << 62
    noise = int.from_bytes(os.urandom(10), "big")
    value |= (noise >> 68 & 0xFFF) << 64 | noise & (1 << 62) - 1
    return str(uuid.UUID(int=value))

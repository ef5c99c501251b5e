"""What threads ask glibc for comes from a few heaps that all share.

By itself it gives each of up to eight threads a core a heap of its own, and each keeps what its thread once needed: a
window in which a dozen threads read, search and write in turn held twice the memory that it used. Python's threads seldom
allocate at the same moment, so little is gained by heaps apart.
"""

from __future__ import annotations

import sys

HEAPS = 2
_ARENA_MAX = -8
"""`M_ARENA_MAX` in glibc's malloc.h."""


def share_heaps() -> None:
    """Bound the heaps of threads that begin after this; nothing happens where the C library knows no such bound."""
    if sys.platform != "linux":
        return
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_ARENA_MAX, HEAPS)

"""This process in another time zone for the length of a block."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def local_time(zone: str) -> Iterator[None]:
    """Make a POSIX zone such as `XXX-13` (13 hours ahead of UTC) the local one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        yield
    time.tzset()

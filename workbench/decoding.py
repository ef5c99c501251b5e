"""The one maker of decoders from JSON to typed values: one at a time, whatever the thread.

msgspec notes what it learns of a class on the class itself, and does so before it has learnt all of it. A second thread that
meets such a class reads what is not there yet, and the process ends without a word. What is made already may be used by all.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

_ORDER = threading.RLock()
T = TypeVar("T")


def decoder_of(shape: type[T]) -> msgspec.json.Decoder[T]:
    """Return the decoder of a type, made at its first use."""
    with _ORDER:  # the cache alone lets two threads make the same
        return _made(cast("Any", shape))


@cache
def _made(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


def convert(value: Any, shape: type[T]) -> T:
    """Fit plain values to a type; raise msgspec.ValidationError."""
    decoder_of(shape)
    return msgspec.convert(value, shape)

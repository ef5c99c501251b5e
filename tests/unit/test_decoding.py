"""Decoders are made one at a time: msgspec ends the process where two threads learn the same class at once."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import msgspec
import pytest

from tests.kit.tree import ROOT
from workbench import decoding
from workbench.decoding import convert, decoder_of

THREADS = 8
READ_AT_ONCE = """
import sys, threading
sys.setswitchinterval(1e-5)
from tests.kit import runs
from workbench.store import codec
stored = [codec.encode_event(event) for event in runs.make_run("x") if type(event).__name__ != "ChunkReceived"]
together = threading.Barrier(8)
def read():
    together.wait()
    for kind, body in stored:
        assert codec.decode_event(kind, body) is not None
readers = [threading.Thread(target=read) for _ in range(8)]
for reader in readers: reader.start()
for reader in readers: reader.join()
"""


@dataclass(frozen=True)
class _Inner:
    a: int


@dataclass(frozen=True)
class _Outer:
    inner: _Inner
    more: tuple[_Inner, ...] = ()


def test_a_type_has_one_decoder_which_reads_it() -> None:
    assert decoder_of(_Outer) is decoder_of(_Outer)
    assert decoder_of(_Outer).decode('{"inner": {"a": 1}, "more": [{"a": 2}]}') == _Outer(_Inner(1), (_Inner(2),))
    assert convert({"inner": {"a": 3}}, _Outer) == _Outer(_Inner(3))
    with pytest.raises(msgspec.ValidationError):
        convert({"inner": {}}, _Outer)


def test_no_two_decoders_are_made_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work, most, made = threading.Semaphore(0), [], list[object]()

    def slow(shape: object) -> object:
        made.append(shape)
        at_work.release()
        time.sleep(0.001)
        most.append(at_work._value)
        at_work.acquire()
        return shape

    monkeypatch.setattr(decoding, "_made", slow)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(decoder_of, range(THREADS * 4)))
    assert len(made) == THREADS * 4
    assert max(most) == 1


def test_threads_that_read_a_history_first_do_not_end_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", READ_AT_ONCE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

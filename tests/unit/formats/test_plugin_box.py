"""Other people's code in its box: whatever it sets, the program's own output, way out and memory are as before."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.kit.waiting import LIMIT_S
from workbench.formats import plugin_box
from workbench.formats.plugin_box import called_in_box, read_in_box


def test_calls_in_two_threads_leave_output_and_way_out_as_they_were() -> None:
    out, leave = sys.stdout, os._exit
    entered, done = threading.Event(), threading.Event()

    def first() -> None:
        with called_in_box():
            entered.set()
            done.wait(0.2)

    def second() -> None:
        entered.wait(LIMIT_S)
        with called_in_box():
            print("nobody sees it")

    threads = [threading.Thread(target=work) for work in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_S)
    assert (sys.stdout, os._exit) == (out, leave)


def test_what_is_printed_and_how_it_ends_stays_inside() -> None:
    with read_in_box() as said:
        print("through Python")
        os.write(1, b"past it")
    assert said.getvalue() == "through Python\npast it"
    with pytest.raises(SystemExit), called_in_box():
        os._exit(3)


def test_a_call_within_the_reading_does_not_wait_for_itself() -> None:
    with read_in_box(), called_in_box():
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="the system has to keep it")
def test_a_later_call_takes_no_more_memory_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_box, "MEMORY", 64 << 20)
    with pytest.raises(MemoryError), called_in_box():
        bytearray(1 << 30)
    assert len(bytearray(128 << 20)) == 128 << 20


def test_what_was_set_for_the_process_is_set_back() -> None:
    """In a process of its own, so that a fault here spoils no other test."""
    script = """
import builtins, json, os, signal, sys
from workbench.formats.plugin_box import read_in_box
os.umask(0o27)
before = (os.getcwd(), dict(os.environ), open, sys.getrecursionlimit(), sys.modules["json"], sys.excepthook)
with read_in_box():
    os.chdir("/"); os.umask(0); os.environ.clear(); os.environ["NEW"] = "1"
    builtins.open = None; sys.setrecursionlimit(10**6); sys.modules["json"] = None; sys.excepthook = None
    if hasattr(signal, "alarm"): signal.alarm(1000)
assert before == (os.getcwd(), dict(os.environ), open, sys.getrecursionlimit(), sys.modules["json"], sys.excepthook)
assert not hasattr(signal, "alarm") or not signal.alarm(0)
assert os.umask(0o22) == 0o27
"""
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert done.returncode == 0, done.stderr
    assert builtins.open is open


def test_streams_that_are_closed_and_hooks_that_are_set_are_no_loss() -> None:
    hooks, given = (sys.excepthook, threading.excepthook), sys.stdin
    with read_in_box() as said:
        print("before")
        sys.stdout.close()
        sys.stdin.close()
        threading.excepthook = None  # type: ignore[assignment]
        sys.excepthook = None  # type: ignore[assignment]
        print("behind")
    assert said.getvalue() == "before\nbehind\n"
    assert ((sys.excepthook, threading.excepthook), sys.stdin) == (hooks, given)
    assert not given.closed

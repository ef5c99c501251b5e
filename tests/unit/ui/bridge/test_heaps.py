"""Threads share a few heaps of the C library."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.ui.bridge.heaps import HEAPS

PROGRAM = """
import ctypes, sys, threading
from workbench.ui.bridge.heaps import share_heaps

if sys.argv[1] == "shared":
    share_heaps()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
libc.fopen.restype, libc.malloc_info.argtypes, libc.fclose.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p], [ctypes.c_void_p]
begin = threading.Barrier(12)

def work():
    begin.wait()
    for _ in range(200):
        libc.malloc(5000)
    begin.wait()  # none ends before all have what they asked for

threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
file = libc.fopen(sys.argv[2].encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
"""


def heaps(how: str, folder: Path) -> int:
    told = folder / f"{how}.xml"
    subprocess.run([sys.executable, "-c", PROGRAM, how, str(told)], check=True, timeout=120)
    return told.read_text().count("<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives threads heaps of their own")
def test_a_dozen_threads_share_the_heaps(tmp_path: Path) -> None:
    assert heaps("apart", tmp_path) > HEAPS
    assert heaps("shared", tmp_path) <= HEAPS

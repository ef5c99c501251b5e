"""A worker of the test run that dies: its test has failed, and everything else is run once."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.kit.tree import ROOT
from tests.kit.waiting import LIMIT_S

if TYPE_CHECKING:
    from pathlib import Path

FILE = """
import os, time
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range(4))
def test_it(number):
    with Path({told!r}).open("a") as told:
        told.write(f"{name} {{number}}\\n")
    time.sleep(0.05)
    if ("{name}", number) == ("c", 2):
        os._exit(11)
"""


def test_the_others_take_over_what_is_left(tmp_path: Path) -> None:
    told = tmp_path / "told.txt"
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_xdist_make_scheduler\n")
    for name in "abcdefgh":
        (tmp_path / f"test_{name}.py").write_text(FILE.format(told=str(told), name=name))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "loadfile",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    command += ["-p", "no:cacheprovider", "-c", str(tmp_path / "none.ini")]
    (tmp_path / "none.ini").write_text("[pytest]\n")
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert re.search(r"1 failed, 31 passed", done.stdout), done.stdout + done.stderr
    assert "crashed while running 'test_c.py::test_it[2]'" in done.stdout
    assert sorted(told.read_text().splitlines()) == sorted(
        f"{name} {number}" for name in "abcdefgh" for number in range(4)
    )

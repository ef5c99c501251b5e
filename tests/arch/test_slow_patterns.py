"""No regular expression of the package takes exponential time for a text that a model could write."""

from __future__ import annotations

import subprocess
import sys

from tests.kit.tree import ROOT


def test_no_expression_takes_exponential_time() -> None:
    script = [sys.executable, "tests/fuzz/patterns.py", "--tries", "60", "--seed", "2"]
    found = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    assert int(found.stdout.split()[0]) > 500, "the package's expressions were not seen"

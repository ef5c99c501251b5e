"""The layers of the package hold: the contracts of pyproject.toml."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.kit.tree import ROOT


def test_import_contracts_are_kept() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " 0 broken" in done.stdout

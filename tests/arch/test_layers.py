"""The layers of the package hold: the contracts of pyproject.toml."""

from __future__ import annotations

import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

from tests.kit.tree import ROOT


def test_import_contracts_are_kept() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " 0 broken" in done.stdout


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions and for type checking count: who reads one module need not have read the other."""
    graph = grimp.build_graph("workbench", cache_dir=None)
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()

"""The package gives its names out without loading them before."""

from __future__ import annotations

import subprocess
import sys

import pytest

import workbench.app


def test_names_are_loaded_when_they_are_used() -> None:
    code = (
        "import sys, workbench.app.data_folder as part\n"
        "assert 'workbench.app.workbench' not in sys.modules\n"
        "from workbench.app import Workbench\n"
        "assert 'workbench.app.workbench' in sys.modules\n"
        "assert issubclass(Workbench, part.DataFolder)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_other_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match="'Nothing'"):
        _ = workbench.app.Nothing

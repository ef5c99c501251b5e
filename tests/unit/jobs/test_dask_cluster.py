"""What can be told without a cluster; `tests/e2e/test_dask.py` has a real scheduler with two workers."""

from __future__ import annotations

import sys

import pytest

from tests.kit.llama_server import free_port
from workbench.core.errors import InvalidInput, MissingLibrary
from workbench.jobs import dask_cluster
from workbench.jobs.dask_cluster import DaskCluster


def test_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingLibrary, match=r"tool-calling-workbench\[dask\]"):
        DaskCluster("tcp://127.0.0.1:1")


def test_silent_scheduler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "WAIT_S", 0.2)
    with pytest.raises(InvalidInput, match="No Dask scheduler answers"):
        DaskCluster(f"tcp://127.0.0.1:{free_port()}")

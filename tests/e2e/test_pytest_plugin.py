"""A test of somebody's program over the gateway: its run carries the test's name, and its calls are checked."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import httpx

from tests.kit.gateway import TOKEN, in_gateway
from tests.kit.tree import ROOT
from tests.kit.waiting import LIMIT_S
from workbench.app import Workbench
from workbench.core.run_summary import summarize
from workbench.gateway.gateway import Gateway

TEST = """
from openai import OpenAI
from workbench.pytest_plugin import assert_calls, request_of, workbench_cases

@workbench_cases("demo")
def test_model(case, workbench_run):
    client = OpenAI(base_url=workbench_run.base_url, api_key=workbench_run.api_key, default_headers=workbench_run.headers)
    request = request_of(case)
    extra = {"simulate": {"rates": {"*": 0}, "tokens_per_second": 0}}
    assert_calls(client.chat.completions.create(model="m", extra_body=extra, **request), case)
"""


def test_run_at_the_gateway_is_named_after_the_test(home: Path, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TEST)

    async def body(gateway: Gateway, wb: Workbench, _: httpx.AsyncClient) -> None:
        environment = {
            "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "WORKBENCH_GATEWAY": gateway.url, "WORKBENCH_GATEWAY_TOKEN": TOKEN, "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        command = [sys.executable, "-m", "pytest", "-q", "-p", "workbench.pytest_plugin", "-p", "no:cacheprovider",
                   "-k", "01-weather or 02-read", "."]  # fmt: skip
        process = await asyncio.create_subprocess_exec(
            *command, cwd=tmp_path, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        async with asyncio.timeout(LIMIT_S):
            out, _ = await process.communicate()
        assert b"2 passed" in out, out.decode()
        names = []
        for row in wb.store.list_runs("origin:gateway"):
            started = summarize(wb.store.load(row.id).events).started
            assert started is not None
            assert started.client is not None
            names.append(started.client.name)
        assert sorted(names) == ["test_it.py::test_model[01-weather]", "test_it.py::test_model[02-read-file]"]

    in_gateway(home, body)

from __future__ import annotations

import pytest

from workbench.gateway.client_identity import NAME_HEADER as GATEWAYS
from workbench.gateway.gateway import PORT
from workbench.pytest_plugin.named_run import NAME_HEADER, named_run


def test_headers_and_environment_carry_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORKBENCH_GATEWAY_TOKEN", raising=False)
    run = named_run("tests/test_x.py::test_a[é]", "http://127.0.0.1:9/v1/")
    assert run.headers == {NAME_HEADER: "tests/test_x.py::test_a[?]"}
    assert (run.base_url, run.address, run.api_key) == ("http://127.0.0.1:9/v1", "http://127.0.0.1:9", "workbench")
    assert run.environment["ANTHROPIC_CUSTOM_HEADERS"] == "x-workbench-run: tests/test_x.py::test_a[?]"
    assert len(named_run("x" * 500 + "::end").name) == 200
    assert named_run("x" * 500 + "::end").name.endswith("::end")


def test_address_and_token_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_GATEWAY", "http://127.0.0.1:9999")
    monkeypatch.setenv("WORKBENCH_GATEWAY_TOKEN", "wb-1")
    run = named_run("t")
    assert (run.address, run.api_key) == ("http://127.0.0.1:9999", "wb-1")
    monkeypatch.delenv("WORKBENCH_GATEWAY")
    assert named_run("t").address == f"http://127.0.0.1:{PORT}"


def test_header_is_the_one_that_the_gateway_reads() -> None:
    assert NAME_HEADER == GATEWAYS

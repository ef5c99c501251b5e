"""`workbench run`: options to an order."""

from __future__ import annotations

import io
import json

import pytest

from tests.kit.history import Terminal
from workbench.cli import run_jobs
from workbench.cli.run_order import EndpointOptions, RunOrder


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[RunOrder]:
    orders: list[RunOrder] = []
    monkeypatch.setattr(run_jobs, "perform", lambda order: orders.append(order) or 0)
    return orders


def test_everything_reaches_the_order(seen: list[RunOrder], capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(capsys)(
        "run", "--model", "m", "--provider", "P", "--format", "react", "--boost", "b", "--tools", "t.json",
        "--tool-mode", "record", "--tool-choice", "required", "--system", "s", "--policy", "strict", "--seed", "1",
        "--temperature", "0.5", "--top-p", "0.9", "--max-tokens", "5", "--iterations", "2", "--extra", "{}", "--no-stream",
        "--max-calls", "3", "--max-seconds", "1.5", "--max-run-tokens", "900", "--max-run-cost", "0.5",
        "--repeat", "4", "--parallel", "2", "--title", "T", "--json", "--check", "-q",
        "--base-url", "http://x/v1", "--key-env", "K", "--wire", "w", "hello",
    )  # fmt: skip
    (order,) = seen
    assert [(message.role, message.text) for message in order.cases[0].messages] == [("system", "s"), ("user", "hello")]
    assert order.endpoint == EndpointOptions("http://x/v1", "K", "w")
    assert (order.tools, order.tool_mode, order.tool_choice) == ("t.json", "record", "required")
    assert (order.repeat, order.parallel, order.title, order.output, order.check, order.quiet) == (
        4,
        2,
        "T",
        "json",
        True,
        True,
    )
    options = order.options
    assert (options.provider, options.model, options.format, options.boost) == ("P", "m", "react", "b")
    assert (options.policy, options.temperature, options.top_p, options.max_tokens) == ("strict", 0.5, 0.9, 5)
    assert options.bounds == (3, 1.5, 900, 0.5)
    assert (options.seed, options.iterations, options.extra, options.no_stream) == (1, 2, "{}", True)


def test_a_prompt_from_standard_input(
    seen: list[RunOrder], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("from a pipe"))
    Terminal(capsys)("run", "-")
    assert seen[0].cases[0].messages[-1].text == "from a pipe"


def test_a_batch_instead_of_a_prompt(seen: list[RunOrder], capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    batch = tmp_path / "b.jsonl"
    batch.write_text(json.dumps({"id": "a", "prompt": "one"}))
    terminal = Terminal(capsys)
    terminal("run", "--batch", str(batch))
    assert [case.id for case in seen[0].cases] == ["a"]
    terminal("run", "--batch", str(batch), "and a prompt", code=2)
    assert "exclude" in terminal.err
    terminal("run", code=2)
    assert "empty" in terminal.err


def test_events_mean_quiet(seen: list[RunOrder], capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(capsys)("run", "--events", "x")
    assert (seen[0].output, seen[0].quiet) == ("events", True)


def test_the_code_of_the_order_is_the_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_jobs, "perform", lambda order: 3)
    Terminal(capsys)("run", "x", code=3)

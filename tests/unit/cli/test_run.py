"""`workbench run`: options to a plan."""

from __future__ import annotations

import io
import json

import pytest

from tests.kit.history import Terminal
from workbench.cli import running
from workbench.cli.jobs import Endpoint, Plan


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    plans: list[Plan] = []
    monkeypatch.setattr(running, "perform", lambda plan: plans.append(plan) or 0)
    return plans


def test_everything_reaches_the_plan(seen: list[Plan], capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(capsys)(
        "run", "--model", "m", "--provider", "P", "--format", "react", "--boost", "b", "--tools", "t.json",
        "--tool-mode", "record", "--tool-choice", "required", "--system", "s", "--policy", "strict", "--seed", "1",
        "--temperature", "0.5", "--top-p", "0.9", "--max-tokens", "5", "--iterations", "2", "--extra", "{}", "--no-stream",
        "--repeat", "4", "--parallel", "2", "--title", "T", "--json", "--check", "-q",
        "--base-url", "http://x/v1", "--key-env", "K", "--wire", "w", "hello",
    )  # fmt: skip
    (plan,) = seen
    assert [(message.role, message.text) for message in plan.cases[0].messages] == [("system", "s"), ("user", "hello")]
    assert plan.endpoint == Endpoint("http://x/v1", "K", "w")
    assert (plan.tools, plan.tool_mode, plan.tool_choice) == ("t.json", "record", "required")
    assert (plan.repeat, plan.parallel, plan.title, plan.output, plan.check, plan.quiet) == (
        4,
        2,
        "T",
        "json",
        True,
        True,
    )
    options = plan.options
    assert (options.provider, options.model, options.format, options.boost) == ("P", "m", "react", "b")
    assert (options.policy, options.temperature, options.top_p, options.max_tokens) == ("strict", 0.5, 0.9, 5)
    assert (options.seed, options.iterations, options.extra, options.no_stream) == (1, 2, "{}", True)


def test_a_prompt_from_standard_input(
    seen: list[Plan], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("from a pipe"))
    Terminal(capsys)("run", "-")
    assert seen[0].cases[0].messages[-1].text == "from a pipe"


def test_a_batch_instead_of_a_prompt(seen: list[Plan], capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    batch = tmp_path / "b.jsonl"
    batch.write_text(json.dumps({"id": "a", "prompt": "one"}))
    terminal = Terminal(capsys)
    terminal("run", "--batch", str(batch))
    assert [case.id for case in seen[0].cases] == ["a"]
    terminal("run", "--batch", str(batch), "and a prompt", code=2)
    assert "exclude" in terminal.err
    terminal("run", code=2)
    assert "empty" in terminal.err


def test_events_mean_quiet(seen: list[Plan], capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(capsys)("run", "--events", "x")
    assert (seen[0].output, seen[0].quiet) == ("events", True)


def test_the_code_of_the_plan_is_the_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(running, "perform", lambda plan: 3)
    Terminal(capsys)("run", "x", code=3)

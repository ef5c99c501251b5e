"""From options to runs: defaults, endpoints of the command line, exit codes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.app import Workbench
from workbench.cli import run_jobs
from workbench.cli.inputs import PromptCase, prompt_case
from workbench.cli.options import TargetOptions
from workbench.cli.run_jobs import default_model, perform, use_endpoint
from workbench.cli.run_order import EndpointOptions, RunOrder
from workbench.core.errors import InvalidInput, SecretError, UnknownName
from workbench.core.events import RunStarted
from workbench.core.target import ModelRef
from workbench.settings.config import ProviderConfig
from workbench.store import Store

FAST = '{"simulate": {"tokens_per_second": 0, "first_token_s": 0, "rates": {"*": 0}}}'


def inside(look: Callable[[Workbench], Any]) -> Any:
    """Open the workbench and look at it."""

    async def opened() -> Any:
        async with Workbench.open() as wb:
            return look(wb)

    return asyncio.run(opened())


def order(*cases: PromptCase, **values: Any) -> RunOrder:
    options = TargetOptions(extra=FAST, **values.pop("options", {}))
    return RunOrder(cases or (prompt_case("Hello"),), options, quiet=True, **values)


def started() -> list[RunStarted]:
    """How the recorded runs began, oldest first."""

    def look(wb: Workbench) -> list[RunStarted]:
        store: Store = wb.store
        runs = [store.load(row.number) for row in reversed(store.list_runs())]
        return [event for run in runs for event in run.events if isinstance(event, RunStarted)]

    return inside(look)  # type: ignore[no-any-return]


def test_without_any_provider_the_simulator_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert perform(order()) == 0
    (begun,) = started()
    assert begun.executor.simulated
    assert begun.origin == "cli"
    assert "simulated" in capsys.readouterr().out


def test_a_providers_default_model() -> None:
    def look(wb: Workbench) -> None:
        wb.save(
            wb.saved_settings.with_provider(ProviderConfig("Mine", base_url="http://127.0.0.1:1/v1", default_model="m"))
        )
        assert default_model(wb, "mine") == "m"
        assert default_model(wb, "Simulator") == "qwen-hasty"
        with pytest.raises(UnknownName):
            default_model(wb, "Other")

    inside(look)


def test_an_endpoint_of_the_command_line_is_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD_KEY", "secret-value-1")

    def look(wb: Workbench) -> None:
        use_endpoint(wb, EndpointOptions("http://127.0.0.1:1/v1", "ODD_KEY"))
        assert wb.settings.provider("endpoint").key == "env:ODD_KEY"
        assert wb.saved_settings.providers == ()
        with pytest.raises(SecretError, match="NO_KEY"):
            use_endpoint(wb, EndpointOptions("http://127.0.0.1:1/v1", "NO_KEY"))
        with pytest.raises(UnknownName, match="smoke"):
            use_endpoint(wb, EndpointOptions("http://127.0.0.1:1/v1", wire="smoke"))

    inside(look)


def test_boost_from_environment_and_boost_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"BASE_URL": "http://127.0.0.1:1/v1", "API_KEY": "secret-value-2", "MODEL": "big"}.items():
        monkeypatch.setenv(f"BOOST_{name}", value)
    monkeypatch.setenv("ENABLE_BOOST_SUPPORT", "BIG_MODEL")

    def look(wb: Workbench) -> None:
        taken = run_jobs._with_defaults(wb, TargetOptions(model="qwen-hasty"))
        assert taken.resolve().planner == ModelRef("Boost", "big")
        left = run_jobs._with_defaults(wb, TargetOptions(model="qwen-hasty", boost="none"))
        assert left.resolve().planner is None

    inside(look)


def test_a_rows_own_target_takes_the_parameters_of_the_command() -> None:
    case = PromptCase("a", prompt_case("Hello").messages, "model=qwen-hasty,format=react,seed=1")
    assert perform(order(case, options={"seed": 7, "policy": "strict", "model": "mistral-steady"})) == 0
    (begun,) = started()
    assert (begun.target.executor.model, begun.target.format) == ("qwen-hasty", "react")
    assert (begun.target.sampling.seed, begun.target.policy.value) == (7, "strict")
    assert begun.target.sampling.extra["simulate"]["tokens_per_second"] == 0


def test_a_choice_needs_tools() -> None:
    with pytest.raises(InvalidInput, match="--tool-choice"):
        perform(order(tool_choice="required"))


def test_all_targets_are_resolved_before_anything_runs() -> None:
    good, bad = (
        prompt_case("Hello", case_id="a"),
        PromptCase("b", prompt_case("Hello").messages, "provider=Nowhere,model=m"),
    )
    with pytest.raises(UnknownName, match="Nowhere"):
        perform(order(good, bad))
    assert started() == []


def test_an_unknown_tool_mode_is_refused_with_tools_or_without(tmp_path) -> None:
    tools = tmp_path / "t.json"
    tools.write_text('[{"name": "f"}]')
    for given in (str(tools), ""):
        with pytest.raises(UnknownName, match="sideways"):
            perform(order(tools=given, tool_mode="sideways"))


def test_built_in_tools_are_run_in_the_workspace(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "work").mkdir()
    case = prompt_case('Please write the file "notes.md" with the content "hello".')
    given = {"tools": "builtin", "tool_mode": "run", "workspace": str(tmp_path / "work"), "output": "json"}
    assert perform(order(case, options={"model": "qwen-hasty", "seed": 1}, **given)) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["success"], result
    assert list((tmp_path / "work").iterdir())


def test_the_mode_that_is_asked_for_holds_for_built_in_tools(capsys: pytest.CaptureFixture[str]) -> None:
    case = prompt_case('Please write the file "notes.md" with the content "hello".')
    given = {"tools": "builtin", "output": "json"}
    for mode, by in (("mock", []), ("", ["nobody"])):
        perform(order(case, options={"model": "qwen-hasty", "seed": 1}, tool_mode=mode, **given))
        found = json.loads(capsys.readouterr().out)
        assert [one["by"] for one in found["approvals"]] == by, mode
        assert found["results"][0]["success"] is (mode == "mock")


def test_ask_mode_is_refused_without_a_terminal(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "work").mkdir()
    case = prompt_case('Please write the file "notes.md" with the content "hello".')
    given = {"tools": "builtin", "tool_mode": "ask", "workspace": str(tmp_path / "work"), "output": "json"}
    perform(order(case, options={"model": "qwen-hasty", "seed": 1}, **given))
    found = json.loads(capsys.readouterr().out)
    assert "nobody could be asked" in found["results"][0]["error"]
    assert found["approvals"][0]["by"] == "nobody"
    assert not list((tmp_path / "work").iterdir())


def test_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert perform(order(options={"model": "qwen-hasty+500"}, output="json")) == 3
    assert perform(order(check=True)) == 1  # nothing about tools to judge is no pass
    assert perform(order(repeat=3, parallel=2)) == 0
    assert capsys.readouterr().out


def test_tier_name_runs_the_tier_model(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Requirement B8: only the big tier is boosted; a provider that is named keeps its model."""
    home.mkdir()
    (home / "settings.toml").write_text(
        '[boost]\nprovider = "Simulator"\nmodel = "plain"\ntiers = ["BIG_MODEL"]\nspeed = 3\n'
        '[tiers]\nbig = "Simulator/mistral-steady"\nsmall = "Simulator/qwen-hasty"\n'
    )
    for name in ("claude-opus-4", "claude-haiku-4"):
        assert perform(order(options={"model": name, "boost_loops": 2})) == 0
    big, small = started()
    assert (big.target.executor.model, small.target.executor.model) == ("mistral-steady", "qwen-hasty")
    assert (big.target.planner, small.target.planner) == (ModelRef("Simulator", "plain"), None)
    assert big.target.limits.boost_loops == 2
    assert capsys.readouterr().err.count("The setting boost.speed is not known") == 2, "once a start"


def test_provider_and_model_may_be_one_word() -> None:
    def look(wb: Workbench) -> list[str]:
        wb.use(ProviderConfig("Work", base_url="http://127.0.0.1:9", key="none"))
        found = [run_jobs._with_defaults(wb, TargetOptions(model=name)) for name in ("Work/a/b", "other/a", "plain")]
        return [f"{one.provider} {one.model}" for one in found]

    assert inside(look) == ["Work a/b", "Simulator other/a", "Simulator plain"]

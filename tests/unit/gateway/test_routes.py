from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import with_workbench
from workbench.app import Workbench
from workbench.core.errors import InvalidInput, UnknownName, WorkbenchError
from workbench.core.target import ModelRef
from workbench.gateway.routes import FIRST_MODEL, Routes, Way, read_route, read_target
from workbench.settings.values import ProviderConfig, RouteSettings


@pytest.mark.parametrize(
    ("pattern", "model", "fits"),
    [("*haiku*", "claude-haiku-4-5", True), ("*", "x", True), ("gpt-?", "GPT-5", True), ("gpt-?", "gpt-55", False),
     ("a.b", "axb", False)],
)  # fmt: skip
def test_patterns(pattern: str, model: str, fits: bool) -> None:
    assert read_route(f"{pattern}=P/m").fits(model) is fits


def test_a_target_in_both_forms() -> None:
    assert read_target("Work/org/big").executor == ModelRef("Work", "org/big")
    found = read_route("*=provider=Work,model=m,format=react,boost=P/x").target
    assert (found.executor, found.format, found.planner) == (ModelRef("Work", "m"), "react", ModelRef("P", "x"))


@pytest.mark.parametrize("text", ["", "x", "=P/m", "x=", "x=alone", "x=/m"])
def test_invalid_route_is_named(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not"):
        read_route(text)


def chosen(home: Path, model: str, change: Callable[[Workbench], object] = lambda wb: None, *table: str) -> ModelRef:
    async def body(wb: Workbench) -> ModelRef:
        change(wb)
        return Routes(wb, [read_route(text) for text in table]).choose(model).target.executor

    return with_workbench(home, body)


def work(wb: Workbench) -> None:
    wb.use(ProviderConfig("Work", base_url="https://models.example.org/v1", key="none", default_model="big-one"))


def test_first_matching_pattern_counts(home: Path) -> None:
    table = ("*haiku*=simulator/qwen-hasty", "*=simulator/mistral-steady")
    assert chosen(home, "claude-haiku-9", lambda wb: None, *table) == ModelRef("Simulator", "qwen-hasty")
    assert chosen(home, "other", lambda wb: None, *table) == ModelRef("Simulator", "mistral-steady")


def test_provider_and_model_may_be_asked_for_by_name(home: Path) -> None:
    assert chosen(home, "work/some/model", work) == ModelRef("Work", "some/model")
    assert chosen(home, "qwen-hasty+429") == ModelRef("Simulator", "qwen-hasty+429")


def test_a_name_of_a_tier_leads_to_its_model(home: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text('[tiers]\nsmall = "Simulator/gemma-tiny"\n', encoding="utf-8")
    assert chosen(home, "claude-haiku-4-5", work) == ModelRef("Simulator", "gemma-tiny")
    assert chosen(home, "claude-opus-5", work) == ModelRef("Work", "big-one")


def test_an_unknown_name_goes_to_the_first_provider_else_to_a_simulated_model(home: Path) -> None:
    assert chosen(home, "gpt-5", work) == ModelRef("Work", "gpt-5")
    assert chosen(home, "gpt-5") == ModelRef("Simulator", FIRST_MODEL)


def test_an_unknown_provider_is_named(home: Path) -> None:
    with pytest.raises(UnknownName, match="'Nobody'"):
        chosen(home, "x", lambda wb: None, "*=Nobody/x")


def test_the_table_may_change_and_lists_its_names(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        routes = Routes(wb, [read_route("local-coder=Simulator/qwen-hasty", Way.REPAIR)])
        assert routes.models()[0] == "local-coder"
        assert "Simulator/mistral-steady" in routes.models()
        assert routes.choose("local-coder").way is Way.REPAIR
        routes.table = ()
        assert routes.choose("local-coder").way is Way.ROUTE

    with_workbench(home, body)


def table(*lines: str) -> Callable[[Workbench], object]:
    """Routes of the settings file, each `asked for|target|tier|way`."""

    def change(wb: Workbench) -> None:
        routes = tuple(RouteSettings(*(part.strip() for part in line.split("|"))) for line in lines)
        saved = wb.saved_settings
        tiers = replace(saved.tiers, small="Simulator/gemma-tiny")
        wb.save(replace(saved, tiers=tiers, gateway=replace(saved.gateway, routes=routes)))

    return change


def test_routes_of_the_settings_come_after_those_of_the_command_line(home: Path) -> None:
    change = table("*-small*||SMALL_MODEL|route", "*|Simulator/qwen-hasty||route")
    assert chosen(home, "my-small-one", change) == ModelRef("Simulator", "gemma-tiny")
    assert chosen(home, "other", change) == ModelRef("Simulator", "qwen-hasty")
    assert chosen(home, "other", change, "oth*=Simulator/mistral-steady") == ModelRef("Simulator", "mistral-steady")


def test_a_tier_may_have_a_format_and_a_budget_of_its_own(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        table("x|format=react,boost=Simulator/plain,seconds=60|SMALL_MODEL|route")(wb)
        target = Routes(wb).choose("x").target
        assert (str(target.executor), target.format, str(target.planner)) == (
            "Simulator/gemma-tiny", "react", "Simulator/plain",
        )  # fmt: skip
        assert target.limits.seconds == 60

    with_workbench(home, body)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("x|||route", "leads nowhere"),
        ("x||BIG_MODEL|route", "No model stands behind BIG_MODEL"),
        ("x|Nobody/m||route", "Nobody"),
        (" |Simulator/m||route", "no pattern"),
        ("x|provider=Simulator||route", "leads nowhere"),
    ],
)
def test_a_route_that_leads_nowhere_is_named(home: Path, line: str, said: str) -> None:
    with pytest.raises(WorkbenchError, match=said):
        chosen(home, "x" if not line.startswith(" ") else "", table(line))


def test_the_switch_for_repair_holds_for_all_routes_but_passed_through_ones(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        table("a|Simulator/qwen-hasty||route", "b|Simulator/qwen-hasty||pass-through")(wb)
        routes = Routes(wb)
        assert [routes.choose(name).way for name in "abc"] == [Way.ROUTE, Way.PASS_THROUGH, Way.ROUTE]
        saved = wb.saved_settings
        wb.save(replace(saved, gateway=replace(saved.gateway, repair=True)))
        assert [routes.choose(name).way for name in "abc"] == [Way.REPAIR, Way.PASS_THROUGH, Way.REPAIR]
        assert Routes(wb, way=Way.ROUTE).choose("c").way is Way.ROUTE

    with_workbench(home, body)

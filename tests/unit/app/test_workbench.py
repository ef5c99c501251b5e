from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import draft, with_workbench
from workbench.app import Workbench
from workbench.app.workbench import Workbench as Same
from workbench.core.errors import InvalidInput, ProviderError, SettingsError, UnknownName
from workbench.core.events import ChunkReceived, ExchangeStarted, LoopFinished, RunEvent, StepFinished
from workbench.core.exchange import TextDelta
from workbench.core.target import ModelRef
from workbench.core.verdict import VerdictState
from workbench.settings.config import ProviderConfig


def test_the_package_gives_out_one_entry() -> None:
    assert Workbench is Same


def test_history_after_restart_holds_all_shown_events(home: Path) -> None:
    shown: list[RunEvent] = []

    async def first(wb: Workbench) -> str:
        handle = await wb.runs.start(draft("model=qwen-hasty,seed=7"), shown.extend)
        assert (await handle.wait()).state is VerdictState.PASS
        return handle.run_id

    run_id = with_workbench(home, first)

    async def second(wb: Workbench) -> None:
        (row,) = wb.store.list_runs()
        assert (row.id, row.simulated, row.verdict.state) == (run_id, True, VerdictState.PASS)
        stored = await wb.load(run_id)
        kept = [event for event in stored.events if not isinstance(event, ChunkReceived)]
        assert kept == [event for event in shown if not isinstance(event, ChunkReceived)]
        for step in (event.step for event in kept if isinstance(event, StepFinished)):
            assert text_of(stored.events, step) == text_of(shown, step) != ""

    with_workbench(home, second)


def text_of(events: list[RunEvent] | tuple[RunEvent, ...], step: int) -> str:
    chunks = [event for event in events if isinstance(event, ChunkReceived) and event.step == step]
    return "".join(delta.text for chunk in chunks for delta in chunk.deltas if isinstance(delta, TextDelta))


@pytest.mark.parametrize(
    "target", ["model=mistral-steady", "model=qwen-hasty", "model=qwen-hasty,boost=Simulator/plain"]
)
def test_the_preview_is_byte_equal_to_the_recorded_request(home: Path, target: str) -> None:
    async def body(wb: Workbench) -> None:
        wanted = draft(f"{target},seed=7")
        _, previewed = await wb.preview(wanted)
        handle = await wb.runs.start(wanted)
        await handle.wait()
        recorded = next(event for event in (await wb.load(handle.run_id)).events if isinstance(event, ExchangeStarted))
        assert recorded.request.body == previewed.body
        assert recorded.request == previewed

    with_workbench(home, body)


def test_boost_runs_end_to_end(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        handle = await wb.runs.start(draft("model=aux-stubborn,boost=Simulator/plain,seed=7"))
        await handle.wait()
        events = (await wb.load(handle.run_id)).events
        assert [event for event in events if isinstance(event, LoopFinished)]
        replies = [event.reply for event in events if isinstance(event, StepFinished)]
        assert all(reply.text or reply.native_calls for reply in replies)

    with_workbench(home, body)


def test_models_are_listed_and_detected(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        names = [info.id for info in await wb.list_models("simulator")]
        assert "qwen-hasty" in names
        assert wb.detect(ModelRef("Simulator", "qwen-hasty")).format == "qwen_xml"
        assert not wb.detect(ModelRef("Simulator", "mistral-steady")).guess

    with_workbench(home, body)


def test_invalid_draft_is_named(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        with pytest.raises(UnknownName, match="nowhere"):
            await wb.runs.start(draft("provider=nowhere,model=x"))
        with pytest.raises(UnknownName, match="qwen_xnl"):
            await wb.runs.start(draft("model=x,format=qwen_xnl"))
        with pytest.raises(InvalidInput, match="no prompt"):
            await wb.runs.start(replace(draft("model=x"), messages=()))
        target = replace(draft("model=x,boost=Simulator/plain").target, wrapper="{{ loop }}")
        with pytest.raises(InvalidInput, match="previous_attempts"):
            await wb.preview(replace(draft("model=x"), target=target))
        assert wb.store.list_runs() == []

    with_workbench(home, body)


def test_providers_are_saved_tested_and_found_again(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        base_url = await wb.simulator.start()
        config = ProviderConfig("Mine", base_url=base_url, key="none")
        assert (await wb.test_provider(config)).ok
        dead = replace(config, base_url="http://127.0.0.1:9/v1", connect_timeout=2.0)
        check = await wb.test_provider(dead)
        assert check.error is not None
        assert check.error.hint
        wb.save(wb.saved_settings.with_provider(config))
        assert "qwen-hasty" in [info.id for info in await wb.list_models("mine")]
        wb.save(wb.saved_settings.with_provider(dead, "Mine"))
        with pytest.raises(ProviderError):
            await wb.list_models("Mine")

    with_workbench(home, body)

    async def again(wb: Workbench) -> None:
        assert [config.name for config in wb.providers()] == ["Simulator", "Mine"]

    with_workbench(home, again)


def test_boost_settings_come_from_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOST_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("BOOST_MODEL", "planner-1")
    monkeypatch.setenv("ENABLE_BOOST_SUPPORT", "BIG_MODEL")

    async def body(wb: Workbench) -> None:
        assert wb.boost_planner() == ModelRef("Boost", "planner-1")
        assert wb.boost_planner("claude-opus-4") == ModelRef("Boost", "planner-1")
        assert wb.boost_planner("claude-haiku-4") is None
        assert "Boost" in [config.name for config in wb.providers()]

    with_workbench(home, body)
    monkeypatch.setenv("ENABLE_BOOST_SUPPORT", "HUGE")
    with pytest.raises(SettingsError, match="ENABLE_BOOST_SUPPORT"):
        with_workbench(home, body)


TIERS = """
[boost]
provider = "Simulator"
model = "plain"
tiers = ["BIG_MODEL"]
[tiers]
big = "Simulator/mistral-steady"
small = "Simulator/qwen-hasty"
"""


def test_tiers_select_boost_and_target_model(home: Path) -> None:
    """Requirement B8."""
    home.mkdir()
    (home / "settings.toml").write_text(TIERS)

    async def body(wb: Workbench) -> None:
        assert wb.boost_planner("mistral-steady") == ModelRef("Simulator", "plain")
        assert wb.boost_planner("qwen-hasty") is None
        assert wb.behind_tier("claude-opus-4") == ModelRef("Simulator", "mistral-steady")
        assert wb.behind_tier("claude-haiku-4") == ModelRef("Simulator", "qwen-hasty")
        assert wb.behind_tier("claude-sonnet-4") is None
        assert wb.behind_tier("some-model") is None
        assert wb.notes == ()

    with_workbench(home, body)


def test_closing_while_a_run_streams_keeps_it(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        handle = await wb.runs.start(draft("model=qwen-hasty,seed=7", tokens_per_second=5))
        await asyncio.sleep(0.4)
        assert not handle.done

    with_workbench(home, body)

    async def again(wb: Workbench) -> None:
        (row,) = wb.store.list_runs()
        assert row.verdict.state is VerdictState.CANCELLED

    with_workbench(home, again)

"""Vendors with planted faults over real HTTP, across protocols: the fault is found, and a process that was killed goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.batch_progress import done_in, wait_for_done
from tests.kit.command import kill, start, workbench
from tests.kit.verifying import BREAKS, TOUCHES
from workbench.app import Workbench
from workbench.app.verification import VerifyOrder
from workbench.core.target import ModelRef, Target
from workbench.settings.config import ProviderConfig
from workbench.simulate.simulated_server import SimulatedServer
from workbench.verify.judgement import Judgement
from workbench.verify.metrics import METRICS
from workbench.verify.policy import load_policy
from workbench.verify.request_sets import built_in_requests
from workbench.verify.verification import Verification

WIRES = {
    "chat": ("openai_chat", "/v1"), "responses": ("openai_responses", "/v1"), "messages": ("anthropic_messages", ""),
}  # fmt: skip
FAST = {"tokens_per_second": 0, "first_token_s": 0}


def verified(home: Path, candidates: list[tuple[str, str]], pairs: int) -> Verification:
    """Verify simulated vendors, each behind a protocol of its own, against the model behind Chat Completions."""

    async def body(wb: Workbench, server: SimulatedServer) -> Verification:
        for name, (wire, path) in WIRES.items():
            wb.use(ProviderConfig(name, wire, f"{server.root_url}{path}", "none", parallel=16))
        reference, *others = [_target(name, model) for name, model in [("chat", "main-70b"), *candidates]]
        order = VerifyOrder(
            "main-70b", reference, tuple(others), load_policy(), built_in_requests(),
            pairs * (2 + len(others)), parallel=8,
        )  # fmt: skip
        return await (await wb.verifications.start(order)).wait()

    return asyncio.run(_with_server(home, body))


def _target(provider: str, model: str) -> Target:
    """The model as fast as it can; a leak comes at a rate that so few pairs are sure to show."""
    target = Target(ModelRef(provider, model))
    simulate = FAST | ({"vendor": {"leak": 0.8}} if model.endswith("+leak") else {})
    return replace(target, sampling=replace(target.sampling, extra={"simulate": simulate}))


async def _with_server(
    home: Path, body: Callable[[Workbench, SimulatedServer], Awaitable[Verification]]
) -> Verification:
    server = SimulatedServer()
    await server.start()
    try:
        async with Workbench.open(home) as wb:
            return await body(wb, server)
    finally:
        await server.aclose()


def failed(found: Verification, candidate: int) -> set[str]:
    return {one.metric.id for one in found.judged().results[candidate] if one.judgement is Judgement.FAIL}


def test_faults_are_found_behind_other_protocols(home: Path) -> None:
    """Three vendors at once: the right one behind Responses, and a fault behind Messages and behind Chat."""
    found = verified(home, [("responses", "main-70b"), ("messages", "main-70b+merge"), ("chat", "main-70b+leak")], 180)
    assert [one.wire for one in found.candidates] == ["openai_responses", "anthropic_messages", "openai_chat"]
    assert found.unanswered == 0
    right = failed(found, 0)
    assert not right & {name for name, metric in METRICS.items() if metric.unit == "%"}, right
    for candidate, kind in ((1, "merge"), (2, "leak")):
        wrong = failed(found, candidate)
        assert wrong & BREAKS[kind], (kind, wrong)
        assert wrong <= BREAKS[kind] | TOUCHES[kind], (kind, wrong)


@pytest.mark.parametrize(("kind", "pairs"), [("template", 40), ("late", 40), ("choice", 110)])
def test_a_vendor_with_one_fault_fails_for_it_alone(kind: str, pairs: int, home: Path) -> None:
    found = verified(home, [("chat", f"main-70b+{kind}")], pairs)
    wrong = failed(found, 0)
    assert wrong & BREAKS[kind], wrong
    assert wrong <= BREAKS[kind] | TOUCHES[kind], wrong


def test_a_killed_verification_goes_on_and_says_the_same(home: Path, tmp_path: Path) -> None:
    common = ("main-70b", "--reference", "provider=simulator", "--candidate", "provider=simulator,model=main-70b+drop",
              "--budget", "120", "--seed", "3", "--json")  # fmt: skip
    whole = workbench("verify", *common, WORKBENCH_HOME=str(tmp_path / "other"))
    process = start("verify", *common, out=tmp_path / "out", err=tmp_path / "err", WORKBENCH_HOME=str(home))

    wait_for_done(home, 20, process)
    kill(process)
    assert 0 < done_in(home / "workbench.db") < 120

    resumed = workbench("verify", "--resume", "last", "--json", WORKBENCH_HOME=str(home))
    assert resumed.code == whole.code
    first, second = whole.json(), resumed.json()
    assert second["pairs"] == {"planned": 40, "complete": 40}
    rates = [
        [(one["name"], one["value"], one["verdict"]) for one in made["candidates"][0]["metrics"]
         if METRICS[one["name"]].unit != "s"] for made in (first, second)
    ]  # fmt: skip
    assert rates[0] == rates[1]

"""Intervals cover the truth as often as they claim: documented fault rates of personas, and made-up suites."""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.kit.app import fast
from tests.kit.fakes import READ_FILE, WEATHER
from workbench.app import Workbench
from workbench.cases.files import load_suite
from workbench.core.case import Suite
from workbench.core.messages import ChatRequest, Message
from workbench.formats import get_format
from workbench.grading.matrix import matrix
from workbench.grading.paired import CasePair, paired_difference
from workbench.grading.rates import Rate, wilson
from workbench.grading.suite import CaseRate, suite_score
from workbench.simulate.compose import compose
from workbench.simulate.personas import PERSONAS

BATCHES, RUNS = 80, 20
NOT_IN_A_FIRST_REPLY = {"marker in answer", "guidance ignored"}
ONLY_WHERE_NO_OTHER_WAS = {"thinks first"}


def faults_of(name: str) -> list[Counter[str]]:
    """How often each fault came, batch by batch."""
    persona = PERSONAS[name]
    tools = (WEATHER, READ_FILE)
    taught = () if persona.native else (Message("system", get_format(persona.format).prompt(tools)),)
    asked = ChatRequest(
        name, (*taught, Message("user", "How is the weather in Rome?")), tools if persona.native else ()
    )
    return [
        Counter(fault for run in range(RUNS) for fault in compose(persona, asked, f"{batch} {run}").faults)
        for batch in range(BATCHES)
    ]


def claimed(rate: float) -> float:
    """How often an interval of so many runs covers this rate, exactly."""
    return sum(
        math.comb(RUNS, hits) * rate**hits * (1 - rate) ** (RUNS - hits)
        for hits in range(RUNS + 1)
        if wilson(hits, RUNS).low <= rate <= wilson(hits, RUNS).high
    )


def test_intervals_cover_the_documented_fault_rates() -> None:
    covered = total = 0
    for name, persona in PERSONAS.items():
        if persona.planner or not persona.faults:
            continue
        batches = faults_of(name)
        for label, rate in persona.rates.items():
            if label in NOT_IN_A_FIRST_REPLY | ONLY_WHERE_NO_OTHER_WAS:
                continue
            intervals = [wilson(batch[label], RUNS) for batch in batches]
            hits = sum(low <= rate <= high for low, high in intervals)
            tolerance = 4 * math.sqrt(0.05 * 0.95 / BATCHES)
            assert abs(hits / BATCHES - claimed(rate)) <= tolerance, f"{name}: {label}"
            covered, total = covered + hits, total + BATCHES
    assert total >= 10 * BATCHES
    assert 0.93 <= covered / total <= 0.985


def test_batch_interval_covers_the_true_rate(home: Path) -> None:
    """Each of the tiny one's faults breaks this case, so what is left is the product."""
    case = next(case for case in load_suite("demo").cases if case.id == "01-weather")

    async def body() -> Rate:
        async with Workbench.open(home) as wb:
            target = fast("provider=Simulator,model=gemma-tiny,format=gemma_function")
            handle = await wb.batches.start(Suite("one", (case,)), [target], repeats=100, seed=11)
            return matrix(await handle.wait()).rows[0].cells[0].rate

    rate = asyncio.run(body())
    truth = math.prod(1 - fault for fault in PERSONAS["gemma-tiny"].rates.values())
    low, high = wilson(rate.passed, rate.runs, 2.58)
    assert low <= truth <= high


@pytest.mark.parametrize(("cases", "runs", "families"), [(12, 5, 12), (20, 10, 20), (24, 3, 8)])
def test_suite_score_interval_covers_the_case_population_mean(cases: int, runs: int, families: int) -> None:
    """Cases of one family are equally hard; the interval knows, or it would cover far too rarely."""
    dice, hits, draws = random.Random(cases), 0, 600
    for _ in range(draws):
        difficulty = [dice.betavariate(4, 1.5) for _ in range(families)]
        rates = [
            CaseRate(str(case), str(case % families), Rate(_hits(dice, difficulty[case % families], runs), runs))
            for case in range(cases)
        ]
        found = suite_score(rates)
        assert found is not None
        hits += found.interval.low <= 4 / 5.5 <= found.interval.high
    assert 0.925 <= hits / draws <= 0.99


@pytest.mark.parametrize(("gain", "runs", "families"), [(0.0, 5, 10), (0.15, 5, 10), (0.0, 1, 12), (0.1, 4, 8)])
def test_paired_differences_cover_the_true_gain_and_are_rarely_shown_without_one(
    gain: float, runs: int, families: int
) -> None:
    dice, hits, shown, draws = random.Random(families * runs), 0, 0, 400
    for _ in range(draws):
        gains = [gain + dice.uniform(-0.1, 0.1) if gain else 0.0 for _ in range(families)]
        pairs = []
        for case in range(2 * families if gain == 0.1 else families):
            easy = dice.uniform(0.1, 0.85 - gain)
            before, after = _hits(dice, easy, runs), _hits(dice, easy + gains[case % families], runs)
            pairs.append(CasePair(str(case), str(case % families), Rate(before, runs), Rate(after, runs)))
        found = paired_difference(pairs)
        assert found is not None
        hits += found.low <= gain <= found.high
        shown += found.shown
    assert 0.925 <= hits / draws <= 0.995
    if not gain:
        assert shown / draws <= 0.06


def _hits(dice: random.Random, chance: float, runs: int) -> int:
    return sum(dice.random() < chance for _ in range(runs))

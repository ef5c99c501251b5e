from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.recorded import CHECK, events_of, expecting, replied
from workbench.app import importing
from workbench.app.importing import ORIGIN, ReplyImport
from workbench.core.batch import BatchState
from workbench.core.case import Case, ExpectedArgument, ExpectedCall
from workbench.core.masking import Secrets
from workbench.core.messages import Message
from workbench.core.run_summary import summarize
from workbench.core.verdict import VerdictState
from workbench.imports.recorded import PROVIDER, RecordedReply
from workbench.store import Store

ROME = expecting(ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",))}))
RIGHT, WRONG = '[get_weather(city="Rome")]', '[get_weather(city="Bonn")]'


def imported(tmp_path: Path, *replies: RecordedReply, secrets: Secrets | None = None) -> tuple[Store, ReplyImport]:
    store = Store.open(tmp_path / "w.db")
    work = ReplyImport(store, CHECK, secrets or Secrets())

    async def go() -> None:
        for reply in replies:
            await work.take(reply)
        await work.finish()

    asyncio.run(go())
    return store, work


def test_replies_become_runs_with_verdicts(tmp_path: Path) -> None:
    store, work = imported(tmp_path, replied(ROME, RIGHT), replied(ROME, WRONG))
    rows = store.list_runs()

    assert [(row.provider, row.model, row.format, row.origin) for row in rows] == [
        (PROVIDER, "m", "pythonic", ORIGIN)
    ] * 2
    assert [row.verdict.state for row in rows] == [VerdictState.FAIL, VerdictState.PASS]
    assert (work.runs, work.first, work.last, work.verdicts[VerdictState.PASS]) == (2, 1, 2, 1)
    assert store.load(1).summary().executor_replies[0][1].text == RIGHT
    store.close()


def test_runs_with_expectations_are_a_batch(tmp_path: Path) -> None:
    other = replied(replace(ROME, id="d"), WRONG)
    store, work = imported(
        tmp_path, replied(ROME, RIGHT, suite="s"), other, replied(ROME, WRONG, suite="s"), replied(ROME, RIGHT, suite="s", model="n"),
        replied(replace(ROME, expectation=None), RIGHT),
    )  # fmt: skip
    first, second = (store.batches.load(batch.id) for batch in work.batches)

    assert (first.spec.suite, first.state, first.left, first.spec.repeats) == ("s", BatchState.DONE, 0, 2)
    assert [(item.case_id, item.target, item.repeat, item.run_id != "") for item in first.items] == [
        ("c", 0, 0, True), ("c", 0, 1, True), ("c", 1, 0, True),
    ]  # fmt: skip
    assert [target.executor.model for target in first.spec.targets] == ["m", "n"]
    assert [item.case_id for item in second.items] == ["d"]
    assert store.batches.case_of(first.items[0].run_id) == ROME
    assert work.runs == 5
    store.close()


def test_a_long_import_is_several_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MOST", 2)
    monkeypatch.setattr(importing, "TOGETHER", 2)
    store, work = imported(tmp_path, *(replied(replace(ROME, id=str(number)), RIGHT) for number in range(5)))

    assert [len(store.batches.load(batch.id).items) for batch in work.batches] == [2, 2, 1]
    assert len(store.list_runs()) == 5
    store.close()


def test_secrets_never_reach_the_disk(tmp_path: Path) -> None:
    key = "sk-very-secret-0123456789"
    asked = replace(ROME, messages=(Message("user", f"In {key}?"),))
    store, _ = imported(tmp_path, replied(asked, f'[get_weather(city="{key}")]'), secrets=Secrets([key]))
    store.close()

    assert not any(key.encode() in path.read_bytes() for path in tmp_path.iterdir() if path.is_file())


def test_a_lost_call_ends_the_run() -> None:
    """There is one reply, and nobody who could be asked again."""
    lost = '<tool_call>{"name": "get_weather", "argu'
    events, verdict = events_of(replied(ROME, lost, "qwen_xml"))

    assert len(summarize(events).replies) == 1
    assert (verdict.verdict.state, verdict.verdict.codes[0]) == (VerdictState.FAIL, "parse.truncated")


def test_a_record_of_silence_is_no_missing_answer() -> None:
    case: Case = expecting(no_call=True)

    assert events_of(replace(replied(case, []), unsaid=True))[1].verdict.state is VerdictState.PASS
    assert events_of(replied(case, []))[1].verdict.state is VerdictState.FAIL


def test_a_failed_exchange_is_an_error() -> None:
    _, verdict = events_of(replied(ROME, "", "pythonic", error="the server went away"))
    assert (verdict.verdict.state, verdict.verdict.reason) == (VerdictState.ERROR, "the server went away")

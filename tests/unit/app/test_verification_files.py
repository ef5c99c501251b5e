from __future__ import annotations

import json
from pathlib import Path

from tests.kit.app import with_workbench
from tests.unit.app.test_verification import order, vendor
from workbench.app import Workbench
from workbench.verify.evidence import check_evidence
from workbench.verify.k2_files import read_results, summary


def test_evidence_holds_every_exchange_and_no_key(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "evidence"

    async def body(wb: Workbench) -> None:
        found = await (await wb.verifications.start(order(vendor("leak"), pairs=3))).wait()
        digest = wb.verifications.write_evidence(found, found.judged(), folder)
        checked = check_evidence(folder)
        assert (checked.unaltered, checked.records, checked.digest) == (True, 9, digest)

    with_workbench(home, body)
    rows = [json.loads(line)["record"] for line in (folder / "exchanges.jsonl").read_text("utf-8").splitlines()]
    assert [(row["pair"], row["endpoint"]) for row in rows[:3]] == [
        (1, "reference, measurement 1"), (1, "reference, measurement 2"), (1, "candidate A"),
    ]  # fmt: skip
    assert {row["status"] for row in rows} == {200}
    assert all(json.loads(row["sent"]["body"])["messages"] for row in rows)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    assert report["candidates"][0]["target"] == "Simulator/main-70b+leak"
    assert json.loads((folder / "policy.json").read_text("utf-8"))["name"] == "twice the reference's noise"
    assert (folder / "report.md").read_text("utf-8").startswith("# Verification of main-70b")


def test_known_secrets_are_masked_once_more(home: Path, tmp_path: Path) -> None:
    from workbench.app.verification_files import write_evidence_of

    async def body(wb: Workbench) -> None:
        found = await (await wb.verifications.start(order(vendor("leak"), pairs=1))).wait()
        load = lambda ref, chunks: wb.store.load(ref, chunks=chunks)  # noqa: E731
        write_evidence_of(found, found.judged(), tmp_path / "ev", load, {"get_weather"})

    with_workbench(home, body)
    assert "get_weather" not in (tmp_path / "ev" / "exchanges.jsonl").read_text("utf-8")


def test_k2_files_are_written_for_each_endpoint(home: Path, tmp_path: Path) -> None:
    async def body(wb: Workbench) -> None:
        found = await (await wb.verifications.start(order(vendor("finish"), vendor("500"), pairs=6))).wait()
        wb.verifications.write_k2(found, tmp_path / "k2")

    with_workbench(home, body)
    for name in ("reference", "A", "B"):
        rows = read_results(tmp_path / "k2" / name / "results.jsonl")
        assert [row.index for row in rows] == [1, 2, 3, 4, 5, 6]
        model = {"reference": "main-70b", "A": "main-70b+finish", "B": "main-70b+500"}[name]
        assert json.loads((tmp_path / "k2" / name / "summary.json").read_text("utf-8")) == summary(rows, model)
    assert summary(read_results(tmp_path / "k2" / "B" / "results.jsonl"), "")["failure_count"] == 6

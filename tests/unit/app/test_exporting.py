from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import draft, fast, with_workbench
from workbench.app import Workbench
from workbench.app.exporting import EXPORTERS
from workbench.cases.files import load_suite, save_case
from workbench.cases.kept import GUESS
from workbench.core.case import Expectation
from workbench.core.errors import InvalidInput, UnknownName


@pytest.mark.parametrize("kind", list(EXPORTERS))
def test_recorded_runs_are_exported(home: Path, tmp_path: Path, kind: str) -> None:
    async def body(wb: Workbench) -> None:
        handle = await wb.runs.start(draft("model=qwen-hasty,seed=7"))
        await handle.wait()
        export = await wb.export(kind, [handle.run_id])
        assert export.size > 100
        assert all(path.exists() for path in wb.write_export(export, tmp_path / "out"))

    with_workbench(home, body)


def test_case_of_the_batch_and_the_case_kept_from_a_run_decide(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        suite = load_suite("demo")
        handle = await wb.batches.start(replace(suite, cases=suite.cases[:1]), [fast("model=mistral-steady")], seed=1)
        run_id = (await handle.wait()).items[0].run_id
        row = json.loads((await wb.export("jsonl", [run_id])).files[0].text)
        assert row["basis"] == f"held against the expectation of the case {suite.cases[0].id!r} of its batch"
        kept = replace(suite.cases[0], expectation=Expectation(no_call=True), source_run=run_id)
        save_case(kept, wb.home.suites / "mine")
        row = json.loads((await wb.export("jsonl", [run_id])).files[0].text)
        assert row["basis"] == f"held against the expectation of the case mine/{suite.cases[0].id}.yaml"
        assert row["judged"]["state"] == "fail"
        for path in (wb.home.suites / "mine").iterdir():
            path.unlink()
        save_case(replace(kept, tags=(GUESS,)), wb.home.suites / "mine")
        row = json.loads((await wb.export("jsonl", [run_id])).files[0].text)
        assert row["basis"].endswith("of its batch"), "a guess confirms nothing"

    with_workbench(home, body)


def test_unexportable_run_is_named(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        with pytest.raises(UnknownName, match="pytset"):
            await wb.export("pytset", [])
        with pytest.raises(InvalidInput, match="nothing to export"):
            await wb.export("curl", [])

    with_workbench(home, body)


def test_a_key_never_leaves(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = f"ghp_{'a1B2' * 9}"

    async def body(wb: Workbench) -> None:
        handle = await wb.runs.start(draft("model=qwen-hasty,seed=7", f"Read staging-secret-0123 and {foreign}."))
        await handle.wait()
        monkeypatch.setenv("LATER_API_KEY", "staging-secret-0123")
        for kind in EXPORTERS:
            export = await wb.export(kind, [handle.run_id])
            text = "".join(file.text for file in export.files)
            assert "staging-secret" not in text
            assert foreign not in text
            assert export.summary.endswith("what looks like a key is stars in 1 run)")

    with_workbench(home, body)

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.app import draft, with_workbench
from workbench.app import Workbench
from workbench.app.exporting import EXPORTERS
from workbench.core.errors import InvalidInput, SecretError, UnknownName


@pytest.mark.parametrize("kind", list(EXPORTERS))
def test_recorded_runs_are_exported(home: Path, tmp_path: Path, kind: str) -> None:
    async def body(wb: Workbench) -> None:
        handle = await wb.runs.start(draft("model=qwen-hasty,seed=7"))
        await handle.wait()
        export = await wb.export(kind, [handle.run_id])
        assert export.size > 100
        assert all(path.exists() for path in wb.write_export(export, tmp_path / "out"))

    with_workbench(home, body)


def test_unexportable_run_is_named(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        with pytest.raises(UnknownName, match="pytset"):
            await wb.export("pytset", [])
        with pytest.raises(InvalidInput, match="nothing to export"):
            await wb.export("curl", [])

    with_workbench(home, body)


def test_a_key_never_leaves(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(wb: Workbench) -> None:
        handle = await wb.runs.start(draft("model=qwen-hasty,seed=7", "Please read staging-secret-0123."))
        await handle.wait()
        monkeypatch.setenv("LATER_API_KEY", "staging-secret-0123")
        export = await wb.export("jsonl", [handle.run_id])
        with pytest.raises(SecretError):
            wb.write_export(export, tmp_path / "out.jsonl")
        assert not (tmp_path / "out.jsonl").exists()

    with_workbench(home, body)

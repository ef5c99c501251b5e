from __future__ import annotations

from pathlib import Path

from tests.kit.command import workbench
from tests.unit.cli.test_exporting import record


def test_an_exported_run_comes_back_as_a_case(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs.jsonl"
    assert workbench("export", "--to", "jsonl", "--out", str(out), record(home)).code == 0
    done = workbench("import", str(out), "--suite", "Mine", "--json").json()
    assert done["suite"] == "mine"
    assert (home / "suites" / "mine" / f"{done['cases'][0]}.yaml").exists()


def test_missing_file_is_one_line(tmp_path: Path) -> None:
    done = workbench("import", str(tmp_path / "none.yaml"))
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1

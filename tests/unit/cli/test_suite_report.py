from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.batches import batch
from workbench.app.data_folder import DataFolder
from workbench.cli.suite_order import report_orders
from workbench.cli.suite_report import report, write_reports
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.export.batch_exports import KINDS

MADE = batch({"good": ["ssss", "ssss"], "bad": ["spff", "ffff"], "trouble": ["eeee", "ssse"], "cut": ["ss..", "----"]})


def test_the_report_has_targets_cases_sentences_and_a_footer(capsys: pytest.CaptureFixture[str]) -> None:
    report(MADE)
    lines = capsys.readouterr().out.splitlines()

    assert lines[:3] == [
        "A  Simulator/model-0 · qwen_xml (simulated)",
        "B  Simulator/model-1 · qwen_xml (simulated)",
        "",
    ]
    assert lines[3].split() == ["score,", "95", "%", "passed", "strict", "rank", "errors"]
    assert lines[4].split()[0] == "A"
    assert any(line.startswith("bad") and "◐ 2/4 15–85" in line and "✕ 0/4 0–49" in line for line in lines)
    assert any(line.startswith("trouble") and "▲ error" in line and "● 3/3 44–100 +1 ▲" in line for line in lines)
    assert any(line.startswith("cut") and "not asked" in line for line in lines)
    assert any(line.startswith("B against A: cannot tell, −25 points (paired, 95 %:") for line in lines)
    assert any(line.startswith("26 of 32 runs done") for line in lines)


def test_baseline_lists_regressed_cases(capsys: pytest.CaptureFixture[str]) -> None:
    before = batch({f"c{place}": ["p" * 10] for place in range(8)})
    now = batch({f"c{place}": ["p" * (10 - place) + "f" * place] for place in range(9)})
    report(now, baseline=before)
    lines = capsys.readouterr().out.splitlines()

    (line,) = [line for line in lines if "baseline" in line]
    assert line.startswith(
        "A against the baseline: regressed. This batch is worse than the earlier one by 35 points (paired, 95 %:"
    )
    assert lines[lines.index(line) + 1] == "  c7: 10/10 → 3/10"
    assert "  changed or new, left out: c8" in lines
    report(now, baseline=before, json=True)
    (told,) = json.loads(capsys.readouterr().out)["baseline"]
    assert (told["state"], told["worse"][0]) == ("regressed", {"case": "c7", "before": [10, 10], "now": [3, 10]})


def test_report_files_are_written_beside_the_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(MADE, junit=str(tmp_path / "j.xml"), markdown=str(tmp_path / "m.md"))
    assert capsys.readouterr().out
    assert (tmp_path / "j.xml").read_text().startswith("<?xml")
    assert (tmp_path / "m.md").read_text().startswith("# Suite demo\n")


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be written"):
        report(MADE, junit=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_reports_are_written_in_every_form(home: Path, tmp_path: Path) -> None:
    orders = report_orders([f"{kind}={tmp_path / kind}" for kind in KINDS])
    with DataFolder.find() as folder:
        write_reports(folder, MADE, orders)
    assert {path.name for path in tmp_path.iterdir() if path.name in KINDS} == set(KINDS)
    assert len(list((tmp_path / "inspect").iterdir())) == len(MADE.spec.targets)


@pytest.mark.parametrize("words", ["html", "=x", "html=", "pdf=x"])
def test_wrong_report_is_told_before_anything_is_run(words: str) -> None:
    with pytest.raises(WorkbenchError):
        report_orders([words])

from __future__ import annotations

import json

import pytest

from tests.kit.batches import batch
from workbench.cli.suite_report import document, report
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix

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
    assert any(line.startswith("B against A: cannot tell, -25 points (paired, 95 %:") for line in lines)
    assert any(line.startswith("26 of 32 runs done") for line in lines)


def test_the_document_is_json_with_ids_of_all_runs() -> None:
    made = json.loads(json.dumps(document(MADE, matrix(MADE), compare_all(MADE))))

    assert made["runs"] == {"planned": 32, "left": 2}
    assert [target["judged"] for target in made["targets"]] == [10, 11]
    assert made["targets"][0]["interval"][0] < made["targets"][0]["score"] < made["targets"][0]["interval"][1]
    cells = {case["case"]: case["cells"] for case in made["cases"]}
    assert cells["bad"][0]["runs"] == [f"run-bad-0-{repeat}" for repeat in range(4)]
    assert (cells["bad"][0]["strict"], cells["bad"][0]["codes"]) == (1, {"decision.no_call": 2})
    assert cells["cut"][0]["interval"] is None
    assert made["comparisons"][0]["sentence"].startswith("B against A: cannot tell, -25 points")
    assert made["counts"]["all"] == 4


def test_a_baseline_is_told_with_the_cases_that_do_worse(capsys: pytest.CaptureFixture[str]) -> None:
    before = batch({f"c{place}": ["p" * 10] for place in range(8)})
    now = batch({f"c{place}": ["p" * (10 - place) + "f" * place] for place in range(9)})
    report(now, baseline=before)
    lines = capsys.readouterr().out.splitlines()

    (line,) = [line for line in lines if "baseline" in line]
    assert line.startswith("A against the baseline: regressed. now worse than before by 35 points (paired, 95 %:")
    assert lines[lines.index(line) + 1] == "  c7: 10/10 → 3/10"
    assert "  changed or new, left out: c8" in lines
    report(now, baseline=before, json=True)
    (told,) = json.loads(capsys.readouterr().out)["baseline"]
    assert (told["state"], told["worse"][0]) == ("regressed", {"case": "c7", "before": [10, 10], "now": [3, 10]})

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.kit.batches import batch, result
from workbench.cli.suite_report import MOST_SENTENCES, document, footer, report, sentences
from workbench.cli.suite_words import cell_text
from workbench.core.verdict import Basis
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


def test_errors_are_told_with_their_bounds_and_trimmed_runs_are_counted() -> None:
    first, *_ = footer(MADE, matrix(MADE))

    assert first == (
        "26 of 32 runs done · 5 errors left out of rates (A between 57 % and 86 %, B between 58 % and 67 %)"
        " · 4 taken out by hand"
    )


def test_several_comparisons_are_counted() -> None:
    lines = sentences(compare_all(batch({f"c{place}": ["ss", "sf", "ff"] for place in range(7)})))

    assert len(lines) == 4
    assert lines[-1].startswith("3 comparisons;")
    assert sentences(compare_all(batch({"a": ["ss"]}))) == []


def test_of_very_many_comparisons_the_largest_are_listed_and_all_are_counted() -> None:
    made = batch({f"c{place}": ["ssssss", *["ffffff"] * 2, *["sfsfsf"] * 6] for place in range(8)})
    lines = sentences(compare_all(made))

    assert len(lines) == MOST_SENTENCES + 1
    assert lines[0].startswith("B against A: cannot tell, -100 points (paired, 99.86 %: -100 to +100). About 11 cases")
    assert lines[-1].startswith("36 comparisons;")
    assert "Listed are 28" in lines[-1]


def test_too_few_runs_have_no_interval() -> None:
    (row,) = matrix(batch({"a": ["ss"]})).rows

    assert cell_text(row.cells[0]) == "· 2/2 too few"


def test_a_case_without_expectation_says_how_many_were_clean() -> None:
    made = batch({"a": ["ss"]})
    items = tuple(replace(item, result=result("s", basis=Basis.INTRINSIC)) for item in made.items)

    assert cell_text(matrix(replace(made, items=items)).rows[0].cells[0]) == "◇ not gradable 2/2 clean"


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

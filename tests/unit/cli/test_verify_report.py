from __future__ import annotations

import json

import pytest

from tests.kit.verifying import virtual_verification
from tests.unit.verify.test_recorded_results import CHECK, OFFICIAL, VENDOR
from workbench.cli.verify_report import report
from workbench.verify.policy import load_policy
from workbench.verify.recorded_results import recorded_verification


def test_the_table_has_a_row_for_each_metric_and_sentences_below(capsys: pytest.CaptureFixture[str]) -> None:
    found = virtual_verification(count=244)
    report(found, found.judged())
    out = capsys.readouterr().out
    assert "R  Simulator/main-70b (simulated)" in out
    (line,) = [line for line in out.splitlines() if line.startswith("Calls leaked as text  ")]
    assert "✕ FAIL" in line
    assert "● PASS 0.0 %" in line
    assert "R itself: " in out
    assert "Calls leaked as text: A leaks more calls as text than the reference" in out
    assert out.rstrip().endswith("verification v1")


def test_published_measures_stand_below_with_what_they_do_not_see(capsys: pytest.CaptureFixture[str]) -> None:
    found = recorded_verification("k2", [OFFICIAL], [VENDOR], load_policy("kimi-k2-thinking"), CHECK)
    report(found, found.judged(), recorded=(OFFICIAL, (VENDOR,)))
    out = capsys.readouterr().out
    assert "A by K2-Vendor-Verifier's definitions: tool_call_f1 0.8000" in out
    assert "They do not see: 20 calls leaked as text, 20 wrong finish reasons." in out
    assert "≥ 0.730" in out


def test_one_document_without_infinities(capsys: pytest.CaptureFixture[str]) -> None:
    found = virtual_verification(count=3)
    report(found, found.judged(), json=True)
    text = capsys.readouterr().out
    assert "Infinity" not in text
    assert json.loads(text)["pairs"]["complete"] == 3

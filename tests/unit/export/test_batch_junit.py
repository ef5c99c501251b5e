from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as Xml

from tests.kit.batches import batch, result
from workbench.core.batch import Batch
from workbench.core.verdict import Verdict
from workbench.export.batch_junit import junit
from workbench.grading.matrix import matrix

MADE = batch(
    {"good": ["ssss", "ssss"], "bad": ["ssff", "ffff"], "trouble": ["eeee", "ssse"], "later": ["....", "----"]}
)


def root_of(made: Batch = MADE) -> Xml.Element:
    return Xml.fromstring(junit(made, matrix(made)))


def test_junit_counts_cases_of_each_target() -> None:
    first, second = root_of()

    assert [first.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["4", "1", "1", "1"]
    assert [second.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["4", "1", "1", "1"]
    assert first.get("name") == "demo: Simulator/model-0 · qwen_xml"


def test_failing_case_has_count_and_reason() -> None:
    failure = root_of().find("testsuite/testcase[@name='bad']/failure")

    assert failure is not None
    assert failure.get("message") == "2/4 passed (95 %: 0.15 to 0.85), flaky"
    assert (failure.text or "").splitlines()[0] == "repeat 3, run run-bad-0-2: decision.no_call: made up"


def test_errors_are_errors_and_no_failures() -> None:
    root = root_of()

    assert [error.get("message") for error in root.iter("error")] == [
        "error",
        "3/3 passed (95 %: 0.44 to 1.00), 1 errors left out",
    ]
    assert [skipped.get("message") for skipped in root.iter("skipped")] == ["running", "not asked"]


def test_invalid_xml_characters_are_replaced() -> None:
    nasty = result("f")
    nasty = replace(
        nasty, verdict=Verdict(nasty.verdict.state, nasty.verdict.basis, "a\x00b\x1b[2J \ud83d <&>", ("x.y",))
    )
    made = batch({"a": ["f"]})
    root = root_of(replace(made, items=(replace(made.items[0], result=nasty),)))

    failure = root.find(".//failure")
    assert failure is not None
    assert "a\ufffdb\ufffd[2J \ufffd <&>" in (failure.text or "")

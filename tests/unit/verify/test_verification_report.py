from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.kit.verifying import virtual_verification
from workbench.core.batch import BatchState
from workbench.verify.judgement import Judgement, Verdicts
from workbench.verify.policy import load_policy
from workbench.verify.verification import Verification
from workbench.verify.verification_report import (
    footer,
    itself_words,
    limit_of,
    own_interval,
    told_lines,
    verification_json,
    verification_markdown,
)


@pytest.fixture(scope="module")
def found() -> Verification:
    return virtual_verification(count=244)


@pytest.fixture(scope="module")
def judged(found: Verification) -> Verdicts:
    return found.judged()


def test_the_document_has_the_promised_shape(found: Verification, judged: Verdicts) -> None:
    document = json.loads(json.dumps(verification_json(found, judged), allow_nan=False))
    assert [one["target"] for one in document["candidates"]] == ["Simulator/main-70b+leak", "Simulator/main-70b"]
    for metric in document["candidates"][0]["metrics"]:
        assert {"name", "value", "low", "high", "threshold", "verdict"} <= metric.keys()
        assert metric["verdict"] in ("pass", "fail", "inconclusive", None)
    leak = next(one for one in document["candidates"][0]["metrics"] if one["name"] == "leaked_as_text")
    assert leak["verdict"] == "fail"
    assert leak["threshold"] < leak["low"] < leak["value"] < leak["high"]
    assert len(leak["faulty_pairs"]) == leak["faults"]
    assert "score" not in document


def test_the_interval_of_the_value_decides_as_that_of_the_difference(judged: Verdicts) -> None:
    for row in judged.results:
        for result in row:
            if result.judgement is not Judgement.FAIL or result.metric.better.value == "same":
                continue
            low, high = own_interval(result)
            assert result.threshold is not None
            assert low > result.threshold or high < result.threshold


def test_markdown_has_a_row_for_each_metric_and_a_line_for_each_failure(found: Verification, judged: Verdicts) -> None:
    text = verification_markdown(found, judged)
    assert text.startswith("# Verification of main-70b\n")
    assert "| Calls leaked as text | 0.0 % |" in text
    assert "✕ FAIL" in text
    assert "- Calls leaked as text: A leaks more calls as text than the reference" in text
    assert "Points to the server's stream parser" in text
    assert all(
        line.count("|") == 6
        for line in text.splitlines()
        if line.startswith("| ") and "endpoint" not in line and "openai_chat" not in line
    )


def test_a_hostile_name_stays_in_its_cell(found: Verification, judged: Verdicts) -> None:
    odd = replace(found, model="a|b\n<script>")
    assert verification_markdown(odd, judged).startswith("# Verification of a\\|b &lt;script>\n")


def test_failures_are_told_before_what_is_open(found: Verification, judged: Verdicts) -> None:
    lines = told_lines(found, judged)
    first_open = next(at for at, line in enumerate(lines) if "cannot tell" in line)
    assert all("cannot tell" in line for line in lines[first_open:])
    assert first_open
    still = [one for row in judged.results for one in row if one.judgement is Judgement.INCONCLUSIVE]
    assert [
        one.metric.title
        for one in still
        if one.limit is not None and not any(one.metric.title in line for line in lines)
    ] == []


def test_the_footer_says_how_it_was_done(found: Verification, judged: Verdicts) -> None:
    told = "\n".join(footer(replace(found, looks=2, cost=1.25), judged))
    assert "244 of 244 pairs, interleaved; 488 + 488 requests; all answered" in told
    assert "twice the reference's noise" in told
    assert "look 2: the k-th look decides at" in told
    assert "1.25" in told
    assert "verification v1" in told
    stopped = replace(found, state=BatchState.STOPPED, id="", reference=found.reference._replace(errors=3))
    assert "3 unanswered" in "\n".join(footer(stopped, judged))


def test_the_reference_is_counted_against_itself(judged: Verdicts) -> None:
    assert itself_words(judged).startswith("itself: ")


def test_limits_of_publishers_are_values(found: Verification) -> None:
    judged = replace(found, policy=load_policy("kimi-k2-0905")).judged()
    place = next(at for at, one in enumerate(judged.references) if one.metric.id == "k2_tool_call_f1")
    assert limit_of([row[place] for row in judged.results]) == "≥ 0.800"
    assert limit_of([]) == "–"


def test_what_holds_for_several_metrics_is_said_once(found: Verification) -> None:
    once = replace(found, pairs=tuple(replace(pair, reference=pair.reference[:1]) for pair in found.pairs))
    judged = once.judged()
    (told,) = [line for line in told_lines(once, judged) if "measured once" in line]
    assert told.endswith("A and B against the reference: cannot tell, since the reference was measured once, so its noise is not known.")  # fmt: skip
    assert told.count(",") > 5

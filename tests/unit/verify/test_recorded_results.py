from __future__ import annotations

import json

import pytest

from tests.unit.verify.test_k2_files import GOOD, result
from workbench.core.errors import InvalidInput
from workbench.schema import JsonSchemaChecker
from workbench.verify.judgement import Judgement
from workbench.verify.policy import load_policy
from workbench.verify.recorded_results import RecordedEndpoint, published, recorded_verification, unseen

CHECK = JsonSchemaChecker()
LEAK = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def leaked(index: int):
    found = result(index, "stop")
    found.response["choices"][0]["message"]["content"] = LEAK
    return found


OFFICIAL = RecordedEndpoint("official", tuple(result(at, "tool_calls", GOOD) for at in range(1, 61)))
AGAIN = RecordedEndpoint("official, again", OFFICIAL.results)
VENDOR = RecordedEndpoint(
    "vendor", tuple(leaked(at) if at % 3 == 0 else result(at, "tool_calls", GOOD) for at in range(1, 81))
)


def test_recorded_replies_are_paired_by_their_index() -> None:
    found = recorded_verification("k2", [OFFICIAL, AGAIN], [VENDOR], load_policy(), CHECK)
    assert (found.planned, found.complete, found.measured, found.id) == (60, 60, 2, "")
    judged = {one.metric.id: one for one in found.judged().results[0]}
    assert judged["leaked_as_text"].judgement is Judgement.FAIL
    assert judged["leaked_as_text"].faults == 20
    assert judged["schema_accuracy"].judgement is Judgement.PASS


def test_a_reference_recorded_once_decides_by_published_limits_alone() -> None:
    found = recorded_verification("k2", [OFFICIAL], [VENDOR], load_policy("kimi-k2-thinking"), CHECK)
    judged = {one.metric.id: one for one in found.judged().results[0]}
    assert judged["k2_tool_call_f1"].judgement is Judgement.INCONCLUSIVE
    assert judged["k2_tool_call_f1"].value == pytest.approx(0.8)
    assert judged["request_success"].reason.startswith("the reference was measured once")


def test_the_published_measures_do_not_see_what_stands_beside_them() -> None:
    found = recorded_verification("k2", [OFFICIAL], [VENDOR], load_policy(), CHECK)
    measures = published(OFFICIAL, VENDOR, "k2")
    assert measures["counts"] == {"TP": 40, "FP": 0, "FN": 20, "requests": 60}
    assert measures["tool_call_f1"] == pytest.approx(0.8)
    assert measures["schema_accuracy"] == 1.0
    assert measures["summary"]["finish_stop"] == 26
    blind = unseen(found, 0)
    assert (blind["calls leaked as text"], blind["wrong finish reasons"]) == (20, 20)
    assert json.dumps(measures)


def test_files_of_other_samples_are_refused() -> None:
    other = RecordedEndpoint("other", (result(999, "stop"),))
    with pytest.raises(InvalidInput, match="no request in common"):
        recorded_verification("k2", [OFFICIAL], [other], load_policy(), CHECK)

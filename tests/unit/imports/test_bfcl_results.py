from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.recorded import events_of
from workbench.core.errors import InvalidInput
from workbench.core.run_summary import summarize
from workbench.core.verdict import VerdictState
from workbench.imports.bfcl_cases import bfcl_case
from workbench.imports.bfcl_results import bfcl_reply, model_of

FUNCTION = {"name": "shop.buy", "parameters": {"type": "dict", "properties": {"x": {"type": "integer"}}}}
CASE = bfcl_case(
    {"id": "simple_0", "question": "Buy.", "function": [FUNCTION]},
    {"id": "simple_0", "ground_truth": [{"shop.buy": {"x": [1]}}]},
    "q",
)
NONE = bfcl_case({"id": "irrelevance_0", "question": "Buy.", "function": [FUNCTION]}, None, "q")


def state(result: Any, case: Any = CASE, **more: Any) -> VerdictState:
    reply = bfcl_reply({"id": case.id, "result": result, **more}, case, "m", "r, line 1")
    return events_of(replace(reply, format="native_openai" if reply.structured else "pythonic"))[1].verdict.state


@pytest.mark.parametrize(
    "result", ["[shop.buy(x=1)]", [{"shop.buy": '{"x": 1}'}], [{"shop_buy": {"x": 1}}], [{"shop.buy": {"x": 1}}, {}]]
)
def test_results_as_text_and_as_calls(result: Any) -> None:
    assert state(result) is VerdictState.PASS
    assert state(result, NONE) is VerdictState.FAIL


@pytest.mark.parametrize("result", ["I cannot.", [], "[]", [{}]])
def test_results_without_a_call(result: Any) -> None:
    assert state(result) is VerdictState.FAIL
    assert state(result, NONE) is VerdictState.PASS


def test_a_failed_inference_says_nothing_about_the_model() -> None:
    assert state("Error during inference: 429") is VerdictState.ERROR


def test_counts_and_times_are_kept() -> None:
    row = {"id": "simple_0", "result": [{"shop.buy": "{}"}], "latency": 1.5, "input_token_count": 90, "output_token_count": 9,
           "reasoning_content": "Hm."}  # fmt: skip
    run = summarize(events_of(replace(bfcl_reply(row, CASE, "m", "r"), format="native_openai"))[0])

    assert (run.input_tokens, run.output_tokens, run.duration_us) == (90, 9, 1_500_000)
    assert run.executor_replies[0][1].reasoning == "Hm."
    assert run.calls[0].name == "shop.buy"


@pytest.mark.parametrize("result", [5, {"a": 1}, [[{"f": "{}"}]], [{"a": 1, "b": 2}]])
def test_other_shapes_are_named(result: Any) -> None:
    with pytest.raises(InvalidInput, match="r, line 1"):
        bfcl_reply({"id": "simple_0", "result": result}, CASE, "m", "r, line 1")


def test_the_folder_tells_the_model(tmp_path: Path) -> None:
    path = tmp_path / "result" / "acme-7b" / "non_live" / "BFCL_v4_simple_python_result.json"
    assert model_of(path) == "acme-7b"
    assert json.loads(bfcl_reply({"id": 1, "result": ""}, CASE, "acme-7b", "r").body)["model"] == "acme-7b"

from __future__ import annotations

import json
from typing import Any

import jsonschema
from openai.types.eval_create_params import EvalCreateParams
from openai.types.evals.create_eval_jsonl_run_data_source_param import SourceFileContent
from pydantic import TypeAdapter

from tests.kit.exports import CALL, ROME, exported, weather_case
from tests.kit.fakes import Reply
from workbench.export.openai_evals import export_openai_evals

RUNS = [
    exported(Reply(CALL), Reply("Sunny."), case=weather_case("Rome", "Roma")),
    exported(Reply("No idea."), case=weather_case("Rome", "Roma")),
    exported(Reply("Hello!"), case=weather_case(no_call=True)),
]


def files() -> dict[str, str]:
    return {file.path: file.text for file in export_openai_evals(RUNS).files}


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_official_sdk_takes_the_evaluation_and_its_items() -> None:
    found = files()
    TypeAdapter(EvalCreateParams).validate_python(json.loads(found["eval.json"]))
    items = rows(found["items.jsonl"])
    TypeAdapter(SourceFileContent).validate_python({"type": "file_content", "content": items})
    schema = json.loads(found["eval.json"])["data_source_config"]["item_schema"]
    for row in items:
        jsonschema.validate(row["item"], schema)


def test_grader_gives_the_verdicts_of_the_runs() -> None:
    found = files()
    known: dict[str, Any] = {}
    exec(json.loads(found["eval.json"])["testing_criteria"][0]["source"], known)
    assert [known["grade"](row["sample"], row["item"]) for row in rows(found["items.jsonl"])] == [1.0, 0.0, 1.0]


def test_samples_have_input_and_ideal() -> None:
    first, second = rows(files()["samples.jsonl"])
    assert first["input"] == [{"role": "user", "content": "Weather in Rome?"}]
    assert json.loads(first["ideal"]) == [ROME]
    assert (second["ideal"], second["confirmed"]) == ("[]", True)


def test_what_ideal_cannot_say_and_cases_without_expectation_are_named() -> None:
    lost = exported(Reply("<tool_call>\nthe weather\n</tool_call>"), Reply("?"))
    made = export_openai_evals([*RUNS, lost])
    assert [line.split(" (")[0] for line in made.left_out] == [
        made.left_out[0].split(" (")[0],
        "ideal: the first of several right values; `expect` has all",
    ]
    assert made.left_out[0].startswith("ideal: as read by parser")
    assert made.summary == "2 cases, 3 recorded for OpenAI's evals"

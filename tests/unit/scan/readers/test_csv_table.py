from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.scanning import LEAK, TOOL, chat_reply, found_in, kind_of, read
from workbench.core.errors import InvalidInput
from workbench.scan.opened import Opened
from workbench.scan.readers.csv_table import recognise


def table(path: Path, *rows: dict[str, str], sign: str = ",", coding: str = "utf-8") -> Path:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=sign)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(out.getvalue().encode(coding))
    return path


def of_langsmith(dump: Any) -> dict[str, str]:
    inputs = {"messages": [[{"lc": 1, "id": ["HumanMessage"], "kwargs": {"content": "Weather?", "type": "human"}}]]}
    message = {"lc": 1, "id": ["AIMessage"], "kwargs": {"content": LEAK, "type": "ai", "tool_calls": []}}
    outputs = {"generations": [[{"text": LEAK, "message": message}]]}
    extra = {"invocation_params": {"model": "coder-7b", "tools": [TOOL]}}
    return {"id": "r1", "run_type": "llm", "inputs": dump(inputs), "outputs": dump(outputs), "extra": dump(extra)}


@pytest.mark.parametrize("dump", [json.dumps, repr])
def test_runs_of_langsmith_are_read_from_json_and_from_python(tmp_path: Path, dump: Any) -> None:
    chain = {"id": "r2", "run_type": "chain", "inputs": "{}", "outputs": dump({"output": LEAK}), "extra": ""}
    path = table(tmp_path / "runs.csv", of_langsmith(dump), chain)
    replies, troubles = read(path)
    assert [(one.place, one.model, one.context[0].text) for one in replies] == [
        ("row 1 (run r1)", "coder-7b", "Weather?")
    ]
    assert (kind_of(path), troubles, found_in(path)) == ("csv", [], ["tool_markup_in_content"])


def test_examples_of_a_data_set_are_read(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", {"inputs": json.dumps({"question": "x"}), "outputs": json.dumps({"output": LEAK})})
    assert found_in(path) == ["tool_markup_in_content"]


def test_observations_of_langfuse_are_read(tmp_path: Path) -> None:
    row = {"id": "o1", "traceId": "t", "type": "GENERATION", "model": "coder-7b"}
    asked = json.dumps({"messages": [{"role": "user", "content": "x"}], "tools": [TOOL]})
    answer = {"input": asked, "output": json.dumps({"role": "assistant", "content": LEAK})}
    path = table(tmp_path / "a.csv", {**row, **answer}, {**row, "type": "SPAN", **answer})
    replies, _ = read(path)
    assert [(one.model, one.tools is not None) for one in replies] == [("coder-7b", True)]


def test_each_column_of_promptfoo_is_a_model(tmp_path: Path) -> None:
    prompt = "Weather in {{city}}?"
    row = {
        "city": "Rome",
        f"[openai:chat:a] {prompt}": f"[FAIL] (0.00) {LEAK}",
        f"[openai:chat:b] {prompt}": "[PASS] Fine.",
    }
    replies, _ = read(table(tmp_path / "a.csv", row))
    assert [(one.model, one.text) for one in replies] == [("a", LEAK), ("b", "Fine.")]


@pytest.mark.parametrize(
    ("sign", "coding", "column"),
    [
        (",", "utf-8-sig", "Output"),
        (";", "utf-8", "Model Response"),
        ("\t", "utf-16", "completion"),
        (",", "utf-8", "raw_output"),
    ],
)
def test_any_sheet_with_a_column_of_replies_is_read(tmp_path: Path, sign: str, coding: str, column: str) -> None:
    path = table(tmp_path / "a.txt", *[{"Model": "coder-7b", column: LEAK}] * 3000, sign=sign, coding=coding)
    replies, troubles = read(path)
    assert (len(replies), {(one.model, one.text) for one in replies}, troubles) == (3000, {("coder-7b", LEAK)}, [])


def test_a_cell_may_hold_a_whole_reply(tmp_path: Path) -> None:
    row = {
        "prompt": "x",
        "response": json.dumps(chat_reply(None, [("get_weather", '{"city": 5}')])),
        "tools": json.dumps([TOOL]),
    }
    assert found_in(table(tmp_path / "a.csv", row)) == ["schema_violation"]


def test_rows_without_a_reply_are_counted(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", {"prompt": "x", "output": "Fine."}, {"prompt": "y", "output": ""})
    replies, troubles = read(path)
    assert (len(replies), [one.message for one in troubles]) == (
        1, ["1 of 2 rows was not understood; this is the first, its keys are prompt."],
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a,b\n1,2\n",
        "output\nFine.\n",
        '{"output": "x"}\n',
        "Hello, output,\nthis is prose.\n",
        "output,b\n" + "x" * 10,
    ],
)
def test_other_texts_are_no_table(text: str) -> None:
    assert not recognise(Opened(text))


def test_an_endless_cell_is_refused_with_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.scan.readers.csv_table._LONGEST_CELL", 50)
    path = table(tmp_path / "a.csv", {"model": "m", "output": "Fine."}, {"model": "m", "output": "x" * 90})
    assert not recognise(Opened(path))
    with pytest.raises(InvalidInput, match="cannot be read as a table: field larger"):
        read(path, "csv")

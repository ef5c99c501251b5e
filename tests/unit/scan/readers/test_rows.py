from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from tests.kit.scanning import LEAK, TOOL, chat_reply, chat_request, document, found_in, kind_of, read, written
from workbench.core.errors import InvalidInput, MissingLibrary
from workbench.scan.readers.rows import column_of
from workbench.scan.reply import Channel


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ({"raw": "x", "text": "y"}, "raw"),
        ({"prompt": "p", "output": "x"}, "output"),
        ({"messages": [{"role": "user", "content": "x"}]}, "messages"),
        ({"messages": [{"role": "user", "content": "x"}], "response": ""}, "messages"),
        ({"messages": [{"role": "user", "content": "x"}], "response": "y"}, "response"),
        ({"conversations": [{"from": "human", "value": "x"}]}, "conversations"),
        ({"choices": []}, "choices"),
        ({"name": "x", "value": 5}, ""),
    ],
)
def test_the_column_of_a_row(row: dict, column: str) -> None:
    assert column_of(row) == column


def test_a_text_column_is_what_the_client_was_given(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        {"id": 7, "model": "coder-7b", "text": LEAK, "tools": [TOOL], "prompt": "Weather?"},
        {"text": "Fine."},
    )
    first = read(path)[0][0]
    assert (kind_of(path), first.place, first.model, first.channel) == ("jsonl", "1 (7)", "coder-7b", Channel.CONTENT)
    assert (first.context[0].text, found_in(path)) == ("Weather?", ["tool_markup_in_content"])


def test_a_raw_column_is_what_the_model_wrote(tmp_path: Path) -> None:
    cut = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Ro'
    odd = "<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Rome'}}\n</tool_call>"
    path = written(
        tmp_path / "a.jsonl", {"raw": LEAK, "tools": [TOOL]}, {"raw": cut, "tools": [TOOL]}, {"raw": odd, "tools": [TOOL]},
        {"text": LEAK, "format": "qwen_xml"},
    )  # fmt: skip
    assert found_in(path) == ["tool_call_dropped", "malformed_arguments"]


def test_conversations_are_read_turn_by_turn(tmp_path: Path) -> None:
    turns = [
        {"role": "user", "content": "Hi."},
        {"role": "assistant", "content": LEAK},
        {"role": "user", "content": LEAK},
        {"role": "assistant", "content": "Ah."},
    ]
    path = written(tmp_path / "a.jsonl", {"messages": turns, "tools": [TOOL]})
    assert ([one.place for one in read(path)[0]], found_in(path)) == (
        ["1, message 2", "1, message 4"],
        ["tool_markup_in_content"],
    )


def test_training_rows_hold_what_a_model_shall_write(tmp_path: Path) -> None:
    turns = [{"from": "human", "value": "Hi."}, {"from": "gpt", "value": LEAK}]
    assert found_in(written(tmp_path / "a.jsonl", {"conversations": turns})) == []


def test_whole_replies_and_pairs_in_rows(tmp_path: Path) -> None:
    bad = chat_reply(None, [("toll_bell", "{}")])
    path = written(
        tmp_path / "a.jsonl",
        {"request": chat_request(), "response": bad},
        {"response": chat_reply(LEAK), "tools": [TOOL]},
        chat_reply(LEAK),
    )
    assert found_in(path) == ["invented_tool", "tool_markup_in_content", "tool_markup_in_content"]


def test_a_list_of_rows(tmp_path: Path) -> None:
    path = document(tmp_path / "a.json", [{"output": LEAK}, {"output": "Fine."}])
    assert (kind_of(path), found_in(path)) == ("jsonl", ["tool_markup_in_content"])


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    replies, troubles = read(written(tmp_path / "a.jsonl", {"text": "One."}, '{"text": ', {"text": "Two."}))
    assert ([one.text for one in replies], [one.place for one in troubles]) == (["One.", "Two."], ["2"])


def table(path: Path, **columns: list[str]) -> Path:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(columns), path, row_group_size=2)
    return path


def test_parquet(tmp_path: Path) -> None:
    path = table(tmp_path / "a.parquet", text=["Fine.", LEAK, "Fine."], model=["m"] * 3, other=["x"] * 3)
    assert (kind_of(path), [one.place for one in read(path)[0]]) == ("parquet", ["row 1", "row 2", "row 3"])
    assert found_in(path) == ["tool_markup_in_content"]


def test_parquet_without_a_text_column_names_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"no column of texts.*colour"):
        read(table(tmp_path / "a.parquet", colour=["red"]))


def test_a_damaged_parquet_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 nothing else")
    with pytest.raises(InvalidInput, match=r"a.parquet cannot be read"):
        read(tmp_path / "a.parquet")


def test_without_pyarrow_it_says_how_to_add_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(tmp_path / "a.parquet", text=["x"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingLibrary, match=r"tool-calling-workbench\[parquet\]"):
        read(path)


def test_lm_studios_stream_of_its_log_has_what_the_model_wrote(tmp_path: Path) -> None:
    asked = {
        "timestamp": 1795168800000,
        "data": {"type": "llm.prediction.input", "modelIdentifier": "m", "input": LEAK},
    }
    told = {
        "timestamp": 1795168801000,
        "data": {"type": "llm.prediction.output", "modelIdentifier": "m", "output": "Hm."},
    }
    path = written(tmp_path / "lms.jsonl", asked, told)
    (reply,), troubles = read(path)
    assert (kind_of(path), troubles) == ("jsonl", [])
    assert (reply.text, reply.model, reply.server, reply.channel) == ("Hm.", "m", "LM Studio", Channel.RAW)
    assert reply.at_us == 1_795_168_801_000_000


def test_a_reply_beside_the_messages_that_were_asked(tmp_path: Path) -> None:
    asked = [{"role": "user", "content": "Weather?"}]
    path = written(tmp_path / "calls.jsonl", {"model": "m", "messages": asked, "response": chat_reply(LEAK)})
    assert found_in(path) == ["tool_markup_in_content"]
    talk = [*asked, {"role": "assistant", "content": LEAK}]
    assert found_in(written(tmp_path / "talk.jsonl", {"messages": talk, "response": "x"})) == ["tool_markup_in_content"]


def test_langsmiths_bulk_export(tmp_path: Path) -> None:
    message = {"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"content": LEAK}}
    outputs = {"generations": [[{"text": LEAK, "message": message}]]}
    run = {"id": "r", "run_type": "llm", "start_time": datetime(2026, 11, 20, 10, tzinfo=UTC), "inputs": "{}",
           "outputs": json.dumps(outputs), "extra": json.dumps({"metadata": {"ls_model_name": "m"}})}  # fmt: skip
    chain = {**run, "id": "c", "run_type": "chain"}
    parquet.write_table(pyarrow.Table.from_pylist([chain, run]), tmp_path / "runs.parquet")
    (reply,), _ = read(tmp_path / "runs.parquet")
    assert (reply.text, reply.model, reply.at_us) == (LEAK, "m", 1_795_168_800_000_000)


def test_rows_that_are_not_understood_are_counted_and_the_first_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"text": LEAK}, {"foo": 1, "bar": 2}, ["x"], {"text": "Fine."})
    replies, troubles = read(path)
    assert len(replies) == 2
    assert troubles == [("2", "2 of 4 rows were not understood; this is the first, its keys are foo, bar.")]


def test_rows_without_a_reply_are_understood(tmp_path: Path) -> None:
    asked = {"messages": [{"role": "user", "content": "Hi."}]}
    refused = {"request": chat_request(), "response": {"error": {"message": "Rate limit.", "code": 429}}}
    assert read(written(tmp_path / "a.jsonl", asked, refused, {"text": "Fine."}))[1] == []


def test_rows_of_parquet_without_a_text_are_counted(tmp_path: Path) -> None:
    table = pyarrow.table({"text": ["Fine.", None, LEAK]})
    parquet.write_table(table, tmp_path / "a.parquet")
    replies, troubles = read(tmp_path / "a.parquet")
    assert ([one.text for one in replies], [one.place for one in troubles]) == (["Fine.", LEAK], ["row 2"])


def test_streams_as_text_beside_their_requests(tmp_path: Path) -> None:
    chunks = [{"choices": [{"index": 0, "delta": {"content": LEAK[at : at + 5]}}]} for at in range(0, len(LEAK), 5)]
    stream = "".join(f"data: {json.dumps(one)}\n\n" for one in chunks) + "data: [DONE]\n\n"
    path = written(tmp_path / "a.jsonl", {"request": chat_request(), "response": stream}, {"text": "Fine."})
    assert ([one.text for one in read(path)[0]], found_in(path)) == ([LEAK, "Fine."], ["tool_markup_in_content"])

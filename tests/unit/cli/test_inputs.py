"""What users hand over: each complaint names the place, nothing is guessed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from workbench.cli import inputs
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolMode
from workbench.documents import read_json

TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}}}


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_json_complaints_have_line_and_column(tmp_path: Path) -> None:
    place = write(tmp_path, "tools.json", '[\n  {"a": 1,}\n]')
    with pytest.raises(InvalidInput, match=r"tools\.json.*line 2, column 11"):
        inputs.read_document(place)


def test_yaml_is_read_by_its_ending(tmp_path: Path) -> None:
    assert inputs.read_document(write(tmp_path, "tools.yaml", "- name: f\n")) == [{"name": "f"}]
    with pytest.raises(InvalidInput, match="line 2"):
        inputs.read_document(write(tmp_path, "broken.yml", "a: 1\n b: ]"))


def test_missing_and_binary_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nowhere"):
        inputs.read_text(str(tmp_path / "nowhere"))
    (tmp_path / "binary").write_bytes(b"abc\xff")
    with pytest.raises(InvalidInput, match="byte 3"):
        inputs.read_text(str(tmp_path / "binary"))
    with pytest.raises(InvalidInput, match="cannot be read"):
        inputs.read_text(str(tmp_path))


def test_deep_nesting_is_a_complaint_not_a_crash(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nested too deeply"):
        read_json("[" * 100_000, "the file")


def test_tools_file_with_mocks_and_modes(tmp_path: Path) -> None:
    document = {"tools": [TOOL], "mocks": {"get_weather": {"result": 21}}, "modes": {"get_weather": "record"}}
    (setup,) = inputs.read_tools(write(tmp_path, "t.json", json.dumps(document)))
    assert setup.spec.name == "get_weather"
    assert setup.mock.result == 21
    assert setup.mode is ToolMode.RECORD
    (bare,) = inputs.read_tools(write(tmp_path, "u.json", json.dumps([TOOL])), ToolMode.RECORD)
    assert bare.mode is ToolMode.RECORD


def test_python_s_own_numbers_are_no_json() -> None:
    with pytest.raises(InvalidInput, match="--extra: no JSON: there is no number 'NaN'"):
        inputs.parse_object('{"a": NaN}', "--extra")


def test_an_object_option_may_come_from_a_file(tmp_path: Path) -> None:
    place = write(tmp_path, "extra.json", '{"grammar": "root"}')
    assert inputs.parse_object(f"@{place}", "--extra") == {"grammar": "root"}
    with pytest.raises(InvalidInput, match="--extra is not a JSON object"):
        inputs.parse_object("[1]", "--extra")


def test_prompts_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hello"))
    assert inputs.read_text("-") == "hello"


def test_a_case_of_system_and_prompt() -> None:
    case = inputs.prompt_case("hi", "be brief")
    assert [(message.role, message.text) for message in case.messages] == [("system", "be brief"), ("user", "hi")]
    with pytest.raises(InvalidInput, match="empty"):
        inputs.prompt_case("  ")


def test_batch_rows(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "prompt": "one", "target": "model=m"},
        {"messages": [{"role": "user", "content": "two"}]},
        {"id": "c", "prompt": "three", "system": "own"},
    ]
    place = write(tmp_path, "b.jsonl", "\n".join(map(json.dumps, rows)) + "\n\n")
    cases = inputs.read_cases(place, "common")
    assert [case.id for case in cases] == ["a", "row-2", "c"]
    assert cases[0].target == "model=m"
    assert [message.text for message in cases[0].messages] == ["common", "one"]
    assert [message.text for message in cases[1].messages] == ["two"]
    assert cases[2].messages[0].text == "own"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no rows"),
        ("[1]", "line 1 is not a JSON object"),
        ('{"id": "a"}', "line 1 has neither"),
        ('{"prompt": "x"}\n{"prompt": ', "line 2"),
        ('{"id": "a", "prompt": "x"}\n{"id": "a", "prompt": "y"}', "repeats the id 'a'"),
        ('{"prompt": "x", "target": 5}', "'target' is not a text"),
        ('{"messages": [{"role": "king"}]}', r"messages\[0\]"),
    ],
)
def test_batch_complaints_name_the_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        inputs.read_cases(write(tmp_path, "b.jsonl", text))


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    place = tmp_path / "tools.json"
    place.write_text('{"a": 1}', encoding="utf-8-sig")
    assert inputs.read_document(str(place)) == {"a": 1}

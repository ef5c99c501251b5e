"""The parse command: one text, batches, bad input; nothing heavy is imported."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.plugins import kitty_folder
from workbench.cli import parse
from workbench.formats.plugins import Plugins, install

if TYPE_CHECKING:
    from pathlib import Path

CALL = '<tool_call>{"name": "now", "arguments": {"zone": "é"}}</tool_call>'


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str | bytes, *options: str
) -> tuple[int, str, str]:
    data = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    code = parse.main(options)
    out, err = capsys.readouterr()
    return code, out, err


def test_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(monkeypatch, capsys, "Hi " + CALL, "--format", "qwen_xml", "--json", "--chunk", "3")
    row = json.loads(out)
    assert code == 0
    assert row["calls"] == [
        {
            "name": "now",
            "arguments": {"zone": "é"},
            "id": "call_1",
            "outcome": "strict",
            "repairs": [],
            "danger": "safe",
            "span": [3, 3 + len(CALL)],
        }
    ]
    assert (row["format"], row["text"], row["reasoning"], row["problems"]) == ("qwen_xml", "Hi", "", [])


def test_for_people(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        monkeypatch, capsys, "<think>Hm.</think>Hi " + CALL + '<tool_call>{"name": "x", ', "--format", "qwen_xml"
    )
    assert code == 0
    assert "qwen_xml: 1 call, 1 strict, 0 recovered" in out
    assert 'now {"zone": "é"}' in out
    assert "reported truncated" in out
    assert "reasoning: Hm." in out
    assert "text: Hi" in out


def test_auto_and_all(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(monkeypatch, capsys, '[TOOL_CALLS][{"name": "a", "arguments": {}}]', "--json")
    assert json.loads(out)["format"] == "mistral_json"
    _, out, _ = run(monkeypatch, capsys, CALL, "--format", "all", "--json")
    rows = json.loads(out)
    assert len(rows) > 40
    assert {row["format"] for row in rows} >= {"qwen_xml", "react", "harmony"}


def test_tools_and_policy(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text('[{"type": "function", "function": {"name": "other"}}]', encoding="utf-8")
    _, out, _ = run(monkeypatch, capsys, CALL, "--format", "qwen_xml", "--tools", str(tools), "--json")
    (problem,) = json.loads(out)["problems"]
    assert (problem["code"], problem["outcome"]) == ("unknown_tool", "reported")
    _, out, _ = run(monkeypatch, capsys, CALL[:-12], "--format", "qwen_xml", "--policy", "strict", "--json")
    assert json.loads(out)["calls"] == []


def test_flags_of_a_family_count_for_every_format(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = "I look it up.</think>" + CALL
    _, out, _ = run(monkeypatch, capsys, opened, "--format", "auto", "--think-open", "--json")
    row = json.loads(out)
    assert (row["reasoning"], row["text"], len(row["calls"])) == ("I look it up.", "", 1)
    inside = f"<think>{CALL}</think>Done."
    _, out, _ = run(monkeypatch, capsys, inside, "--json")
    assert json.loads(out)["calls"] == []
    _, out, _ = run(monkeypatch, capsys, inside, "--calls-in-reasoning", "--json")
    assert [call["name"] for call in json.loads(out)["calls"]] == ["now"]
    _, out, _ = run(monkeypatch, capsys, inside, "--format", "all", "--calls-in-reasoning", "--json")
    assert [call["name"] for row in json.loads(out) if row["format"] == "qwen_xml" for call in row["calls"]] == ["now"]
    batch = json.dumps({"raw": inside}) + "\n" + json.dumps({"raw": inside, "calls_in_reasoning": False})
    _, out, _ = run(monkeypatch, capsys, batch, "--batch", "-", "--calls-in-reasoning")
    assert [len(json.loads(line)["calls"]) for line in out.splitlines()] == [1, 0]


def test_a_reply_in_a_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "reply.txt"
    file.write_text(CALL, encoding="utf-8")
    for given, text in ((str(file), ""), ("-", CALL)):
        code, out, _ = run(monkeypatch, capsys, text, given, "--format", "qwen_xml", "--json")
        assert (code, [call["name"] for call in json.loads(out)["calls"]]) == (0, ["now"])
    code, _, err = run(monkeypatch, capsys, "", str(file), "--batch", "-")
    assert (code, "--batch has a file of its own" in err) == (2, True)


def test_batch(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows: list[Any] = [
        {"id": "a", "format": "qwen_xml", "raw": CALL},
        {"id": "b", "format": "qwen_xml", "chunks": [CALL[:20], CALL[20:]]},
        {"id": "c", "format": "nope", "raw": "x"},
        {"id": "d", "format": "qwen_xml"},
        {"id": "e", "format": "qwen_xml", "raw": "x", "policy": "odd"},
        {"id": "f", "format": "qwen_xml", "raw": CALL, "tools": []},
        {"id": "g", "format": "qwen_xml", "raw": CALL[:-20], "finish_reason": "length"},
        {"id": "h", "format": "all", "raw": "x"},
        {"id": "i", "format": "auto", "raw": '{"tool": "a", "arguments": {"x": "\ud800"}}'},
        [1],
    ]
    path = tmp_path / "batch.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\nnot json\n\n", encoding="utf-8")
    code, out, _ = run(monkeypatch, capsys, "", "--batch", str(path))
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [row["id"] for row in found] == ["a", "b", "c", "d", "e", "f", "g", "h", "i", None, None]
    assert found[0]["calls"] == found[1]["calls"]
    assert "qwen_xml" in found[2]["error"]
    assert "raw" in found[3]["error"]
    assert "odd" in found[4]["error"]
    assert found[5]["problems"][0]["code"] == "unknown_tool"
    assert found[6]["problems"][0]["code"] == "truncated"
    assert len(found[7]["readings"]) > 40
    assert found[8]["format"] == "json_scaffold"
    assert [set(row) for row in found if "error" in row] == [{*found[0], "error"}] * 5
    assert (found[2]["format"], found[2]["calls"]) == ("nope", [])
    assert "Line 11" in found[10]["error"]


def test_batch_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(monkeypatch, capsys, json.dumps({"id": 1, "raw": CALL}), "--batch", "-", "--format", "qwen_xml")
    assert code == 0
    assert json.loads(out)["calls"][0]["name"] == "now"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--batch", "/no/such/file"), "cannot be read"),
        (("--tools", "/no/such/file"), "cannot be read"),
        (("--format", "qwen_xm"), "qwen_xml"),
        (("--chunk", "-1"), "negative"),
    ],
)
def test_bad_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    code, out, err = run(monkeypatch, capsys, "x", *options)
    assert code == 2
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_binary_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(monkeypatch, capsys, b"a\xffb", "--format", "qwen_xml", "--json")
    assert code == 0
    assert json.loads(out)["text"] == "a\ufffdb"
    assert "not UTF-8" in err


def test_text_as_windows_shells_redirect_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for data in (CALL.encode("utf-16"), b"\xfe\xff" + CALL.encode("utf-16-be"), CALL.encode("utf-8-sig")):
        _, out, err = run(monkeypatch, capsys, data, "--format", "qwen_xml", "--json")
        assert json.loads(out)["calls"][0]["span"] == [0, len(CALL)]
        assert err == ""


def test_nearly_json_row(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(monkeypatch, capsys, '{"id": NaN, "raw": "x"}', "--batch", "-")
    assert json.loads(out)["id"] is None
    assert "NaN" in json.loads(out)["error"]


def test_full_output_device(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    for options in (("--json",), ("--batch", "-")):
        code, _, err = run(monkeypatch, capsys, '{"raw": "x"}', *options)
        assert code == 2
        assert err == "workbench parse: The output cannot be written: No space left on device.\n"


def test_nan_and_infinity_in_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(
        monkeypatch,
        capsys,
        '<tool_call>{"name": "a", "arguments": {"x": 1e999}}</tool_call>',
        "--format",
        "qwen_xml",
        "--json",
    )
    assert "Infinity" not in out


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys; sys.argv = ['x']; from workbench.cli import parse; "
        "import workbench.formats; workbench.formats.list_formats(); "
        "print([name for name in ('PySide6', 'httpx', 'sqlalchemy', 'rich', 'typer', 'yaml', 'jsonschema') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_parse_all_begins_with_the_attribution(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "[TOOL_CALLS]now[ARGS]{}"
    _, out, _ = run(monkeypatch, capsys, text, "--format", "all")
    assert out.startswith("No fault found. No repair was needed. 1 call is strict mistral_args.\n\nreact: no call")
    _, out, _ = run(monkeypatch, capsys, text, "--format", "all", "--asked", "hermes")
    assert out.splitlines()[0].endswith("the server was set to qwen_xml; the call was lost by the parser.")
    _, out, _ = run(monkeypatch, capsys, text, "--format", "all", "--policy", "strict")
    assert out.startswith("No fault found.")
    code, _, err = run(monkeypatch, capsys, text, "--format", "all", "--asked", "nonsense")
    assert (code, "nonsense" in err) == (2, True)


def test_own_formats_of_a_data_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = kitty_folder(tmp_path / "plugins")
    (folder / "bad.py").write_text("x = 1", encoding="utf-8")
    text = '<kitty>{"name": "now", "arguments": {}}</kitty>'
    try:
        code, out, err = run(monkeypatch, capsys, text, "--format", "kitty", "--home", str(tmp_path))
        assert (code, out.splitlines()[0]) == (0, "kitty: 1 call, 1 strict, 0 recovered")
        assert "plug-in bad.py is not used" in err
    finally:
        install(Plugins())
    assert run(monkeypatch, capsys, text, "--format", "kitty")[0] == 2


def test_rows_take_defaults_from_the_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = json.dumps({"id": 1, "raw": '<tool_call>{"name": "now", "arguments": {}'})
    read: list[tuple[int, list[str]]] = []
    for options in (("--finish-reason", "length"), ("--tools", "")):
        _, out, _ = run(monkeypatch, capsys, row, "--batch", "-", "--format", "qwen_xml", "--chunk", "3", *options)
        found = json.loads(out)
        read.append((len(found["calls"]), [problem["code"] for problem in found["problems"]][:1]))
    assert read == [(0, ["truncated"]), (1, [])]


def test_a_reply_cannot_steer_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(monkeypatch, capsys, "a\x1b[31mred\x9b2J", "--format", "react")
    assert out == "react: no call\n  text: a␛[31mred�2J\n"
    _, out, _ = run(monkeypatch, capsys, "a\x1b[31mred", "--format", "react", "--json")
    assert json.loads(out)["text"] == "a\x1b[31mred"


def test_terminal_user_sees_what_is_awaited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Keyboard(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Keyboard(io.BytesIO(b"Hi"), encoding="utf-8"))
    assert parse.main(["--format", "react"]) == 0
    out, err = capsys.readouterr()
    assert (out, "Ctrl+D" in err) == ("react: no call\n  text: Hi\n", True)


@pytest.mark.parametrize("options", [("--asked", "react"), ("--asked", "react", "--format", "auto")])
def test_the_format_asked_for_belongs_to_all_readings(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(monkeypatch, capsys, "Hi", *options)
    assert (code, "--format all" in err) == (2, True)

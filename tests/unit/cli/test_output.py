"""Verdicts are told apart by shape and word; nothing a model writes steers the terminal."""

from __future__ import annotations

import io
import json
import sys

import pytest

from workbench.cli import output
from workbench.cli.failures import OutputClosed
from workbench.cli.output import progress, working_line
from workbench.core.errors import InvalidInput
from workbench.core.verdict import VerdictState


def test_every_verdict_has_its_own_shape_and_word() -> None:
    looks = list(output.LOOKS.values())
    assert len({look.shape for look in looks}) == len(looks)
    assert len({look.word for look in looks}) == len(looks)
    assert {state.value for state in VerdictState} <= set(output.LOOKS)
    assert str(output.LOOKS["fail"]) == "✕ fail"


def test_json_keeps_unicode_and_lone_surrogates(capsys: pytest.CaptureFixture[str]) -> None:
    output.write_json({"text": "Ω"})
    assert capsys.readouterr().out == '{"text": "Ω"}\n'
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace")
    output.write(json.dumps({"text": "\ud800"}, ensure_ascii=False), stream)
    assert json.loads(raw.getvalue()) == {"text": "\ud800"}


def test_a_long_list_is_written_item_by_item(capsys: pytest.CaptureFixture[str]) -> None:
    with output.json_list() as add:
        add({"a": 1})
        assert capsys.readouterr().out == '[{"a": 1}\n'
        add("Ω")
    assert json.loads('[{"a": 1}\n' + capsys.readouterr().out) == [{"a": 1}, "Ω"]
    with output.json_list():
        pass
    assert capsys.readouterr().out == "[]\n"
    with pytest.raises(ValueError), output.json_list() as add:
        raise ValueError
    assert capsys.readouterr().out == ""


def test_broken_pipe_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    with pytest.raises(OutputClosed):
        output.write("x")
    with pytest.raises(OutputClosed):
        output.write_table(("a",), [("b",)])
    with pytest.raises(OutputClosed):
        output.styled(output.LOOKS["pass"])


def test_a_full_disk_is_a_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(InvalidInput, match="No space left"):
        output.write("x")


def test_tables_in_a_pipe_are_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    output.write_table(("name", "n"), [("x" * 300, 5), (output.LOOKS["pass"], None)], right=("n",))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "n"]
    assert lines[1].split() == ["x" * 300, "5"]
    assert lines[2].strip() == "● pass"


def test_text_in_tables_is_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    output.write_table(("a",), [("[bold]x[/bold] :smile:",)])
    assert "[bold]x[/bold] :smile:" in capsys.readouterr().out


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_only_on_a_colour_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Screen()
    output.styled(output.LOOKS["pass"], " after", screen)
    assert screen.getvalue().startswith("\x1b[34m● pass\x1b[0m")
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Screen()
    output.styled(output.LOOKS["pass"], " after", plain)
    assert plain.getvalue() == "● pass after\n"
    pipe = io.StringIO()
    output.styled(output.LOOKS["pass"], " after", pipe)
    assert pipe.getvalue() == "● pass after\n"


def test_narrow_terminals_keep_columns_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    output.write_table(("run", "prompt"), [("2026-11-21T00:06:20Z", "a long prompt " * 9)], whole=("run",))
    assert "2026-11-21T00:06:20Z  a long prompt" in screen.getvalue()


def test_no_column_vanishes_on_the_narrowest_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("NO_COLOR", "1")
    names = ["run", "started", "verdict", "target", "calls", "prompt", "codes"]
    output.write_table(names, [[f"{name} value" for name in names]], whole=("run", "started"))
    for name in names:
        assert name in screen.getvalue().splitlines()[0]


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, total: int | None, **options: bool) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress("runs", total, **options) as done:
        for _ in range(total or 3):
            done(1)
    return stream.getvalue()


def test_silence_in_a_pipe_and_for_one_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO(), 9) == ""
    assert shown(monkeypatch, Screen(), 1) == ""
    assert shown(monkeypatch, Screen(), 9, hidden=True) == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert "9/9" in shown(monkeypatch, Screen(), 9)
    assert "runs" in shown(monkeypatch, Screen(), None)


def test_a_changing_line_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, seen in ((Screen(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with working_line() as tell:
            tell("9 \x1b[31mof 10")
            tell("told too soon")
        assert ("9 ␛[31mof 10" in stream.getvalue()) is seen
        assert "too soon" not in stream.getvalue()

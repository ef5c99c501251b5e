"""Which modules a command line loads, and that its codes and streams are right."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from workbench.cli import dispatch as module
from workbench.cli.dispatch import COMMANDS, DIRECT, dispatch, take_home, wanted


def test_one_command_loads_one_module() -> None:
    assert list(wanted(["formats", "--json"])) == ["formats"]
    assert list(wanted(["--home", "x", "show", "1"])) == ["history"]
    assert set(wanted(["--help"])) == set(COMMANDS.values())
    assert set(wanted(["misspelt"])) == set(COMMANDS.values())
    assert set(wanted([])) == set(COMMANDS.values())


def test_home_before_a_command() -> None:
    assert take_home(["--home", "x", "parse"]) == (["parse"], "x")
    assert take_home(["--home=x", "parse"]) == (["parse"], "x")
    assert take_home(["parse", "--home", "x"]) == (["parse", "--home", "x"], None)


def test_direct_commands_get_their_arguments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[list[str]] = []

    class Fake:
        @staticmethod
        def main(argv: list[str]) -> int:
            seen.append([*argv, os.environ["WORKBENCH_HOME"]])
            return 7

    monkeypatch.setattr(module.importlib, "import_module", lambda name: Fake)
    assert dispatch(["--home", str(tmp_path), "parse", "--format", "auto"]) == 7
    assert seen == [["--format", "auto", str(tmp_path)]]


def test_output_is_utf8_in_any_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert dispatch(["--version"]) == 0
    print("● \ud800")
    sys.stdout.flush()
    assert "● \\ud800" in raw.getvalue().decode("utf-8")


@pytest.mark.parametrize("argv", [["misspelt"], ["show"], ["formats", "--odd"], ["run", "--repeat", "0", "x"]])
def test_wrong_use_is_two(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(argv) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err
    assert "Traceback" not in seen.err


@pytest.mark.parametrize("name", [*COMMANDS])
def test_every_command_has_help_with_home(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert "--home DIR" in text
    assert f"workbench {name}" in text


def test_the_list_of_commands_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["--help"]) == 0
    text = capsys.readouterr().out
    assert not [name for name in (*COMMANDS, *DIRECT) if f"  {name} " not in text]


def test_home_may_stand_before_or_after(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for argv in (["--home", str(tmp_path / "a"), "db", "path"], ["db", "path", "--home", str(tmp_path / "a")]):
        assert dispatch(argv) == 0
        assert capsys.readouterr().out == f"{tmp_path / 'a' / 'workbench.db'}\n"


@pytest.mark.parametrize("argv", [["parse", "--json"], ["send", "--batch", "-"], ["run", "-"]])
def test_a_closed_input_is_an_empty_one(
    argv: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert dispatch(argv) in (0, 2)
    sys.stdin.close()
    assert "fault of the program" not in capsys.readouterr().err

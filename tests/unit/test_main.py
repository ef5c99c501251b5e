"""The command without arguments: the window, or a clear word why there is none."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from workbench import __main__ as module


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A Linux without any display; commands are noted instead of run."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    ran: list[list[str]] = []
    monkeypatch.setattr(module, "_command", lambda argv: ran.append(argv) or 0)
    return ran


def test_arguments_are_commands(bare: list[list[str]]) -> None:
    assert module.main(["formats", "--json"]) == 0
    assert bare == [["formats", "--json"]]


def test_without_a_display_the_demo_runs(bare: list[list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    assert module.main([]) == 0
    assert bare == [["demo", "--screenshot", "workbench-demo.png"]]
    assert "There is no display" in capsys.readouterr().err


def test_window_that_is_not_installed(
    bare: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "window_installed", lambda: False)
    assert module.main([]) == 0
    assert bare == [["demo"]]
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert module.main([]) == 2
    assert "tool-calling-workbench[gui]" in capsys.readouterr().err


def test_unreachable_display(bare: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":973")
    assert "does not answer" in module.no_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert module.no_display() == ""


def test_other_systems_always_have_a_display(monkeypatch: pytest.MonkeyPatch, bare: list[list[str]]) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert module.no_display() == ""


def test_a_missing_library_is_named_with_the_line_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(name: str) -> object:
        raise ImportError("libGL.so.1: cannot open shared object file")

    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(module.importlib, "import_module", refuse)
    assert module.main([]) == 2
    told = capsys.readouterr().err
    assert "libGL.so.1" in told
    assert "apt-get install" in told
    assert "Traceback" not in told


def test_the_window_gets_its_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[tuple[list[str], Path | None, Path | None]] = []
    fake = SimpleNamespace(launch=lambda argv, home, file: seen.append((argv, home, file)) or 5)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(module, "missing_library", lambda: "")
    monkeypatch.setattr(module.importlib, "import_module", lambda name: fake)
    assert module.main(["--home", str(tmp_path)]) == 5
    assert module.main([f"--home={tmp_path}"]) == 5
    assert module.main([]) == 5
    assert [home for _, home, _ in seen] == [tmp_path, tmp_path, None]


def test_the_real_library_is_found() -> None:
    assert module.missing_library() == ""


@pytest.mark.parametrize(
    ("argv", "home", "file"),
    [
        ([], None, None),
        (["open"], None, None),
        (["--home", "h", "open", "a.yaml"], "h", "a.yaml"),
        (["--home=h"], "h", None),
        (["open", "a b.case.json"], None, "a b.case.json"),
    ],
)
def test_window_is_asked_for(argv: list[str], home: str | None, file: str | None) -> None:
    asked = module.window_asked(argv)
    assert asked is not None
    assert asked.home == (Path(home) if home else None)
    assert asked.file == (Path.cwd() / file if file else None)


@pytest.mark.parametrize("argv", [["formats"], ["open", "--help"], ["open", "a", "b"], ["--home", "h", "run"]])
def test_everything_else_is_a_command(argv: list[str]) -> None:
    assert module.window_asked(argv) is None


def test_case_file_that_is_not_there(bare: list[list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    assert module.main(["open", "no-such.yaml"]) == 2
    assert "There is no file" in capsys.readouterr().err
    assert bare == []

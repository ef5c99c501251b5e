"""Reports of our own faults hold what a reader needs and no key, whoever writes them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workbench.settings.crash_reports import KEPT, crash_report, note_crash, write_crash_report
from workbench.settings.secrets import SecretBox
from workbench.settings.values import ProviderConfig

TYPED = "sk-proj-typed-0123456789"


def fault(text: str = "boom") -> Exception:
    try:
        raise KeyError(text)
    except KeyError as error:
        return error


def test_report_names_the_place_the_program_and_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["workbench", "run", "a private prompt"])
    report = crash_report(fault())
    assert report.startswith("Tool-Calling Workbench ")
    assert "Command: run\n" in report
    assert "test_crash_reports.py" in report
    assert "KeyError: 'boom'" in report
    assert "private" not in report


@pytest.mark.parametrize("kept", [True, False])
def test_keys_of_every_source_are_masked(monkeypatch: pytest.MonkeyPatch, kept: bool) -> None:
    monkeypatch.setenv("MY_API_KEY", "env-0123456789")
    monkeypatch.setenv("HARMLESS", "visible-value")
    box = SecretBox()
    box.set(ProviderConfig("A", key="session"), TYPED)
    if not kept:
        del box  # the part of the program that had the key is gone; the report comes later
    report = crash_report(fault(f"sent {TYPED} and env-0123456789 with visible-value, %73k-proj-typed-0123456789"))
    assert "typed-0123456789" not in report
    assert "env-0123456789" not in report
    assert "visible-value" in report


def test_reports_of_one_second_do_not_replace_each_other(tmp_path: Path) -> None:
    paths = {note_crash(fault(str(number)), tmp_path / "logs") for number in range(5)}
    assert len(paths) == len(list((tmp_path / "logs").iterdir())) == 5


def test_old_reports_go(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"crash-20200101T{number:06d}Z.txt").write_text("old")
    path = write_crash_report("new", tmp_path)
    assert path is not None
    assert path.read_text() == "new"
    assert len(list(tmp_path.glob("crash-*.txt"))) == KEPT


def test_report_goes_into_the_data_folder(home: Path) -> None:
    path = note_crash(fault())
    assert path is not None
    assert path.parent == home / "logs"


def test_write_error_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file stands here")
    assert note_crash(fault(), tmp_path / "logs") is None

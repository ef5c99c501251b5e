"""The window is photographed by a child; what goes wrong there is one clear line here."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.cli import picture
from workbench.cli.picture import take_picture
from workbench.core.errors import InvalidInput, MissingLibrary


def child(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(picture, "CHILD", code)


def test_the_child_gets_place_and_run_and_no_display(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    child(
        monkeypatch,
        "import os, pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2] + os.environ['QT_QPA_PLATFORM'])",
    )
    place = tmp_path / "a.png"
    take_picture(str(place), "run-1")
    assert place.read_text() == "run-1offscreen"
    assert str(place) in capsys.readouterr().err


@pytest.mark.parametrize("code", ["raise ImportError('libGL.so.1: no such file')", "pass"])
def test_a_child_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str) -> None:
    child(monkeypatch, code)
    with pytest.raises(MissingLibrary, match="could not be photographed"):
        take_picture(str(tmp_path / "a.png"), "")


def test_a_child_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    child(monkeypatch, "import time; time.sleep(60)")
    monkeypatch.setattr(picture, "LIMIT_S", 0.3)
    with pytest.raises(MissingLibrary, match="did not come up"):
        take_picture(str(tmp_path / "a.png"), "")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="does not exist"):
        take_picture(str(tmp_path / "no" / "a.png"), "")

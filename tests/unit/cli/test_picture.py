"""The window is photographed by a child; what goes wrong there is one clear line here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.history import record
from tests.kit.playback import play, reply
from workbench.cli import picture
from workbench.cli.failures import apt_line
from workbench.cli.picture import copy_runs, picture_place, take_picture
from workbench.core.errors import InvalidInput, MissingLibrary
from workbench.store import Store

IDENT = "01890000-0000-7000-8000-000000000001"


def child(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(picture, "CHILD", code)


def test_the_child_gets_place_and_run_and_no_display(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    child(
        monkeypatch,
        "import os, pathlib, sys\n"
        "place, run, home = sys.argv[1:]\n"
        "size = pathlib.Path(home, 'workbench.db').stat().st_size\n"
        "pathlib.Path(place).write_text(f'{run} {size > 0} {os.environ[\"QT_QPA_PLATFORM\"]}')",
    )
    events = play(reply("Hello."))
    record([replace(events[0], origin="demo"), *events[1:]])
    place = tmp_path / "a.png"
    take_picture(place, IDENT)
    assert place.read_text() == f"{IDENT} True offscreen"
    assert str(place) in capsys.readouterr().err
    take_picture(place, "somebody else's")
    assert place.read_text() == " True offscreen"


def test_only_the_demos_runs_are_copied(tmp_path: Path) -> None:
    events = play(reply("Hello."))
    other = play(reply("Secret."), run_id="01890000-0000-7000-8000-000000000002")
    record([replace(events[0], origin="demo"), *events[1:]], other)
    assert copy_runs(tmp_path / "copy") == [IDENT]
    store = Store.open(tmp_path / "copy" / "workbench.db")
    try:
        assert [row.id for row in store.list_runs()] == [IDENT]
    finally:
        store.close()


def test_a_missing_system_library_is_told_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    child(monkeypatch, "raise ImportError('libGL.so.1: cannot open shared object file: No such file or directory')")
    with pytest.raises(MissingLibrary, match=r"libGL\.so\.1") as caught:
        take_picture(tmp_path / "a.png", "")
    assert apt_line() in str(caught.value)


@pytest.mark.parametrize("code", ["raise ImportError('libGL.so.1: no such file')", "pass"])
def test_failing_child_process_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str) -> None:
    child(monkeypatch, code)
    with pytest.raises(MissingLibrary, match="could not be photographed"):
        take_picture(tmp_path / "a.png", "")


def test_hanging_child_process_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    child(monkeypatch, "import time; time.sleep(60)")
    monkeypatch.setattr(picture, "LIMIT_S", 0.3)
    with pytest.raises(MissingLibrary, match="did not come up"):
        take_picture(tmp_path / "a.png", "")


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="does not exist"):
        picture_place(str(tmp_path / "no" / "a.png"))


def test_missing_window_is_told_before_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(picture, "find_spec", lambda name: None)
    with pytest.raises(MissingLibrary, match=r"tool-calling-workbench\[gui\]"):
        picture_place(str(tmp_path / "a.png"))

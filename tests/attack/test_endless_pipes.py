"""Pipes in place of files: whatever command is told to read one, or finds one in the data folder, no command waits for ever."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from workbench.cli.dispatch import dispatch
from workbench.core import whole_files

CASES: dict[str, list[str]] = yaml.safe_load((Path(__file__).parent / "cases" / "pipes.yaml").read_text("utf-8"))
pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes that have a path")


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_files, "FIRST_BYTE_S", 0.01)
    monkeypatch.setattr(whole_files, "END_S", 0.05)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("line", CASES["read"])
def test_a_pipe_without_an_end_is_refused(
    line: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody fills it; and somebody begins to, and does not come to an end."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    held = None
    for begun in (b"", b'{"prompt": "hi"}\n'):
        if begun and "--batch PIPE" not in line:  # lines are answered as they come
            held = os.open(pipe, os.O_RDWR)
            os.write(held, begun)
        code = dispatch([word.replace("PIPE", str(pipe)).replace("OUT", str(tmp_path)) for word in line.split()])
        told = capsys.readouterr().err.splitlines()[-1]
        assert code == 2, told
        assert any(why in told for why in ("nothing came", "did not end", "no regular file", "is not there")), told
        assert "Errno" not in told, "a number in place of words"
    if held is not None:
        os.close(held)
    assert not list(home.glob("logs/crash*"))


@pytest.mark.parametrize("line", CASES["read"])
def test_a_folder_in_place_of_a_file_is_told_in_words(
    line: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder.json"
    folder.mkdir()
    dispatch([word.replace("PIPE", str(folder)).replace("OUT", str(tmp_path / "out")) for word in line.split()])
    told = capsys.readouterr().err
    assert "Errno" not in told, told
    assert not list(home.glob("logs/crash*"))


@pytest.mark.parametrize("line", CASES["own"])
def test_a_pipe_in_the_data_folder_is_not_waited_for(line: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody sets a limit of time here: none is needed."""
    name, _, command = line.partition(": ")
    (home / name).parent.mkdir(parents=True)
    os.mkfifo(home / name)
    assert dispatch(command.split()) in (0, 2)
    told = capsys.readouterr().err
    assert not any(word in told for word in ("fault of the program", "Errno", "disk is full")), told

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.core.errors import ToolError, UnknownName
from workbench.tools import write_journal
from workbench.tools.workspace import Workspace
from workbench.tools.write_journal import WriteJournal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.md").write_text("old")
    return tmp_path / "work"


@pytest.fixture
def journal(tmp_path: Path) -> WriteJournal:
    return WriteJournal(tmp_path / "journal")


def test_an_overwritten_file_comes_back(journal: WriteJournal, folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        noted = journal.write(workspace, "a.md", b"new")
    assert (noted.created, noted.size, noted.path) == (False, 3, "a.md")
    assert (folder / "a.md").read_text() == "new"

    journal.undo(noted.id)

    assert (folder / "a.md").read_text() == "old"
    assert journal.writes() == ()
    with pytest.raises(UnknownName):
        journal.undo(noted.id)


def test_a_created_file_is_removed(journal: WriteJournal, folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        noted = journal.write(workspace, "new/b.md", b"x")
    assert (noted.id, journal.find("1")) == ("000001", noted)
    journal.undo("1")
    assert not (folder / "new" / "b.md").exists()


def test_undo_skips_files_changed_since(journal: WriteJournal, folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        noted = journal.write(workspace, "a.md", b"new")
    (folder / "a.md").write_text("by hand")

    with pytest.raises(ToolError, match="changed since"):
        journal.undo(noted.id)

    assert (folder / "a.md").read_text() == "by hand"


def test_undo_does_not_follow_links(journal: WriteJournal, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("new")
    with Workspace.open(folder) as workspace:
        noted = journal.write(workspace, "a.md", b"new")
    (folder / "a.md").unlink()
    (folder / "a.md").symlink_to(other)

    with pytest.raises(ToolError, match="Links are not followed"):
        journal.undo(noted.id)

    assert other.read_text() == "new"


def test_a_refused_write_leaves_no_note(journal: WriteJournal, folder: Path) -> None:
    with Workspace.open(folder) as workspace, pytest.raises(ToolError):
        journal.write(workspace, "a.md/b", b"x")
    assert journal.writes() == ()


def test_the_journal_is_private_and_bounded(
    journal: WriteJournal, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_journal, "KEPT", 3)
    with Workspace.open(folder) as workspace:
        for number in range(5):
            journal.write(workspace, "a.md", f"{number}".encode())
    assert [noted.id for noted in journal.writes()] == ["000003", "000004", "000005"]
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "journal").iterdir()} == {0o600}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_what_cannot_be_noted_is_not_written(
    journal: WriteJournal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open
    for full in (".json", ".before"):
        with monkeypatch.context() as patch, Workspace.open(folder) as workspace:
            patch.setattr(
                write_journal.os,
                "open",
                lambda path, *how, end=full, **more: (
                    real("/dev/full", os.O_WRONLY) if str(path).endswith(end) else real(path, *how, **more)
                ),
            )
            with pytest.raises(ToolError, match="No space left on device"):
                journal.write(workspace, "a.md", b"new")
    assert (folder / "a.md").read_text() == "old"
    assert journal.writes() == ()
    assert not [*(folder.parent / "journal").iterdir()]
    (folder.parent / "journal").rmdir()
    (folder.parent / "journal").write_text("")
    with Workspace.open(folder) as workspace, pytest.raises(ToolError, match="it cannot be noted"):
        journal.write(workspace, "a.md", b"new")

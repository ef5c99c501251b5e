from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.escape_scene import SECRET
from tests.kit.waiting import LIMIT_S
from workbench.core.errors import InvalidInput, ToolError
from workbench.tools import workspace as module
from workbench.tools.workspace import LEFTOVER, Workspace, check_workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work" / "notes").mkdir(parents=True)
    (tmp_path / "work" / "notes" / "a.md").write_text("one")
    return tmp_path / "work"


@pytest.fixture(params=["openat2", "stepwise"])
def workspace(folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    if request.param == "stepwise":
        monkeypatch.setattr(module, "_open_beneath", lambda *_: None)
    with Workspace.open(folder) as opened:
        yield opened


def test_files_are_read_written_listed_and_removed(workspace: Workspace, folder: Path) -> None:
    workspace.write("new/deep/b.txt", b"two")

    assert workspace.read("new/deep/b.txt") == b"two"
    assert workspace.read(str(folder / "notes" / "a.md")) == b"one"
    entries, more = workspace.entries(".")
    assert [(one.name, one.kind) for one in entries] == [("new", "folder"), ("notes", "folder")]
    assert not more
    workspace.remove("new/deep/b.txt")
    assert workspace.look("new/deep/b.txt") is None


def test_a_replaced_file_keeps_its_permissions_but_no_special_bits(workspace: Workspace, folder: Path) -> None:
    (folder / "run.sh").write_text("x")
    (folder / "run.sh").chmod(0o4755)

    workspace.write("run.sh", b"y")

    assert (folder / "run.sh").stat().st_mode & 0o7777 == 0o755


def test_a_missing_file_is_told_without_the_place_of_the_workspace(workspace: Workspace, folder: Path) -> None:
    with pytest.raises(ToolError) as caught:
        workspace.read("none.txt")
    assert "none.txt" in str(caught.value)
    assert str(folder) not in str(caught.value)


@pytest.mark.parametrize("place", ["/", "/proc", "/etc", "/usr/lib", "/dev"])
def test_folders_of_the_system_are_no_workspace(place: str) -> None:
    with pytest.raises(InvalidInput, match="belongs to the system"):
        check_workspace(Path(place))


def test_the_home_and_the_data_folder_are_no_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for refused in (tmp_path, data):
        with pytest.raises(InvalidInput, match="keys and settings"):
            check_workspace(refused, data)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(InvalidInput, match="keys and settings"):
        check_workspace(tmp_path)
    with pytest.raises(InvalidInput, match="no folder"):
        check_workspace(tmp_path / "none")


def test_a_folder_swapped_for_a_link_is_never_followed(workspace: Workspace, folder: Path, tmp_path: Path) -> None:
    """A race: another process swaps a folder and a link to the outside as fast as it can."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f.txt").write_text(SECRET)
    (folder / "real").mkdir()
    (folder / "real" / "f.txt").write_text("harmless")
    (folder / "link").symlink_to(outside)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            for name in ("real", "link"):
                with contextlib.suppress(OSError):
                    (folder / name).rename(folder / "door")
                    (folder / "door").rename(folder / name)

    thread = threading.Thread(target=swap)
    thread.start()
    seen, wrote, tries = set(), 0, 0
    limit = time.monotonic() + LIMIT_S
    try:
        while tries < 1500 or (not seen and not wrote and time.monotonic() < limit):
            tries += 1
            with contextlib.suppress(ToolError):
                seen.add(workspace.read("door/f.txt"))
            with contextlib.suppress(ToolError):
                workspace.write("door/g.txt", b"x")
                wrote += 1
    finally:
        stop.set()
        thread.join()
    assert seen <= {b"harmless"}
    assert sorted(path.name for path in outside.iterdir()) == ["f.txt"]
    assert seen or wrote, "the race was never met"


def test_a_file_swapped_for_a_link_is_never_followed(workspace: Workspace, folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "secret.txt"
    outside.write_text(SECRET)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError):
                (folder / "t").write_text("harmless")
                (folder / "t").replace(folder / "door")
                (folder / "t").symlink_to(outside)
                (folder / "t").replace(folder / "door")

    thread = threading.Thread(target=swap)
    thread.start()
    seen = set()
    try:
        for _ in range(1500):
            with contextlib.suppress(ToolError):
                seen.add(workspace.read("door"))
            with contextlib.suppress(ToolError):
                workspace.write("door", b"mine")
    finally:
        stop.set()
        thread.join()
    assert seen <= {b"harmless", b"mine", b""}
    assert outside.read_text() == SECRET


def test_a_growing_file_is_cut_at_the_limit(folder: Path) -> None:
    with Workspace.open(folder, largest=10) as workspace:
        (folder / "big").write_bytes(b"x" * 11)
        with pytest.raises(ToolError, match="larger than 10"):
            workspace.read("big")
        with pytest.raises(ToolError, match="larger than 10"):
            workspace.write("new", b"x" * 11)


def test_parts_of_a_killed_process_are_taken_away(folder: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from workbench.tools.workspace import Workspace\n"
        "os.rename = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)\n"
        "Workspace.open(Path(sys.argv[1])).write('notes/a.md', b'half')\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [path for path in folder.iterdir() if path.name.startswith(LEFTOVER)]
    assert (folder / "notes" / "a.md").read_text() == "one"

    with Workspace.open(folder) as workspace:
        names = [entry.name for entry in workspace.entries(".")[0]]

    assert names == ["notes"]

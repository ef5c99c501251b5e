"""Many programs change the settings at once, and some are killed while they write: nothing is lost, the file is always whole."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kit.waiting import LIMIT_S
from workbench.settings.config import load_settings

ROOT = Path(__file__).resolve().parents[2]
WRITER = """
import sys
from pathlib import Path
from workbench.app.data_folder import DataFolder
from workbench.settings.config import ProviderConfig

folder = DataFolder.find()
folder.saved_settings
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    name = f"{sys.argv[1]}-{number}"
    folder.save(folder.saved_settings.with_provider(ProviderConfig(name, retries=number % 7)))
    print(name, flush=True)
"""


def start(name: str, count: int) -> subprocess.Popen[str]:
    """A program that has read the settings and waits for `go` to add `count` providers."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, name, str(count)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def added(processes: list[subprocess.Popen[str]]) -> set[str]:
    """What the programs told that it is saved."""
    return {line for process in processes for line in process.communicate(timeout=LIMIT_S)[0].split()}


def names(home: Path) -> set[str]:
    return {provider.name for provider in load_settings(home / "settings.toml").providers}


@pytest.mark.parametrize(("programs", "each"), [(4, 5), pytest.param(100, 1, marks=pytest.mark.long)])
def test_parallel_programs_keep_every_provider(home: Path, programs: int, each: int) -> None:
    processes = [start(f"p{number}", each) for number in range(programs)]
    for process in processes:
        go(process)
    told = added(processes)
    assert len(told) == programs * each
    assert names(home) == told


@pytest.mark.parametrize("kills", [4, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.timeout(3600)
def test_killed_writers_leave_a_whole_file(home: Path, kills: int) -> None:
    dice = random.Random(7)
    kept: set[str] = set()
    for number in range(kills):
        process = start(f"k{number}", 200)
        go(process)
        time.sleep(dice.random() * 0.15)
        process.kill()
        kept |= added([process])
        found = names(home) if kept else set()  # raises if the file is not whole
        assert kept <= found
    leftovers = [path.name for path in home.iterdir() if path.name.endswith(".part")]
    assert len(leftovers) <= kills  # what a kill left lies beside the file, under a name that nobody reads

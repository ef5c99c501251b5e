"""`packaging/dev.py`: how far the set-up is, packages that were kept, nothing to do the second time; failed tests again."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.specifiers import SpecifierSet

from tests.kit.tree import ROOT


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, over a folder of the test's own."""
    spec = importlib.util.spec_from_file_location("dev_script", ROOT / "packaging" / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    venv = tmp_path / ".venv"
    venv.mkdir()
    monkeypatch.setattr(made, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(made, "STAMP", venv / "installed.txt")
    monkeypatch.setattr(made, "WHEELS", tmp_path / "wheels")
    monkeypatch.setattr(made, "install_packages", lambda *_, **__: None)
    return made


def test_the_second_set_up_installs_nothing(dev: ModuleType, monkeypatch, capsys) -> None:
    asked: list[str] = []
    monkeypatch.setattr(dev, "install", lambda what: asked.append(what) or True)
    dev.setup("test")
    dev.setup("test")
    dev.setup("gui")
    assert len(asked) == 1
    assert "ready after 0 s" in capsys.readouterr().err
    dev.STAMP.write_text("old test 48\n")
    dev.setup("test")
    assert "it took 48 s the last time" in capsys.readouterr().err


def test_kept_packages_are_taken_first(dev: ModuleType, monkeypatch, capsys) -> None:
    tries: list[tuple[str, ...]] = []
    monkeypatch.setattr(dev, "told", lambda _command, *more: tries.append(more) or not more)
    assert dev.install("folder")
    assert tries == [()]
    dev.WHEELS.mkdir()
    (dev.WHEELS / "a.whl").touch()
    assert dev.install("folder")
    assert tries[1:] == [("--no-index", "--find-links", str(dev.WHEELS)), ()]
    assert "does not hold everything" in capsys.readouterr().err


def test_progress_is_told_and_a_failure_in_full(dev: ModuleType, monkeypatch, capsys) -> None:
    monkeypatch.setattr(dev, "TOLD_EVERY_S", 0.0)
    found = "Requirement already satisfied: b in /here"
    script = f"print('Collecting a'); print({found!r}); print({found!r}); print('Installing collected packages: a')"
    assert dev.told([sys.executable, "-c", script])
    told = capsys.readouterr().err
    assert "2 packages looked at" in told
    assert "installing, " in told
    assert not dev.told([sys.executable, "-c", "print('no such package'); raise SystemExit(1)"])
    assert "no such package" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "left"), [("late", 0), ("wrong", 1)])
def test_what_failed_beside_others_runs_once_more_alone(
    dev: ModuleType, monkeypatch, capsys, tmp_path: Path, name: str, left: int
) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_one.py").write_text(
        "from pathlib import Path\n"
        "def test_late():\n    seen = Path('seen').exists()\n    Path('seen').touch()\n    assert seen\n"
        "def test_wrong():\n    assert False\n"
        "def test_right():\n    Path('right').open('a').write('.')\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-k", f"{name} or right"]
    assert subprocess.run(command, cwd=tmp_path, check=False, capture_output=True).returncode == dev.TESTS_FAILED
    assert dev.again_alone(dict(os.environ)) == left
    told = capsys.readouterr().err
    assert f"once more, alone: test_one.py::test_{name}" in told
    assert ("UNSTEADY" in told) is (not left)
    assert (tmp_path / "right").read_text() == "."


def test_many_failures_are_not_repeated(dev: ModuleType, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev.subprocess, "run", lambda *_, **__: pytest.fail("asked again"))
    kept = tmp_path / ".pytest_cache" / "v" / "cache"
    kept.mkdir(parents=True)
    (kept / "lastfailed").write_text(json.dumps({f"test_one.py::test_{number}": True for number in range(4)}))
    assert dev.again_alone({}) == dev.TESTS_FAILED


def test_every_pinned_package_runs_on_the_oldest_python_that_is_promised() -> None:
    """One that asks for a later 3.11 stops the set-up on a system of that age, such as Debian 12."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        oldest = tomllib.load(file)["project"]["requires-python"].removeprefix(">=") + ".0"
    pinned = [line.partition("==")[0] for line in (ROOT / "packaging" / "constraints.txt").read_text().split("\n")]
    here = {one.metadata["Name"].lower(): one.metadata.get("Requires-Python") for one in metadata.distributions()}
    wanted = {name: here.get(name.lower()) for name in pinned if name and not name.startswith("#")}
    assert [name for name, asks in wanted.items() if asks and oldest not in SpecifierSet(asks)] == []
    assert sum(asks is not None for asks in wanted.values()) > 100

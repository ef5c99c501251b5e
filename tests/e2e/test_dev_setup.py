"""`packaging/dev.py setup`: how far it is, packages that were kept, and nothing to do the second time."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

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
    script = "print('Collecting a'); print('Collecting b'); print('Installing collected packages: a, b')"
    assert dev.told([sys.executable, "-c", script])
    told = capsys.readouterr().err
    assert "2 packages looked at" in told
    assert "installing, " in told
    assert not dev.told([sys.executable, "-c", "print('no such package'); raise SystemExit(1)"])
    assert "no such package" in capsys.readouterr().err

"""Settings files that are damaged, odd or hostile: a command reads and keeps them, or refuses them in one line and changes nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from workbench.cli.dispatch import dispatch
from workbench.core import whole_files
from workbench.settings.config import load_settings

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "cases" / "settings.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_settings_file_is_used_or_refused_in_one_line(
    case: dict[str, Any], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    path = home / "settings.toml"
    text = case.get(
        "text", case.get("before", "") + case.get("repeat", "") * case.get("times", 0) + case.get("after", "")
    )
    path.write_bytes(bytes.fromhex(case["bytes"]) if "bytes" in case else text.encode())
    before = path.read_bytes()
    code = dispatch(["providers", "add", "mine", "--base-url", "http://127.0.0.1:9/v1", "--no-key"])
    told = capsys.readouterr().err
    assert "fault of the program" not in told
    assert not list(home.glob("logs/*"))
    if case.get("fine"):
        assert code == 0, told
        assert [one.name for one in load_settings(path).providers] == ["mine"]
    else:
        assert code == 2, told
        assert len(told.strip().splitlines()) == 1
        assert path.read_bytes() == before


def test_a_linked_settings_file_stays_a_link(home: Path, tmp_path: Path) -> None:
    """As people keep them beside their other dot files."""
    home.mkdir()
    kept = tmp_path / "dots" / "settings.toml"
    kept.parent.mkdir()
    kept.write_text("# mine\n")
    (home / "settings.toml").symlink_to(kept)
    assert dispatch(["providers", "add", "mine", "--base-url", "http://127.0.0.1:9/v1", "--no-key"]) == 0
    assert (home / "settings.toml").is_symlink()
    assert kept.read_text().startswith("# mine\n")
    assert [one.name for one in load_settings(kept).providers] == ["mine"]


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices as files")
@pytest.mark.parametrize("kind", ["pipe", "device", "circle"])
def test_a_settings_file_that_is_none_is_refused(
    kind: str, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for a pipe that nobody fills, and nothing is read without an end."""
    monkeypatch.setattr(whole_files, "LARGEST", 1 << 20)
    home.mkdir()
    path = home / "settings.toml"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/full" if kind == "device" else path)
    assert dispatch(["providers", "list"]) == 2
    told = capsys.readouterr().err
    assert len(told.strip().splitlines()) == 1
    assert "settings file" in told

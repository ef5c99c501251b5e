from __future__ import annotations

from pathlib import Path

from workbench.app.fault_log import FaultLog


def fault() -> Exception:
    try:
        raise KeyError("sk-secret-0123")
    except KeyError as error:
        return error


def test_a_report_names_the_place_and_no_secret(tmp_path: Path) -> None:
    path = FaultLog(tmp_path / "logs", lambda: ["sk-secret-0123"]).note(fault())
    assert path is not None
    text = path.read_text(encoding="utf-8")
    assert "test_fault_log.py" in text
    assert "KeyError" in text
    assert "sk-secret" not in text


def test_a_disk_that_refuses_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file stands here")
    assert FaultLog(tmp_path / "logs", list).note(fault()) is None

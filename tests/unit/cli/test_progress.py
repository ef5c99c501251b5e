"""A bar where somebody looks, silence in a pipe."""

from __future__ import annotations

import io
import sys

import pytest

from workbench.cli.progress import progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, total: int | None, **options: bool) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress("runs", total, **options) as done:
        for _ in range(total or 3):
            done(1)
    return stream.getvalue()


def test_silence_in_a_pipe_and_for_one_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO(), 9) == ""
    assert shown(monkeypatch, Screen(), 1) == ""
    assert shown(monkeypatch, Screen(), 9, hidden=True) == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert "9/9" in shown(monkeypatch, Screen(), 9)
    assert "runs" in shown(monkeypatch, Screen(), None)

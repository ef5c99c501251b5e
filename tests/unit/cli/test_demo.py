"""`workbench demo`: the table first, then the picture if one was asked for."""

from __future__ import annotations

import pytest

from tests.kit.history import Terminal
from workbench.cli import comparing, picture


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setattr(comparing, "compare", lambda repeat, json: print(f"table {repeat} {json}") or "run-1")
    monkeypatch.setattr(picture, "take_picture", lambda place, run_id: print(f"picture {place} of {run_id}"))
    return Terminal(capsys)


def test_options_reach_the_comparison(terminal: Terminal) -> None:
    assert terminal("demo") == "table 3 False\n"
    assert terminal("demo", "--repeat", "5", "--json") == "table 5 True\n"
    terminal("demo", "--repeat", "0", code=2)


def test_the_picture_shows_a_run_of_the_comparison(terminal: Terminal) -> None:
    assert terminal("demo", "--screenshot", "a.png") == "table 3 False\npicture a.png of run-1\n"

"""`suite baseline pin`, `move` and `show`, and `--baseline pinned`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.batches import batch
from tests.kit.history import Terminal
from workbench.settings.paths import Home
from workbench.store import Store


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], home: Path) -> Terminal:
    store = Store.open(Home.find().make().database)
    for number, letters in enumerate(("ssss", "ffff"), 1):
        made = batch({"one": [letters]})
        spec = replace(made.spec, id=f"0190000{number}", suite="mine", created_us=1_790_000_000_000_000 + number)
        store.batches.add(replace(made, spec=spec))
        store.batches.keep_now(spec.id, made.items)
    store.close()
    return Terminal(capsys)


def test_a_baseline_is_pinned_shown_and_moved(terminal: Terminal) -> None:
    told = terminal("suite", "baseline", "pin", "mine", "01900001", "--note", "release 1")
    assert told.startswith("pinned baseline 01900001, run 2026-09-21T")
    assert told.strip().endswith(": release 1")
    shown = terminal("suite", "baseline", "show", "mine")
    assert "against the newest batch 01900002:" in shown
    assert terminal.json("suite", "baseline", "show", "mine")["difference"] is not None
    terminal("suite", "baseline", "pin", "mine", code=2)
    assert "`workbench suite baseline move`" in terminal.err
    assert "moved to baseline 01900002" in terminal("suite", "baseline", "move", "mine")
    shown = terminal("suite", "baseline", "show", "mine")
    assert "before: 01900001" in shown
    assert "Nothing of the suite has run since." in shown


def test_the_pinned_baseline_is_told_with_its_date(terminal: Terminal) -> None:
    terminal("suite", "baseline", "pin", "mine", "01900001")
    terminal("suite", "show", "01900002", "--baseline", "pinned")
    assert "baseline 01900001, run 2026-09-21T" in terminal.err


def test_a_suite_without_runs_or_pin_is_said(terminal: Terminal) -> None:
    terminal("suite", "baseline", "pin", "other", code=2)
    assert "Nothing of the suite 'other' has run yet." in terminal.err
    terminal("suite", "baseline", "pin", "other", "01900001", code=2)
    assert "is one of the suite 'mine'" in terminal.err
    terminal("suite", "show", "01900002", "--baseline", "pinned", code=2)
    assert "no pinned baseline" in terminal.err

"""`db size`, `rm`, `trim` and `shrink`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit import runs
from tests.kit.history import Terminal, record


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def three(home: Path) -> None:
    record(*(runs.make_run(name) for name in ("a", "b", "c")))


@pytest.mark.usefixtures("three")
def test_the_meter_tells_tables_years_and_a_rule(terminal: Terminal) -> None:
    found = terminal.json("db", "size", "--days", "1")
    assert found["tables"]["events"] > 0
    assert found["years"]["2026"]["runs"] == 3
    assert found["rule"] == {"days": 1, "megabytes": 0, "would_remove": found["years"]["2026"]}
    told = terminal("db", "size")
    assert "kept: for ever" in told
    assert "2026" in told


@pytest.mark.usefixtures("three")
def test_without_yes_nothing_is_removed(terminal: Terminal) -> None:
    assert "2 runs would be removed for good" in terminal("db", "rm", "1", "2")
    assert len(terminal.json("history")) == 3


@pytest.mark.usefixtures("three")
def test_runs_are_removed_by_id_and_by_filter(terminal: Terminal) -> None:
    assert terminal.json("db", "rm", "2", "--yes")["removed"] == 1
    assert "removed 2 runs for good, freed " in terminal("db", "rm", "--filter", "model:*", "--yes")
    assert terminal.json("history") == []
    assert terminal.json("db", "check")["chain"]["removed"] == 3


@pytest.mark.usefixtures("three")
def test_the_bin_is_emptied(terminal: Terminal) -> None:
    assert terminal.json("db", "rm", "--bin", "--yes", "--no-shrink")["removed"] == 0


@pytest.mark.usefixtures("three")
def test_a_rule_trims(terminal: Terminal) -> None:
    assert "There is no limit" in (terminal("db", "trim", "--yes", code=2) or terminal.err)
    assert terminal.json("db", "trim", "--days", "1")["found"] == 3
    assert terminal.json("db", "trim", "--days", "1", "--yes")["removed"] == 3
    assert "freed 0.0 MB" in terminal("db", "shrink")


def test_which_runs_must_be_said(terminal: Terminal) -> None:
    terminal("db", "rm", code=2)
    assert "Which runs?" in terminal.err

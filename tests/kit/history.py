"""A data folder with recorded runs, and the command line called in this process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from workbench.cli.dispatch import dispatch
from workbench.core.events import RunEvent, RunStarted
from workbench.settings.paths import Home
from workbench.store import Store


def record(*runs: Sequence[RunEvent]) -> list[int]:
    """Put runs into the home's database; return their numbers."""
    store = Store.open(Home.find().make().database)
    try:
        return [store.record(_id(events), list(events)) for events in runs]
    finally:
        store.close()


def _id(events: Sequence[RunEvent]) -> str:
    first = events[0]
    assert isinstance(first, RunStarted)
    return first.run_id


class Terminal:
    """Calls commands and gives back what they printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.err = ""
        self.code = 0

    def __call__(self, *argv: str, code: int = 0) -> str:
        """Run a command that must end with `code`; return its standard output."""
        self._capsys.readouterr()
        self.code = dispatch(argv)
        seen = self._capsys.readouterr()
        self.err = seen.err
        assert self.code == code, seen.err
        return seen.out

    def json(self, *argv: str, code: int = 0) -> Any:
        """Run a command with `--json`; return the document."""
        return json.loads(self(*argv, "--json", code=code))

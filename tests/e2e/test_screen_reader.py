"""The window to a screen reader: over AT-SPI, with keys from the X server."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.kit import desktop, screen_reader
from tests.kit.screen_reader import ScreenReader, Told, buses
from tests.kit.tree import ROOT
from tests.kit.waiting import wait_until
from workbench.ui.main.rail import ENTRIES, RailEntry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STOPS = ("text", "push button", "combo box", "check box", "radio button", "page tab list", "table", "list")
_WAY = [
    "User message",
    "Add or edit tools",
    "Model",
    "Format",
    "Mode",
    "Run",
    "Inspector",
    "Find a run, tool or command",
    "Try",
]
"""From the prompt to what is done with it, the run's details, the palette, and the rail."""
_SILENT = ("cell", "filler")
"""A cell without text has nothing to tell; a filler is the inside of what was named."""


class Window:
    """The window, as somebody has it who hears it and types."""

    def __init__(self, reader: ScreenReader, environment: dict[str, str]) -> None:
        self._reader, self._environment = reader, environment

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        subprocess.run(["xdotool", "key", *keys], env=self._environment, check=True)

    def told(self) -> list[Told]:
        """All that is told now."""
        return self._reader.showing()

    def announced(self) -> list[str]:
        """What was said without being asked."""
        return self._reader.announced()

    def focused(self) -> str:
        """What has the keyboard; empty where nothing is told."""
        names = [one.name for one in self.told() if "focused" in one.states and one.role in _STOPS]
        return names[-1] if names else ""

    def tab(self) -> str:
        """Press Tab once and return where that leads."""
        before = self.focused()
        self.press("Tab")
        assert wait_until(lambda: self.focused() not in ("", before))
        return self.focused()

    def go(self, entry: RailEntry) -> list[Told]:
        """Press a page's keys until its entry in the rail is the chosen one; return what is told then."""
        told: list[Told] = []

        def there() -> bool:
            nonlocal told
            self.press(entry.keys.replace("Ctrl+", "ctrl+").replace(",", "comma"))
            told = self.told()
            return any(
                one.role == "radio button" and one.name == entry.title and "checked" in one.states for one in told
            )

        assert wait_until(there)
        return told


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    if lacking := ", ".join(filter(None, (desktop.missing(), screen_reader.missing()))):
        pytest.skip(f"nobody can listen: {lacking} is not installed (packaging/dev.py test installs it as root)")
    folder: Path = tmp_path_factory.mktemp("reader")
    with (
        desktop.screen(folder) as shown,
        buses(shown, folder) as environment,
        (folder / "window.txt").open("wb") as log,
    ):
        try:
            reader = ScreenReader(environment)
        except RuntimeError as without:
            pytest.skip(str(without))
        program = subprocess.Popen(
            [sys.executable, "-m", "workbench", "--home", str(folder / "home")], cwd=ROOT, env=environment,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            assert wait_until(reader.programs), os.fsdecode((folder / "window.txt").read_bytes())
            yield Window(reader, environment)
        finally:
            reader.close()
            program.terminate()
            program.wait(60)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_all_that_takes_the_keyboard_has_a_name(window: Window, entry: RailEntry) -> None:
    told = window.go(entry)
    assert [one for one in told if "focusable" in one.states and not one.name.strip() and one.role not in _SILENT] == []
    assert sum(one.role == "radio button" for one in told) == len(ENTRIES)
    assert any("focusable" in one.states for one in told)


def test_tab_goes_round_and_each_stop_is_told(window: Window) -> None:
    window.go(ENTRIES[0])
    heard = [window.tab()]
    while (stop := window.tab()) != heard[0]:
        assert stop not in heard
        heard.append(stop)
    while heard[0] != "User message":
        heard.append(heard.pop(0))
    assert [stop for stop in heard if stop in _WAY] == _WAY


def test_the_end_of_a_run_is_said_wherever_the_keyboard_is(window: Window) -> None:
    window.go(ENTRIES[0])
    assert wait_until(window.focused)
    window.press("ctrl+Return")
    assert wait_until(lambda: any(one.name.startswith("Verdict: ") for one in window.told()))
    window.press("ctrl+4")
    assert wait_until(lambda: any(words.startswith("Verdict: ") for words in window.announced()))

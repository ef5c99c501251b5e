from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint

from workbench.cases.baselines import FILE, pin, pinned
from workbench.ui.compare.earlier import EarlierMenu
from workbench.ui.compare.setup_view import EarlierList
from workbench.ui.compare.values import BatchChoice
from workbench.ui.widgets import dialogs

CHOICES = [BatchChoice(name, name, "10 cases", 1, 1, resumable=False) for name in ("b1", "b2", "v1")]
ROWS: Any = [SimpleNamespace(id=name, suite="airline") for name in ("b1", "b2", "v1")]


class Menus:
    """The menu over a folder, with what it asked for."""

    def __init__(self, home: Path) -> None:
        self.home, self.said, self.sent, self.read = home, list[str](), list[str](), 0
        wb = SimpleNamespace(home=SimpleNamespace(path=home))
        tasks = SimpleNamespace(latest=lambda _name, work, on_error: asyncio.run(work))
        shell: Any = SimpleNamespace(wb=wb, tasks=tasks, window=None, say=self.said.append)
        self.view = EarlierList()
        self.menu = EarlierMenu(shell, self.view, self.sent.append, self._count)

    def _count(self) -> None:
        self.read += 1

    def notes(self) -> list[str]:
        """The list read again."""
        return [one.note for one in asyncio.run(self.menu.marked(CHOICES, ROWS, {"v1"}))]

    def choose(self, batch: str, words: str) -> bool:
        """Click the entry that begins so; whether it could be clicked."""
        made = self.menu.open(batch, QPoint())
        action = next(one for one in made.actions() if one.text().startswith(words))
        action.trigger()
        enabled = action.isEnabled()
        made.close()
        return enabled


@pytest.fixture
def menus(tmp_path: Path, qapp: object) -> Menus:
    return Menus(tmp_path)


def test_first_pin_is_one_click_and_stands_in_the_line(menus: Menus) -> None:
    assert menus.notes() == ["10 cases"] * 3
    assert menus.choose("b1", "Pin as the baseline of airline")
    assert (pinned(menus.home, "airline").batch, menus.read) == ("b1", 1)
    first, second, _ = menus.notes()
    assert first.startswith("10 cases · pinned baseline since 20")
    assert second == "10 cases"
    assert not menus.choose("b1", "This is the pinned baseline")


@pytest.mark.parametrize(("sure", "there"), [(True, "b2"), (False, "b1")])
def test_another_one_is_moved_to_after_a_question(
    menus: Menus, monkeypatch: pytest.MonkeyPatch, sure: bool, there: str
) -> None:
    pin(menus.home, "airline", "b1")

    async def answer(*_: object) -> bool:
        return sure

    monkeypatch.setattr(dialogs, "confirm", answer)
    menus.notes()
    menus.choose("b2", "Move the baseline of airline here")
    assert (pinned(menus.home, "airline").batch, menus.read) == (there, int(sure))


def test_failures_are_sent_by_the_history(menus: Menus) -> None:
    menus.notes()
    menus.choose("b2", "Send its failures once more")
    assert menus.sent == ["batch:b2"]


def test_a_verification_is_only_opened(menus: Menus) -> None:
    opened: list[str] = []
    menus.view.opened.connect(opened.append)
    menus.notes()
    made = menus.menu.open("v1", QPoint())
    assert [one.text() for one in made.actions()] == ["Open"]
    made.actions()[0].trigger()
    made.close()
    assert opened == ["v1"]


def test_a_broken_file_of_pins_is_said_and_the_list_stands(menus: Menus) -> None:
    (menus.home / FILE).write_text("[", encoding="utf-8")
    assert menus.notes() == ["10 cases"] * 3
    assert "cannot be read" in menus.said[0]

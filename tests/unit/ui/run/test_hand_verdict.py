from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QPushButton

from workbench.core.verdict import VerdictState
from workbench.store.opinions import HAND, JUDGE, UNKNOWN, Opinion
from workbench.ui.run.hand_verdict import HandVerdict, hand_menu, hand_words


class Window:
    """A page's shell whose store is a list, and whose tasks run one after the other."""

    def __init__(self) -> None:
        self.said: list[Opinion] = []
        self.status: list[str] = []
        opinions = SimpleNamespace(add=self.said.append, of_run=lambda _run: tuple(self.said))
        store = SimpleNamespace(opinions=opinions, find=lambda _run: SimpleNamespace(number=7))
        self.wb, self.window, self.say = SimpleNamespace(store=store, user=""), None, self.status.append
        self.tasks, self.work = SimpleNamespace(latest=lambda _key, work, on_error: self.work.append(work)), []

    async def finish(self) -> None:
        while self.work:
            await self.work.pop(0)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    made = Window()

    async def reason(*_asked: object) -> str:
        return "Rome was meant"

    monkeypatch.setattr("workbench.ui.run.hand_verdict.ask_text", reason)
    return made


def test_a_word_is_kept_shown_and_taken_back(window: Window, theme, qtbot) -> None:
    button, shown = QPushButton(), list[Opinion | None]()
    qtbot.addWidget(button)
    hand = HandVerdict(window, "try:", button, lambda: "r1", shown.append)  # type: ignore[arg-type]
    window.said.append(Opinion("r1", 1, JUDGE, "a/model", VerdictState.FAIL, "a judge only stands beside"))

    hand.show()
    asyncio.run(window.finish())
    assert shown == [None, None]
    hand.take_back()
    assert not window.work

    hand.say("pass")
    asyncio.run(window.finish())
    assert shown[-1] is not None
    assert (shown[-1].state, shown[-1].who, shown[-1].why) == (VerdictState.PASS, UNKNOWN, "Rome was meant")
    assert window.status == ["Run 7: set to pass by hand; Shift+V takes it back"]

    hand.take_back()
    asyncio.run(window.finish())
    assert shown[-1] is None
    assert [one.state for one in window.said if one.kind == HAND] == [VerdictState.PASS, None]


def test_nothing_is_set_without_a_reason_or_a_run(window: Window, theme, qtbot, monkeypatch) -> None:
    async def no_reason(*_asked: object) -> str:
        return "  "

    monkeypatch.setattr("workbench.ui.run.hand_verdict.ask_text", no_reason)
    button, shown = QPushButton(), list[Opinion | None]()
    qtbot.addWidget(button)
    for run_id in ("r1", ""):
        hand = HandVerdict(window, "try:", button, lambda run_id=run_id: run_id, shown.append)  # type: ignore[arg-type]
        hand.say("fail")
        asyncio.run(window.finish())
        assert hand.possible is bool(run_id)
    assert window.said == []


def test_what_was_read_of_a_run_that_is_gone_is_not_shown(window: Window, theme, qtbot) -> None:
    button, shown, run = QPushButton(), list[Opinion | None](), ["r1"]
    qtbot.addWidget(button)
    hand = HandVerdict(window, "try:", button, lambda: run[0], shown.append)  # type: ignore[arg-type]
    window.said.append(Opinion("r1", 1, HAND, "me", VerdictState.FAIL, "no"))
    hand.show()
    run[0] = "r2"
    asyncio.run(window.finish())
    assert hand.held is None


def test_the_menu_and_the_words(theme, qtbot) -> None:
    button, chosen = QPushButton(), list[str]()
    qtbot.addWidget(button)
    assert len(hand_menu(button, held=False, chosen=chosen.append).actions()) == 2
    for action in hand_menu(button, held=True, chosen=chosen.append).actions():
        action.trigger()
    assert chosen == ["pass", "fail", ""]
    word, why = hand_words(Opinion("r1", 0, HAND, "me", VerdictState.FAIL, "no"))
    assert word == "by hand: fail"
    assert why.startswith("me, ")
    assert why.endswith(": no")

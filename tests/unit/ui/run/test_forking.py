"""What is changed in the dialog becomes the draft of a new run."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from tests.kit.playback import CALL, play, reply
from workbench.app import RunDraft
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolResult
from workbench.replay.fork import CallAt
from workbench.store import Store, StoredRun
from workbench.ui.run.forking import RunFork


def recorded(folder: Path) -> StoredRun:
    store = Store.open(folder / f"{len(list(folder.iterdir()))}.db")
    try:
        store.record(
            "01890000-0000-7000-8000-000000000001",
            play(reply(CALL), reply("Sunny."), run_id="01890000-0000-7000-8000-000000000001"),
        )
        return store.load(1)
    finally:
        store.close()


def test_only_what_was_changed_is_an_edit(theme, qtbot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    sent: list[RunDraft] = []
    fork = RunFork(recorded(tmp_path), 2, sent.append, window)
    fork.open()
    assert fork.edits().words == ()
    (field,) = fork.dialog.results
    field.setPlainText('{"error": "no network"}')
    assert fork.edits().results == {CallAt(1, 1): ToolResult(False, None, "no network")}
    field.setPlainText("hail")
    fork.dialog.prompt.setPlainText("Weather in Oslo?")
    fork.dialog.tools.setPlainText("[")
    fork.dialog.fork.click()
    assert sent == []
    assert fork.dialog.status.text()
    fork.dialog.tools.setPlainText(fork._tools)
    fork.dialog.fork.click()
    (draft,) = sent
    assert draft.origin == "fork"
    assert draft.parent is not None
    assert draft.parent.edits == ("prompt", "result 1.1")
    assert "hail" in " ".join(message.text for message in draft.messages)


def test_the_first_iteration_has_no_results(theme, qtbot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    fork = RunFork(recorded(tmp_path), 1, lambda _draft: None, window)
    assert fork.dialog.results == []
    fork.dialog.iteration_chosen.emit(2)
    assert len(fork.dialog.results) == 1
    with pytest.raises(InvalidInput):
        RunFork(recorded(tmp_path), 9, lambda _draft: None, window)

from __future__ import annotations

from workbench.ui.bridge.action import Action


def test_an_action_is_possible_unless_something_speaks_against_it() -> None:
    done: list[int] = []
    action = Action("run.start", "Run", lambda: done.append(1), ("Ctrl+Return",))
    assert action.enabled()
    assert action.bound
    action.call()
    assert done == [1]
    assert not Action("run.stop", "Stop", list, enabled=lambda: False).enabled()

from __future__ import annotations

from workbench.ui.bridge.action import Action, Command


def test_an_action_is_possible_unless_something_speaks_against_it() -> None:
    done: list[int] = []
    action = Action("run.start", "Run", lambda: done.append(1), ("Ctrl+Return",))
    assert action.enabled()
    assert action.bound
    action.call()
    assert done == [1]
    assert not Action("run.stop", "Stop", list, enabled=lambda: False).enabled()


def test_a_command_acts_on_the_page_it_is_bound_to() -> None:
    command = Command("list.add", "Add", lambda page: page.append(1), ("A",), "List", enabled=lambda page: not page)
    page: list[int] = []
    action = command.on(page)
    assert (action.id, action.keys, action.group, action.enabled()) == ("list.add", ("A",), "List", True)
    action.call()
    assert page == [1]
    assert not action.enabled()

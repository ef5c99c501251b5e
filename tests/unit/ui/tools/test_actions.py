from __future__ import annotations

from workbench.ui.tools.actions import COMMANDS


def test_keys_are_used_once_and_ids_name_the_page() -> None:
    keys = [key for command in COMMANDS if command.bound for key in command.keys]
    assert len(keys) == len(set(keys))
    assert all(command.id.startswith("tools.") and command.title for command in COMMANDS)
    assert len({command.id for command in COMMANDS}) == len(COMMANDS)

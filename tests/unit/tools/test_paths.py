from __future__ import annotations

import pytest

from workbench.core.errors import ToolError
from workbench.tools.paths import is_repository_data, path_steps


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("notes/today.md", ("notes", "today.md")),
        ("./notes//today.md", ("notes", "today.md")),
        (".", ()),
        ("", ()),
        ("/ws", ()),
        ("/ws/a.txt", ("a.txt",)),
        ("~notes", ("~notes",)),
        ("a b/ü.md", ("a b", "ü.md")),
        ("...", ("...",)),
        (".env", (".env",)),
    ],
)
def test_paths_inside_become_steps(text: str, steps: tuple[str, ...]) -> None:
    assert path_steps(text, "/ws") == steps


@pytest.mark.parametrize("text", ["..", "a/../b", "/etc", "/wsx", "~/x", "a\\b", "C:/x", "a\0", "x" * 2000, 7, None])
def test_paths_outside_are_refused_with_a_hint(text: object) -> None:
    with pytest.raises(ToolError):
        path_steps(text, "/ws")


@pytest.mark.parametrize("steps", [(".git", "config"), (".GIT",), ("a", ".git "), ("git~1",), (".g\u200bit",)])
def test_git_folders_are_known_however_they_are_written(steps: tuple[str, ...]) -> None:
    assert is_repository_data(steps)
    assert not is_repository_data((".gitignore",))

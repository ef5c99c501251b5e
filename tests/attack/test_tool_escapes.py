"""Attempts to leave the workspace folder, from a list. Every single one must come to nothing."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.escape_scene import DATA, SECRET, Scene, make_scene
from tests.kit.waiting import LIMIT_S
from workbench.core.tools import ToolResult
from workbench.tools import commands
from workbench.tools.builtin import BuiltinRules, BuiltinTools
from workbench.tools.child import ChildLimits
from workbench.tools.commands import ALLOWED, CommandRules
from workbench.tools.fence import Fence, find_fence, has_landlock
from workbench.tools.write_journal import WriteJournal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fence refuses to work elsewhere")

EVERYTHING = (
    *ALLOWED,
    *"bash python3 mkdir ln rm mv chmod mount unshare nsenter chroot mknod kill su yes sleep".split(),
)
FENCES = {"bubblewrap": find_fence(), "landlock": Fence("landlock"), "unfenced": Fence("")}
if FENCES["bubblewrap"].kind != "bubblewrap":
    FENCES["bubblewrap"] = Fence("")  # commands are refused then, which is as good
if not has_landlock():
    FENCES["landlock"] = Fence("")


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setenv("ESCAPE_TEST_KEY", f"{SECRET} of the environment")
    return make_scene(tmp_path)


KERNEL = Path("/proc/sys/kernel/core_pattern")


@pytest.fixture(autouse=True)
def kernel_settings() -> Iterator[None]:
    """No attempt, and no test, changes a setting of the machine: root could, so the attempts themselves only open the file."""
    before = KERNEL.read_bytes() if KERNEL.exists() else b""
    yield
    assert (KERNEL.read_bytes() if KERNEL.exists() else b"") == before


def came_to_nothing(attempt: dict[str, Any], result: ToolResult, scene: Scene) -> None:
    """It failed, or is known to be harmless; nothing outside was reached either way."""
    assert result.success is False or attempt.get("harmless"), result
    scene.check(result.to_json())


def call(scene: Scene, tool: str, arguments: dict[str, Any], rules: CommandRules | None = None) -> ToolResult:
    journal = WriteJournal(scene.workspace.parent / "journal")
    tools = BuiltinTools(journal, BuiltinRules(commands=rules or CommandRules()))
    return asyncio.run(tools.call(tool, arguments, scene.workspace))


def command(scene: Scene, line: Any, kind: str, monkeypatch: pytest.MonkeyPatch, **limits: Any) -> ToolResult:
    """Run a command with every program allowed; a fence that this system does not have is a refusal by rule."""
    monkeypatch.setattr(commands, "find_fence", lambda: FENCES[kind])
    rules = CommandRules(True, EVERYTHING, bool(FENCES[kind].kind) or kind == "unfenced", ChildLimits(**limits))
    return call(scene, "execute_command", {"command": line}, rules)


def ids(group: str) -> list[Any]:
    return [pytest.param(one, id=one["id"]) for one in DATA[group]]


@pytest.mark.parametrize("attempt", ids("files"))
def test_a_path_leads_nowhere_else(attempt: dict[str, Any], scene: Scene) -> None:
    began = time.monotonic()

    result = call(scene, attempt["tool"], scene.filled(attempt["args"]))

    assert result.success is False, result
    assert result.error
    assert time.monotonic() - began < LIMIT_S, "it waited"
    scene.check(result.to_json())


@pytest.mark.parametrize("attempt", ids("words"))
def test_a_command_line_is_one_allowed_program(attempt: dict[str, Any], scene: Scene) -> None:
    line = scene.filled(attempt["command"])

    result = call(scene, "execute_command", {"command": line}, CommandRules(True, unfenced=True))

    assert result.success is False, result
    assert result.result is None, "it must not even have started"
    scene.check(result.to_json())


@pytest.mark.parametrize("kind", FENCES)
@pytest.mark.parametrize("attempt", ids("arguments"))
def test_arguments_stay_inside(
    attempt: dict[str, Any], kind: str, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = attempt.get("only", kind)

    result = command(scene, scene.filled(attempt["command"]), kind, monkeypatch)

    assert result.success is False, result
    scene.check(result.to_json())


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0escape-test-{os.getpid()}")
        abstract.listen()
        yield listening


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
@pytest.mark.parametrize("attempt", ids("fenced"))
def test_a_harmful_program_is_kept_apart(
    attempt: dict[str, Any], kind: str, scene: Scene, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    if attempt.get("only", kind) != kind:
        pytest.skip("Landlock does not stop it, and the page says so")
    line = scene.filled(attempt["command"], pid=os.getpid(), port=listener.getsockname()[1])

    result = command(scene, line, kind, monkeypatch, seconds=8)

    came_to_nothing(attempt, result, scene)


@pytest.mark.parametrize("kind", FENCES)
@pytest.mark.parametrize("attempt", ids("limits"))
def test_limits_end_a_program_and_leave_nothing(
    attempt: dict[str, Any], kind: str, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, before = time.monotonic(), processes()

    line = scene.filled(attempt["command"])
    result = command(scene, line, kind, monkeypatch, seconds=attempt["seconds"], file_bytes=1 << 20)

    came_to_nothing(attempt, result, scene)
    assert time.monotonic() - began < attempt["seconds"] + LIMIT_S
    assert not new_programs(before)


def processes() -> set[int]:
    return {int(path.name) for path in Path("/proc").glob("[0-9]*")}


def new_programs(before: set[int]) -> list[str]:
    """Programs of an attempt that are still there a moment later."""
    names = ("sleep", "yes", "bash", "bwrap", "cat")
    for _ in range(50):
        left = []
        for pid in processes() - before:
            try:
                text = Path(f"/proc/{pid}/stat").read_text()
                line = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            name, state = text.split("(", 1)[1].rsplit(") ", 1)
            if name in names and state[0] != "Z" and ("77" in line or "yes" in line or "f |" in line):
                left.append(line)
        if not left:
            return []
        time.sleep(0.1)
    return left


def test_the_list_is_long_and_names_are_unique() -> None:
    counts = {group: len(attempts) for group, attempts in DATA.items()}
    assert sum(counts.values()) >= 200, counts
    for group, attempts in DATA.items():
        names = [one["id"] for one in attempts]
        assert len(names) == len(set(names)), group

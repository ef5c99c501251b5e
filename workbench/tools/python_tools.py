"""The user's own Python functions as tools: described and called in a child process with limits."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput, ToolError
from workbench.core.json_text import parse_json
from workbench.core.tools import ToolMode, ToolResult, ToolSetup, ToolSource, tool_from_json
from workbench.core.whole_files import opened_file
from workbench.tools.child import ChildLimits, Program, clean_environment, run_child
from workbench.tools.python_child import GROUP

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.core.tools import CallPlace

ENTRY = "entry point "
"""Beginning of the place of tools that an installed package brings."""
_DESCRIBING = ChildLimits(seconds=20, output=4 << 20)
_LOG = 20_000


@dataclass(frozen=True, slots=True)
class PythonTool:
    """One function of a file."""

    setup: ToolSetup
    seconds: float
    environment: tuple[str, ...] = ()


class PythonTools:
    """Describes and executes; definitions are asked for once in a while, a call always reads the file anew."""

    def __init__(self, workspace: Callable[[], Path | None]) -> None:
        self._workspace = workspace
        self._known: dict[tuple[str, float], tuple[PythonTool, ...]] = {}

    async def describe(self, place: str) -> tuple[PythonTool, ...]:
        """The tools of a file or entry point; raise InvalidInput with the author's traceback as hint."""
        mark = (place, _changed(place))
        if mark not in self._known:
            answer, _ = await _ask(place, {}, _DESCRIBING, clean_environment(tempfile.gettempdir()), "/")
            if "error" in answer:
                raise InvalidInput(f"{place} cannot be read: {answer['error']}.", hint=answer["trace"].strip())
            self._known[mark] = tuple(_read(one, place) for one in answer["tools"])
        return self._known[mark]

    async def execute(self, setup: ToolSetup, arguments: dict[str, Any], place: CallPlace) -> ToolResult:
        """Call the function; what it raises is the tool's failure."""
        name = setup.source.tool or setup.spec.name
        found = [one for one in await self.describe(setup.source.place) if one.setup.spec.name == name]
        if not found:
            raise ToolError(f"{setup.source.label} has no function {name!r} any more.")
        folder = Path(place.workspace) if place.workspace else self._workspace()
        with tempfile.TemporaryDirectory(prefix="workbench-home-") as home:
            env = clean_environment(home) | {key: os.environ[key] for key in found[0].environment if key in os.environ}
            limits = ChildLimits(seconds=found[0].seconds, output=4 << 20, processes=256, memory=4 << 30)
            wanted = {"call": {"name": name, "arguments": arguments}}
            answer, log = await _ask(setup.source.place, wanted, limits, env, str(folder or home))
        if "error" in answer:
            return ToolResult(False, None, answer["error"], ToolMode.RUN, trace=f"{answer.get('trace', '')}{log}")
        return replace(_result(answer["result"]), trace=log)


def _result(value: Any) -> ToolResult:
    """A function may say itself whether it succeeded, in the three fields of every tool's result."""
    if isinstance(value, dict) and set(value) == {"success", "result", "error"}:
        return ToolResult(bool(value["success"]), value["result"], value["error"], ToolMode.RUN)
    return ToolResult(True, value, None, ToolMode.RUN)


def find_entry_points() -> tuple[str, ...]:
    """Places of the tools that installed packages bring."""
    return tuple(f"{ENTRY}{entry.name}" for entry in sorted(entry_points(group=GROUP), key=lambda one: one.name))


async def _ask(
    place: str, wanted: dict[str, Any], limits: ChildLimits, env: dict[str, str], cwd: str
) -> tuple[dict[str, Any], str]:
    what = {"entry": place.removeprefix(ENTRY)} if place.startswith(ENTRY) else {"file": place}
    env = env | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONDONTWRITEBYTECODE": "1"}
    argv = (sys.executable, "-P", "-m", "workbench.tools.python_child")
    end = await run_child(Program(argv, cwd, env, json.dumps(what | wanted).encode()), limits)
    log = end.stderr.decode("utf-8", "replace")[-_LOG:]
    if trouble := end.trouble(limits):
        return {"error": trouble, "trace": log}, ""
    try:
        answer: dict[str, Any] = parse_json(end.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return {"error": f"The function ended the process with status {end.exit}.", "trace": log}, ""
    return answer, log


def _read(one: dict[str, Any], place: str) -> PythonTool:
    setup = ToolSetup(tool_from_json(one, place), ToolMode.RUN, source=ToolSource("python", place))
    return PythonTool(setup, float(one["seconds"]), tuple(one["environment"]))


def _changed(place: str) -> float:
    """When a file was changed; entry points belong to installed packages and stay."""
    if place.startswith(ENTRY):
        return 0.0
    try:
        with opened_file(Path(place)) as file:  # its own process would wait for who fills a pipe
            return os.fstat(file.fileno()).st_mtime
    except OSError as error:
        raise InvalidInput(f"The file {place!r} cannot be read: {error.strerror}.") from error

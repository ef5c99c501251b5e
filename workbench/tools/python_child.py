"""Runs in a child process: reads a user's Python file and tells its tools, or calls one of them.

    python -P -m workbench.tools.python_child < {"file": "…" or "entry": "…", "call"?: {"name", "arguments"}}

The last line of its output is JSON; what the user's code prints goes to standard error.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import os
import sys
import traceback
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from workbench.tools.declared import MARK, Declared
from workbench.tools.python_schema import converted, definition, hints_of

GROUP = "workbench.tools"
MODULE = "workbench_user_tools"


def main() -> None:
    """Answer the one request on standard input."""
    out = os.dup(1)
    os.dup2(2, 1)
    wanted = json.load(sys.stdin)
    try:
        functions = functions_of(load(wanted))
        answer = call(functions, wanted["call"]) if "call" in wanted else {"tools": describe(functions)}
    except BaseException as fault:  # noqa: BLE001  other people's code, told to the parent as data
        answer = failure(fault)
    sys.stdout.flush()
    with os.fdopen(out, "w", encoding="utf-8") as stream:
        stream.write(json.dumps(answer, default=str, ensure_ascii=True) + "\n")


def load(wanted: dict[str, Any]) -> Any:
    """The module of a file, or what an entry point gives."""
    if "entry" in wanted:
        found = {entry.name: entry for entry in entry_points(group=GROUP)}
        if wanted["entry"] not in found:
            raise LookupError(f"there is no entry point {wanted['entry']!r} in the group {GROUP!r}")
        return found[wanted["entry"]].load()
    path = Path(wanted["file"])
    sys.path.append(str(path.parent))
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    return module


def functions_of(module: Any) -> dict[str, Any]:
    """The decorated functions of a module, or where nothing is decorated, all public ones that it defines."""
    if callable(module):
        return {definition(module)["name"]: module}
    values = [value for value in vars(module).values() if inspect.isfunction(value) or inspect.isbuiltin(value)]
    marked = [value for value in values if hasattr(value, MARK)]
    own = [value for value in values if value.__module__ == module.__name__ and not value.__name__.startswith("_")]
    return {definition(value)["name"]: value for value in marked or own}


def describe(functions: dict[str, Any]) -> list[dict[str, Any]]:
    """Definitions with what running them needs."""
    described = []
    for function in functions.values():
        declared = getattr(function, MARK, Declared())
        described.append(
            definition(function) | {"seconds": declared.seconds, "environment": list(declared.environment)}
        )
    return described


def call(functions: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Call a function by name."""
    if wanted["name"] not in functions:
        raise LookupError(f"there is no tool {wanted['name']!r} any more")
    function = functions[wanted["name"]]
    hints = hints_of(function)
    result = function(**{name: converted(value, hints.get(name)) for name, value in wanted["arguments"].items()})
    if inspect.isawaitable(result):
        result = asyncio.run(_awaited(result))
    return {"result": json.loads(json.dumps(result, default=str))}


async def _awaited(result: Any) -> Any:
    return await result


def failure(fault: BaseException) -> dict[str, Any]:
    """A short line for the model, and the traceback from the user's own code on for its author."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None and _machinery(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    lines = traceback.format_exception(type(fault), fault, trace)
    return {"error": f"{type(fault).__name__}: {fault}".rstrip(": ")[:500], "trace": "".join(lines)[-20_000:]}


def _machinery(file: str) -> bool:
    return file == __file__ or file.startswith(("<frozen", str(Path(asyncio.__file__).parent)))


if __name__ == "__main__":
    main()

"""A folder that runs with pytest alone: plain JSON, a parametrized test, and an adapter to the user's own `parse`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.export.files import Export, ExportFile
from workbench.export.replies import reply_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.events import RunEvent

ADAPTER = '''"""Connect the fixtures to your own parser: change this file, nothing else.

`parse(text, tools)` gets the raw reply of a model and the tools in OpenAI's shape. It returns the calls in order, each a
dict with "name" and "arguments" (an object). `parse_stream(pieces, tools)` gets the same text as it streamed; leave it
as it is if your parser reads whole texts only.
"""

import importlib
import os


def parse(text, tools):
    target = os.environ.get("PARSER")  # for example: my_project.tool_parser:parse
    if not target:
        raise RuntimeError("Set PARSER=module:function, or write your call here.")
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name or "parse")(text, tools)


def parse_stream(pieces, tools):
    return parse("".join(pieces), tools)
'''

TEST = '''"""Recorded replies of models: the calls in them must be found, and nothing else."""

import json
from pathlib import Path

import pytest
from adapter import parse, parse_stream

ROWS = json.loads((Path(__file__).parent / "replies.json").read_text(encoding="utf-8"))


def calls_of(found):
    return [{"name": call["name"], "arguments": call["arguments"]} for call in found]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_calls_of_a_reply_are_found(row):
    assert calls_of(parse(row["raw"], row["tools"])) == row["calls"]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_calls_do_not_depend_on_how_the_reply_streamed(row):
    assert calls_of(parse_stream(row["pieces"], row["tools"])) == row["calls"]
'''

README = """# Recorded tool-call replies

{count} replies of real runs, in `replies.json`: raw text, the text as it streamed, tools, and the calls that are in it.

    PARSER=my_project.tool_parser:parse pytest .

or change `adapter.py`. Nothing but pytest is needed. A reply whose `calls` are empty must give no call; its `problems`
say what was seen. `outcomes` says which calls met the grammar to the letter (strict) and which were repaired (recovered).
"""


def export_pytest(runs: Sequence[Sequence[RunEvent]]) -> Export:
    """Make the folder from the text replies of runs; replies that are native calls need no parser and stay out."""
    rows = [row for events in runs for row in reply_rows(events) if not row.native_calls]
    files = (
        ExportFile("replies.json", json.dumps([row.to_json() for row in rows], indent=1, ensure_ascii=False) + "\n"),
        ExportFile("adapter.py", ADAPTER),
        ExportFile("test_replies.py", TEST),
        ExportFile("conftest.py", '"""Makes `adapter` importable from here, wherever pytest is started."""\n\nimport sys\nfrom pathlib import Path\n\nsys.path.insert(0, str(Path(__file__).parent))\n'),
        ExportFile("README.md", README.format(count=len(rows))),
    )  # fmt: skip
    count = f"{len(rows)} {'reply' if len(rows) == 1 else 'replies'}"
    return Export("pytest", files, f"{count} of {len(runs)} {'run' if len(runs) == 1 else 'runs'}, a pytest folder")

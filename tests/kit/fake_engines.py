"""An environment with a made-up sglang, which reads JSON in `<tool_call>` and loses what is streamed in one piece."""

from __future__ import annotations

import sys
from pathlib import Path

PROTOCOL = """
class Tool:
    def __init__(self, type, function):
        self.function = function
"""
PARSER = """
import json
import re
class Item:
    def __init__(self, index, name, parameters):
        self.tool_index, self.name, self.parameters = index, name, parameters
class FunctionCallParser:
    ToolCallParserEnum = {"qwen25": None}
    def __init__(self, tools, name):
        self.names = [tool.function["name"] for tool in tools]
        self.detector = self
        self.buffer = ""
        self.given = False
    def parse_non_stream(self, text):
        print("a server talks while it works")
        if "explode" in text:
            raise ValueError("no such token")
        found = re.findall(r"<tool_call>(.*?)</tool_call>", text, re.S)
        calls = [json.loads(one) for one in found]
        calls = [one for one in calls if one["name"] in self.names]
        items = [Item(at, one["name"], json.dumps(one["arguments"])) for at, one in enumerate(calls)]
        return ("" if items else text), items
    def parse_stream_chunk(self, piece):
        first, self.buffer = not self.buffer, self.buffer + piece
        if first or self.given or "</tool_call>" not in self.buffer:
            return "", []
        self.given = True
        return self.parse_non_stream(self.buffer)
"""


def fake_engines(folder: Path) -> str:
    """Make the environment; return the path of its Python."""
    package = folder / "lib" / "sglang" / "srt"
    for place in (package.parent, package, package / "openai_api", package / "function_call"):
        place.mkdir(parents=True, exist_ok=True)
        (place / "__init__.py").touch()
    (package / "openai_api" / "protocol.py").write_text(PROTOCOL)
    (package / "function_call" / "function_call_parser.py").write_text(PARSER)
    info = folder / "lib" / "sglang-9.9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sglang\nVersion: 9.9\n")
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={folder / "lib"} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return str(python)

"""Requests for simulated models: two tools, and the planner's message as the shipped template writes it."""

from __future__ import annotations

import json

import jinja2

from workbench.core.messages import ChatRequest, Message
from workbench.core.resources import resource_path
from workbench.core.tools import ToolSpec

READ = ToolSpec(
    "read_file",
    "Read a project file.",
    {"type": "object", "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}}, "required": ["path"]},
)
LIST = ToolSpec(
    "list_directory",
    "List a directory.",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
TOOLS = (READ, LIST)
ASK = "Read config/app.toml, 40 lines."


def planner_request(ask: str = ASK, *, loop: int = 0, attempts: str = "none") -> ChatRequest:
    """What a planner is sent."""
    listed = "\n".join(
        f"- {tool.name}: {tool.description}\n  parameters: {json.dumps(tool.parameters)}" for tool in TOOLS
    )
    template = jinja2.Template(resource_path("boost", "wrapper.txt").read_text(encoding="utf-8"))
    text = template.render(loop=loop, previous_attempts=attempts, request=ask, tools=listed)
    return ChatRequest("plain", (Message("user", text),))

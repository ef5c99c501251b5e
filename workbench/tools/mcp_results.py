"""What an MCP server gave back, as the three fields that a model gets; images are carried or noted."""

from __future__ import annotations

import json
from typing import Any

from workbench.core.tools import ToolMode, ToolResult

MOST_IMAGES = 8
_LARGEST_IMAGE = 8 << 20


def tool_result(answer: dict[str, Any]) -> ToolResult:
    """Structured content goes before text, which repeats it; the whole answer is kept as it came."""
    blocks = [block for block in answer.get("content", ()) if isinstance(block, dict)]
    texts = [str(block.get("text", "")) for block in blocks if block.get("type") == "text"]
    structured = answer.get("structuredContent")
    images, notes = _images(blocks)
    notes += [note for block in blocks if (note := _left_out(block))]
    texts += [_resource_text(block) for block in blocks if block.get("type") == "resource"]
    text = "\n".join(text for text in texts if text)
    raw = json.dumps({**answer, "content": [_short(block) for block in blocks]}, ensure_ascii=False)
    if answer.get("isError"):
        error = text or "The tool failed without a word."
        return ToolResult(False, structured, error, ToolMode.RUN, content=images, notes=tuple(notes), raw=raw)
    result = structured if structured is not None else text
    if not result and notes:
        result = " ".join(notes)
    return ToolResult(True, result, None, ToolMode.RUN, content=images, notes=tuple(notes), raw=raw)


def _images(blocks: list[dict[str, Any]]) -> tuple[tuple[dict[str, Any], ...], list[str]]:
    """Images as OpenAI content parts, as many and as large as a request should hold."""
    found: list[dict[str, Any]] = []
    notes: list[str] = []
    for block in blocks:
        if block.get("type") != "image":
            continue
        data, kind = str(block.get("data", "")), str(block.get("mimeType", "image/png"))
        size = len(data) * 3 // 4
        if len(found) == MOST_IMAGES or size > _LARGEST_IMAGE:
            notes.append(f"An image ({kind}, {size:,} bytes) was left out.")
            continue
        notes.append(f"An image ({kind}, {size:,} bytes).")
        found.append({"type": "image_url", "image_url": {"url": f"data:{kind};base64,{data}"}})
    return tuple(found), notes


def _left_out(block: dict[str, Any]) -> str:
    match block.get("type"):
        case "audio":
            size = len(str(block.get("data", ""))) * 3 // 4
            return f"A sound ({block.get('mimeType', 'audio')}, {size:,} bytes) was left out."
        case "resource_link":
            return f"A link to {block.get('uri', 'a resource')}."
        case "resource" if not _resource_text(block):
            return f"The resource {_inner(block).get('uri', '')} was left out."
        case "text" | "image" | "resource":
            return ""
    return f"Content of the type {block.get('type')!r} was left out."


def _inner(block: dict[str, Any]) -> dict[str, Any]:
    inner = block.get("resource")
    return inner if isinstance(inner, dict) else {}


def _resource_text(block: dict[str, Any]) -> str:
    text = _inner(block).get("text")
    return text if isinstance(text, str) else ""


def _short(block: dict[str, Any]) -> dict[str, Any]:
    """A block without the data that is kept elsewhere."""
    data = block.get("data")
    if isinstance(data, str) and len(data) > 200:
        return {**block, "data": f"{data[:40]}… {len(data):,} characters"}
    return block

"""What coding agents send, in the shape seen of Claude Code 2.1 and Codex 0.169; the words are made up."""

from __future__ import annotations

from typing import Any

CLAUDE_CODE: dict[str, Any] = {
    "model": "claude-x",
    "max_tokens": 32000,
    "stream": True,
    "system": [
        {"type": "text", "text": "You are an agent."},
        {"type": "text", "text": "Rules.", "cache_control": {"type": "ephemeral"}},
    ],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "read"}, {"type": "text", "text": "a.txt", "cache_control": {"type": "ephemeral"}}]},
        {"role": "system", "content": "A note in the middle."},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "sig"}, {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"path": "a.txt"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "hello"}]}]},
    ],
    "tools": [{"name": "Read", "description": "Reads.", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}],
    "thinking": {"type": "adaptive"},
    "context_management": {"edits": []},
    "output_config": {"effort": "high"},
    "metadata": {"user_id": "u"},
}  # fmt: skip
CODEX: dict[str, Any] = {
    "model": "gpt-x",
    "stream": True,
    "store": False,
    "instructions": "You are an agent.",
    "include": ["reasoning.encrypted_content"],
    "reasoning": {"summary": "auto"},
    "parallel_tool_calls": True,
    "prompt_cache_key": "k",
    "client_metadata": {"a": 1},
    "tool_choice": "auto",
    "input": [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Permissions."}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "read a.txt"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "xyz"},
        {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": "*** Begin"},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "ok"},
    ],
    "tools": [
        {"type": "function", "name": "shell", "description": "Runs.", "strict": False, "parameters": {"type": "object", "properties": {}}},
        {"type": "custom", "name": "apply_patch", "description": "Patches.", "format": {"type": "grammar", "syntax": "lark", "definition": "start: x"}},
        {"type": "namespace", "name": "files", "description": "", "tools": [{"type": "function", "name": "read", "parameters": {"type": "object", "properties": {}}}]},
        {"type": "web_search", "external_web_access": False},
    ],
}  # fmt: skip

"""Texts of issues, made from their parts: a form's headings, versions, a command line, tools, and what the model wrote."""

from __future__ import annotations

import json
from typing import Any

RAW = {
    "qwen3_coder": "I look.\n\n<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>",
    "hermes": '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>',
    "mistral": '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}',
    "harmony": '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Rome"}<|call|>',
    "pythonic": '[get_weather(city="Rome")]',
    "unknown": 'call: get_weather {"city": "Rome"}',
}
TOOLS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": name, "description": "", "parameters": {"type": "object", "properties": {
        field: {"type": "string"}}, "required": [field]}}}
    for name, field in (("get_weather", "city"), ("search_web", "query"))
]  # fmt: skip
PROMPT = "How is the weather in Rome?"
_REQUEST = {"model": "m", "messages": [{"role": "user", "content": PROMPT}], "tools": TOOLS}
_SCRIPT = f"""from openai import OpenAI

client = OpenAI(base_url="http://localhost:8000/v1", api_key="EMPTY")
tools = {json.dumps(TOOLS, indent=4)}

print(client.chat.completions.create(
    model="m", messages=[{{"role": "user", "content": "{PROMPT}"}}], tools=tools,
).choices[0].message)"""
COMMAND = "vllm serve Qwen/Qwen3-Coder-30B-A3B-Instruct \\\n    --enable-auto-tool-choice --tool-call-parser hermes"

REPLIES = ("text", "json", "stream", "python")
"""Ways in which a reply is shown."""
SENT = ("tools", "script", "curl", "request", "list", "nothing")
"""Ways in which the tools are."""
LOOKS = ("markdown", "page", "mail")
"""As it is written; as its page is copied, without fences and signs; quoted."""


def issue(raw: str, reply: str, sent: str, look: str, *, reply_first: bool = False) -> str:
    """Return an issue about a call of `get_weather` that stays in the text."""
    marks = look != "page"
    parts = ["The reply of the model:", _block(*_reply(raw, reply), marks=marks)]
    told = _tools(sent, marks=marks)
    whole = [
        _heading("Your current environment", marks=marks), _block("text", "OS: Ubuntu 22.04.5 LTS\nvLLM Version : 0.11.0", marks=marks),
        _heading("Describe the bug", marks=marks), "Calls end up in content, and tool_calls is an empty list. Only when streaming.",
        _block("sh", COMMAND, marks=marks), *((*parts, *told) if reply_first else (*told, *parts)), "Expected: one call in tool_calls.",
        _heading("Before submitting a new issue...", marks=marks), "- [x] I searched for relevant issues.",
    ]  # fmt: skip
    text = "\n\n".join(whole) + "\n"
    return "".join(f"> {line}\n" for line in text.splitlines()) if look == "mail" else text


def _heading(words: str, *, marks: bool) -> str:
    return f"### {words}" if marks else words


def _block(language: str, body: str, *, marks: bool) -> str:
    return f"```{language}\n{body}\n```" if marks else body


def _reply(raw: str, reply: str) -> tuple[str, str]:
    if reply == "json":
        message = {"role": "assistant", "content": raw, "tool_calls": []}
        made = {"object": "chat.completion", "model": "m", "choices": [{"message": message, "finish_reason": "stop"}]}
        return "json", json.dumps(made, indent=2)
    if reply == "stream":
        deltas = [{"content": raw[at : at + 7]} for at in range(0, len(raw), 7)]
        chunks = [{"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
        return "", "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]"
    if reply == "python":
        return "", f"ChatCompletionMessage(content={raw!r}, refusal=None, role='assistant', tool_calls=[])"
    return "", raw


def _tools(sent: str, *, marks: bool) -> tuple[str, ...]:
    match sent:
        case "tools":
            return "The tools that I send:", _block("json", json.dumps(TOOLS, indent=2), marks=marks)
        case "script":
            return "Script:", _block("python", _SCRIPT, marks=marks)
        case "curl":
            body = json.dumps(_REQUEST, indent=1)
            return "Request:", _block("sh", f"curl http://localhost:8000/v1/chat/completions -d '{body}'", marks=marks)
        case "request":
            return "Body of the request:", _block("json", json.dumps(_REQUEST), marks=marks)
        case "list":
            names = "- `get_weather` (city)\n- `search_web` (query)"
            return "These tools are declared:", names if marks else names.replace("`", "").replace("- ", "")
        case _:
            return ("There is one tool.",)

"""Chat templates: a conversation as the one text that a model continues, rendered in a sandbox.

A template is jinja2 as models bring it along: it sees `messages`, `tools`, `add_generation_prompt`, `bos_token`, `eos_token`, and may
call `raise_exception` and `strftime_now`. A few common ones are known by name.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.wires.kit.jsons import argument_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Template

    from workbench.core.messages import Message
    from workbench.core.tools import ToolSpec

TEMPLATES = {
    "chatml": (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    ),
    "llama3": (
        "<|begin_of_text|>{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
        "{{ m.content | trim }}<|eot_id|>{% endfor %}"
        "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
    ),
    "gemma": (
        "<bos>{% for m in messages %}<start_of_turn>{{ 'model' if m.role == 'assistant' else 'user' }}\n"
        "{{ m.content | trim }}<end_of_turn>\n{% endfor %}{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
    ),
    "mistral": (
        "<s>{% for m in messages %}{% if m.role == 'assistant' %} {{ m.content }}</s>"
        "{% else %}[INST] {{ m.content }} [/INST]{% endif %}{% endfor %}"
    ),
    "plain": (
        "{% for m in messages %}{{ m.role | capitalize }}: {{ m.content }}\n\n{% endfor %}"
        "{% if add_generation_prompt %}Assistant:{% endif %}"
    ),
}
"""Templates by name. `chatml` is the one that most models understand."""


def render_prompt(
    template: str, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), variables: dict[str, Any] | None = None
) -> str:
    """Render a conversation; `template` is a name from `TEMPLATES` or jinja2 text. Raise InvalidInput."""
    from jinja2 import TemplateError

    try:
        return _compiled(TEMPLATES.get(template, template)).render(
            messages=[_message(message) for message in messages],
            tools=[tool.to_openai() for tool in tools] or None,
            **{"add_generation_prompt": True, "bos_token": "", "eos_token": "", **(variables or {})},
        )
    except TemplateError as error:
        line = getattr(error, "lineno", None)
        where = f" (line {line})" if line else ""
        raise InvalidInput(
            f"The chat template cannot be used{where}: {error.message or error}.", hint="Check it."
        ) from error
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError) as error:
        raise InvalidInput(f"The chat template fails on this conversation: {error}.", hint="Check it.") from error


@functools.lru_cache(maxsize=16)
def _compiled(text: str) -> Template:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = _now
    return environment.from_string(text)


def _tojson(value: Any, indent: int | None = None, ensure_ascii: bool = False) -> str:
    """Write JSON as the templates' home library does: no HTML escapes."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


def _refuse(message: str) -> None:
    raise InvalidInput(f"The chat template refuses this conversation: {message}")


def _now(pattern: str) -> str:
    from datetime import datetime

    return datetime.now().astimezone().strftime(pattern)


def _message(message: Message) -> dict[str, Any]:
    """A message as templates expect it: text content, arguments as objects."""
    out: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.name:
        out["name"] = message.name
    if message.tool_call_id:
        out["tool_call_id"] = message.tool_call_id
    if message.reasoning:
        out["reasoning_content"] = message.reasoning
    if message.tool_calls:
        out["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": argument_object(c.arguments)}}
            for c in message.tool_calls
        ]
    return out

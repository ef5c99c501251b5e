"""The boost wrapper: the one message that a planner gets (requirement B1), made from a template of four fields."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import jinja2
import jinja2.meta
import jinja2.sandbox

from workbench.core.errors import InvalidInput
from workbench.core.messages import chosen_tool
from workbench.core.resources import resource_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.messages import Message, ToolChoice
    from workbench.core.tools import ToolSpec

FIELDS = ("loop", "previous_attempts", "request", "tools")


class FailedAttempt(NamedTuple):
    """A boost round that led to nothing, as the next planner message tells it."""

    loop: int
    why: str
    text: str


@cache
def _environment() -> jinja2.sandbox.SandboxedEnvironment:
    return jinja2.sandbox.SandboxedEnvironment(
        undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False
    )


@cache
def default_wrapper() -> str:
    """Return the shipped template."""
    return resource_path("boost", "wrapper.txt").read_text(encoding="utf-8")


def check_wrapper(template: str) -> None:
    """Raise InvalidInput, naming the field, if the template lacks one, uses another, or is no jinja2."""
    try:
        used = jinja2.meta.find_undeclared_variables(_environment().parse(template))
    except jinja2.TemplateSyntaxError as error:
        raise InvalidInput(
            f"The boost template is not readable, line {error.lineno}: {(error.message or '').rstrip('.')}.",
            hint="Fields are written {{ loop }}.",
        ) from error
    for field in FIELDS:
        if field not in used:
            raise InvalidInput(f"The boost template lacks the field {{{{ {field} }}}}.", hint="All four are needed.")
    if unknown := sorted(used - set(FIELDS)):
        raise InvalidInput(
            f"The boost template uses an unknown field {{{{ {unknown[0]} }}}}.",
            hint=f"Known: {', '.join(FIELDS)}.",
        )


def render_wrapper(
    template: str,
    *,
    loop: int,
    attempts: Sequence[FailedAttempt],
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    choice: ToolChoice = None,
) -> str:
    """Fill the template; raise InvalidInput if it cannot be filled."""
    check_wrapper(template)
    try:
        return (
            _environment()
            .from_string(template)
            .render(
                loop=loop,
                previous_attempts=describe_attempts(attempts),
                request=describe_request(messages),
                tools=describe_tools(tools, choice),
            )
        )
    except (jinja2.TemplateError, TypeError, ValueError) as error:
        raise InvalidInput(f"The boost template cannot be filled: {error}.") from error


def describe_attempts(attempts: Sequence[FailedAttempt]) -> str:
    """Return the failed attempts as text, `none` without any."""
    if not attempts:
        return "none"
    return "".join(f"\n- Loop {item.loop} ({item.why}): {item.text.strip() or '[empty reply]'}" for item in attempts)


def describe_request(messages: Sequence[Message]) -> str:
    """Return the original request: the user's words, or the whole conversation where there was one."""
    spoken = [message for message in messages if message.role != "system"]
    system = "\n".join(message.text for message in messages if message.role == "system").strip()
    if len(spoken) == 1:
        request = spoken[0].text
    else:
        names = {call.id: call.name for message in spoken for call in message.tool_calls}
        request = "".join(_turn(message, names) for message in spoken)
    return f"{request}\n\nSystem Instructions: {system}" if system else request


def _turn(message: Message, names: Mapping[str, str]) -> str:
    """A turn as text: a planner has to know what was called already, and with what result."""
    who: str = message.role
    if who == "tool":
        name = message.name or names.get(message.tool_call_id, "")
        who = " ".join(filter(None, ("tool", name, "(failed)" if message.failed else "")))
    calls = "".join(f"\ncalled {call.name} {call.arguments}" for call in message.tool_calls)
    return f"\n{who}: {message.text}{calls}"


def describe_tools(tools: Sequence[ToolSpec], choice: ToolChoice = None) -> str:
    """Return the tool definitions as text, never as a `tools` parameter, and what the request says of their use."""
    lines = []
    for tool in tools:
        lines.append(f"- {tool.name}: {tool.description}".rstrip(": "))
        lines.append(f"  parameters: {json.dumps(tool.parameters, ensure_ascii=False)}")
    if tools and (sentence := describe_choice(choice)):
        lines += ["", sentence]
    return "\n".join(lines) or "none"


def describe_choice(choice: ToolChoice) -> str:
    """Return what a tool choice means for who plans; empty where it is free."""
    if choice == "none":
        return "Do not call any tool for this request, and guide nobody to do so: give the answer as SUMMARY."
    if (name := chosen_tool(choice)) is not None:
        return f"The auxiliary model must call the tool `{name}`: reply with GUIDANCE that says so."
    if choice in ("required", "any"):
        return "The auxiliary model must call at least one of the tools: reply with GUIDANCE that says which."
    return ""

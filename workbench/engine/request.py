"""From a plan to the neutral requests that its models get. Previews use the same functions as runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.messages import ChatRequest, Message
from workbench.engine.text_history import in_format
from workbench.engine.wrapper import render_wrapper
from workbench.wires import carries_images, carries_result_images

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.target import Sampling
    from workbench.core.tools import ToolResult
    from workbench.engine.plan import RunPlan
    from workbench.engine.wrapper import FailedAttempt


def first_request(plan: RunPlan) -> ChatRequest:
    """Return what a run would send first: the planner's wrapper, or the executor's request."""
    if plan.planner:
        return planner_request(plan, 0, ())
    return executor_request(plan, opening_messages(plan))


def planner_request(plan: RunPlan, loop: int, attempts: Sequence[FailedAttempt]) -> ChatRequest:
    """Return the one message that the planner gets; it never gets a `tools` field."""
    assert plan.planner is not None
    text = render_wrapper(
        plan.wrapper, loop=loop, attempts=attempts, messages=plan.messages, tools=plan.specs, choice=plan.tool_choice
    )
    sampling = replace(plan.target.sampling, parallel_tool_calls=None, reasoning=None)
    return _request(plan.planner.info.model, (Message("user", text),), sampling, stream=plan.target.stream)


def executor_request(plan: RunPlan, messages: Sequence[Message]) -> ChatRequest:
    """Return the executor's request for a conversation that already carries the scaffold."""
    party = plan.executor
    sampling, stream = plan.target.sampling, plan.target.stream
    request = _request(party.info.model, tuple(messages), sampling, stream=stream)
    request = replace(request, stop=plan.stop, by_wire=plan.by_wire)
    if not plan.tools:
        return replace(request, parallel_tool_calls=None)
    assert party.format is not None
    if party.format.native or party.own_template:
        return replace(request, tools=plan.specs, tool_choice=plan.tool_choice)
    request = replace(request, by_wire=_without_tools(plan.by_wire))
    stops = tuple(dict.fromkeys((*party.format.stop_sequences, *plan.stop)))
    return replace(request, stop=stops, parallel_tool_calls=None)


def opening_messages(plan: RunPlan, guidance: str = "") -> tuple[Message, ...]:
    """Return the conversation's beginning: the user's messages, the scaffold, and a planner's guidance."""
    assert plan.executor.format is not None
    messages = list(in_format(plan.messages, plan.executor.format))
    scaffold = plan.executor.format.prompt(plan.specs, plan.tool_choice) if plan.tools else ""
    if scaffold:
        if messages and messages[0].role == "system" and messages[0].text.strip():
            messages[0] = Message("system", f"{messages[0].text.rstrip()}\n\n{scaffold}")
        else:
            messages = [Message("system", scaffold), *(m for m in messages if m.role != "system" or m.text.strip())]
    if guidance:
        last = max((i for i, message in enumerate(messages) if message.role == "user"), default=None)
        if last is None:
            messages.append(Message("user", guidance))
        else:
            messages[last] = with_text(messages[last], f"\n\n{guidance}")
    return tuple(messages)


def opening_news(plan: RunPlan, *, guided: bool) -> tuple[str, ...]:
    """Return what the executor's first request carries, in a few words."""
    count = len(plan.tools)
    tools = f"{count} tool{'s' if count != 1 else ''} as {plan.executor.info.format}" if count else "no tools"
    return ("request + guidance" if guided else "request", tools)


def guidance_text(analysis: str, guidance: str, *, retry: bool, may_call: bool = True) -> str:
    """Return what the executor is told beside the original request (requirement B3)."""
    parts = ["A planning model has read this request and prepared the following for you."]
    if analysis.strip():
        parts.append(f"ANALYSIS:\n{analysis.strip()}")
    parts.append(f"GUIDANCE:\n{guidance.strip()}")
    if not may_call:
        parts.append("No tool may be called for this request: answer it in words.")
    elif retry:
        parts.append("An earlier attempt called no tool. Call the tools that the guidance names.")
    else:
        parts.append("Carry out the guidance: call the tools that it names, then answer the request.")
    return "\n\n".join(parts)


def told_results(
    results: Sequence[tuple[ParsedCall, ToolResult]], wire: str
) -> tuple[tuple[ParsedCall, ToolResult], ...]:
    """The results as the model gets them: where the wire carries no image, a note stands for it."""
    if carries_images(wire):
        return tuple(results)
    return tuple((call, _noted(result) if result.content else result) for call, result in results)


def _noted(result: ToolResult) -> ToolResult:
    notes = [f"{note} This conversation cannot carry it." for note in result.notes]
    if isinstance(result.result, str):
        return replace(result, result="\n".join(filter(None, (result.result, *notes))))
    return replace(result, result={"result": result.result, "notes": notes})


def with_images(
    messages: Sequence[Message], results: Sequence[tuple[ParsedCall, ToolResult]], wire: str
) -> tuple[Message, ...]:
    """Results as messages, their images inside of them on wires that carry images there."""
    if not carries_result_images(wire) or not _are_results(messages, results):
        return tuple(messages)
    return tuple(
        replace(message, content=({"type": "text", "text": message.text}, *result.content))
        if result.content
        else message
        for message, (_, result) in zip(messages, results, strict=True)
    )


def _are_results(messages: Sequence[Message], results: Sequence[tuple[ParsedCall, ToolResult]]) -> bool:
    """One tool's message for each result, as native formats have it."""
    return len(messages) == len(results) and all(message.role == "tool" for message in messages)


def image_messages(
    messages: Sequence[Message], results: Sequence[tuple[ParsedCall, ToolResult]], wire: str
) -> tuple[Message, ...]:
    """Images of tool results that their messages do not hold, as a user's, where the wire carries images; else the note must do."""
    if carries_result_images(wire) and _are_results(messages, results):
        return ()
    found = []
    for call, result in results:
        if result.content and carries_images(wire):
            told: dict[str, Any] = {"type": "text", "text": f"What {call.name} gave back beside its text:"}
            found.append(Message("user", (told, *result.content)))
    return tuple(found)


def with_text(message: Message, text: str) -> Message:
    """Append text to a message that may consist of parts (images stay as they are)."""
    if isinstance(message.content, tuple):
        return replace(message, content=(*message.content, {"type": "text", "text": text}))
    return replace(message, content=message.text + text)


def _request(model: str, messages: tuple[Message, ...], sampling: Sampling, *, stream: bool) -> ChatRequest:
    return ChatRequest(
        model=model,
        messages=messages,
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        seed=sampling.seed,
        parallel_tool_calls=sampling.parallel_tool_calls,
        reasoning=sampling.reasoning,
        stream=stream,
        extra=sampling.extra,
    )


def _without_tools(by_wire: dict[str, Any]) -> dict[str, Any]:
    """Fields for one wire without its own list of tools: they are taught in the text, and must not go out natively as well."""
    return {wire: {name: item for name, item in own.items() if name != "tools"} for wire, own in by_wire.items()}

"""A case as one YAML or JSON document, both ways.

title: Weather in Rome
messages: [{role: user, content: How is the weather in Rome?}]
tools: [{name: get_weather, parameters: {…}}]       # any shape that tools are read in
mocks: {get_weather: {result: {sky: clear}}}
expect:
  calls:
    - name: get_weather
      arguments:
        city: Rome                       # exactly this
        days: {any_of: [3, "3"]}         # one of these
        note: {any: true}                # anything; likewise kind, regex, contains, fields, items, one_of
      extra_arguments: true
  order: any                             # strict is the default
# or: expect: no_call

What an argument and an expectation may say is read in `cases.expectation_document`.
"""

from __future__ import annotations

from typing import Any

from workbench.cases.expectation_document import (
    expectation_from_document,
    expectation_to_document,
    known_keys,
    words,
)
from workbench.core.case import Case
from workbench.core.errors import InvalidInput
from workbench.core.messages import message_from_openai
from workbench.tools.toolset import setups_from_json, toolset_to_json

_KEYS = frozenset(
    "title messages prompt tools mocks modes sources ask_seconds tool_choice expect tags notes family source_run id".split()
)


def case_from_document(value: Any, case_id: str, place: str) -> Case:
    """Read a case; raise InvalidInput naming the place inside the document."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} holds no case.", hint="A case is a YAML or JSON object with `messages`.")
    document = known_keys(value, place, _KEYS)
    messages = document.get("messages")
    if messages is None and isinstance(document.get("prompt"), str):
        messages = [{"role": "user", "content": document["prompt"]}]
    if not isinstance(messages, list) or not messages:
        raise InvalidInput(f"{place} has no 'messages'.", hint="Write messages: [{role: user, content: …}].")
    toolset = {key: document[key] for key in ("tools", "mocks", "modes", "sources", "ask_seconds") if document.get(key)}
    return Case(
        id=str(document.get("id") or case_id),
        title=str(document.get("title") or case_id),
        messages=tuple(message_from_openai(item, f"{place}: messages[{i}]") for i, item in enumerate(messages)),
        tools=setups_from_json(toolset, place) if toolset.get("tools") else (),
        tool_choice=document.get("tool_choice"),
        expectation=expectation_from_document(document["expect"], f"{place}: expect") if "expect" in document else None,
        tags=words(document.get("tags"), f"{place}: tags"),
        notes=str(document.get("notes") or ""),
        family=str(document.get("family") or ""),
        source_run=str(document.get("source_run") or ""),
    )


def case_to_document(case: Case) -> dict[str, Any]:
    """Return the document, keys in reading order, defaults left out; `case_from_document` reads it back."""
    document: dict[str, Any] = {"title": case.title}
    document["messages"] = [_message(message.to_openai()) for message in case.messages]
    if case.tools:
        document |= toolset_to_json(case.tools)
    if case.tool_choice is not None:
        document["tool_choice"] = case.tool_choice
    if case.expectation is not None:
        document["expect"] = expectation_to_document(case.expectation)
    for key, value in (("tags", list(case.tags)), ("family", case.family), ("notes", case.notes)):
        if value:
            document[key] = value
    if case.source_run:
        document["source_run"] = case.source_run
    return document


def _message(value: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item is not None or key == "content"}

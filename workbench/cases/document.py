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
        unit: {any_of: [C], optional: true}
        note: {any: true}                # anything
      extra_arguments: true
  order: any                             # strict is the default
# or: expect: no_call
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import InvalidInput
from workbench.core.messages import message_from_openai
from workbench.tools.toolset import setups_from_json, toolset_to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

_KEYS = frozenset("title messages prompt tools mocks modes tool_choice expect tags notes family source_run id".split())
_ARGUMENT_KEYS = frozenset({"any_of", "any", "optional"})
_CALL_KEYS = frozenset({"name", "arguments", "extra_arguments"})
_EXPECT_KEYS = frozenset({"calls", "order", "no_call", "extra_calls", "answer_contains"})


def case_from_document(value: Any, case_id: str, place: str) -> Case:
    """Read a case; raise InvalidInput naming the place inside the document."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} holds no case.", hint="A case is a YAML or JSON object with `messages`.")
    document = _object(value, place, _KEYS)
    messages = document.get("messages")
    if messages is None and isinstance(document.get("prompt"), str):
        messages = [{"role": "user", "content": document["prompt"]}]
    if not isinstance(messages, list) or not messages:
        raise InvalidInput(f"{place} has no 'messages'.", hint="Write messages: [{role: user, content: …}].")
    toolset = {key: document[key] for key in ("tools", "mocks", "modes") if document.get(key)}
    return Case(
        id=str(document.get("id") or case_id),
        title=str(document.get("title") or case_id),
        messages=tuple(message_from_openai(item, f"{place}: messages[{i}]") for i, item in enumerate(messages)),
        tools=setups_from_json(toolset, place) if toolset.get("tools") else (),
        tool_choice=document.get("tool_choice"),
        expectation=_expectation(document["expect"], f"{place}: expect") if "expect" in document else None,
        tags=_words(document.get("tags"), f"{place}: tags"),
        notes=str(document.get("notes") or ""),
        family=str(document.get("family") or ""),
        source_run=str(document.get("source_run") or ""),
    )


def _expectation(value: Any, place: str) -> Expectation:
    if value == "no_call":
        return Expectation(no_call=True)
    body = _object(value, place, _EXPECT_KEYS)
    calls = body.get("calls") or []
    if not isinstance(calls, list):
        raise InvalidInput(f"{place}.calls is not a list.")
    no_call = body.get("no_call", False) is True
    if bool(calls) == no_call:
        raise InvalidInput(
            f"{place} must have either 'calls' or no_call.", hint="Write expect: no_call where none is right."
        )
    order: Literal["strict", "any"] = "any" if body.get("order") == "any" else "strict"
    if body.get("order", "strict") not in ("strict", "any"):
        raise InvalidInput(f"{place}.order is {body['order']!r}.", hint="Write strict or any.")
    return Expectation(
        calls=tuple(_call(item, f"{place}.calls[{i}]") for i, item in enumerate(calls)),
        order=order,
        no_call=no_call,
        extra_calls=body.get("extra_calls", False) is True,
        answer_contains=_words(body.get("answer_contains"), f"{place}.answer_contains"),
    )


def _call(value: Any, place: str) -> ExpectedCall:
    body = _object(value, place, _CALL_KEYS)
    name, arguments = body.get("name"), body.get("arguments") or {}
    if not isinstance(name, str) or not name:
        raise InvalidInput(f"{place} has no 'name'.")
    if not isinstance(arguments, dict):
        raise InvalidInput(f"{place}.arguments is not an object.")
    read = {str(key): _argument(item, f"{place}.arguments.{key}") for key, item in arguments.items()}
    return ExpectedCall(name, read, body.get("extra_arguments", False) is True)


def _argument(value: Any, place: str) -> ExpectedArgument:
    if not isinstance(value, dict) or not value or not set(value) <= _ARGUMENT_KEYS:
        return ExpectedArgument((value,))
    optional = value.get("optional", False) is True
    if value.get("any") is True:
        return ExpectedArgument((), optional)
    values = value.get("any_of")
    if not isinstance(values, list) or not values:
        raise InvalidInput(f"{place} needs any_of: [values …] or any: true.")
    return ExpectedArgument(tuple(values), optional)


def _object(value: Any, place: str, known: frozenset[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} is not an object.")
    if unknown := sorted(str(key) for key in value if key not in known):
        raise InvalidInput(f"{place} has an unknown key {unknown[0]!r}.", hint=f"Known: {', '.join(sorted(known))}.")
    return value


def _words(value: Any, place: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInput(f"{place} is not a list of words.")
    return tuple(value)


def case_to_document(case: Case) -> dict[str, Any]:
    """Return the document, keys in reading order, defaults left out; `case_from_document` reads it back."""
    document: dict[str, Any] = {"title": case.title}
    document["messages"] = [_message(message.to_openai()) for message in case.messages]
    if case.tools:
        document |= toolset_to_json(case.tools)
    if case.tool_choice is not None:
        document["tool_choice"] = case.tool_choice
    if case.expectation is not None:
        document["expect"] = _expected(case.expectation)
    for key, value in (("tags", list(case.tags)), ("family", case.family), ("notes", case.notes)):
        if value:
            document[key] = value
    if case.source_run:
        document["source_run"] = case.source_run
    return document


def _message(value: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item is not None or key == "content"}


def _expected(expectation: Expectation) -> Any:
    if expectation.no_call and not expectation.answer_contains:
        return "no_call"
    out: dict[str, Any] = {"no_call": True} if expectation.no_call else {"calls": list(_calls(expectation.calls))}
    if expectation.order != "strict":
        out["order"] = expectation.order
    if expectation.extra_calls:
        out["extra_calls"] = True
    if expectation.answer_contains:
        out["answer_contains"] = list(expectation.answer_contains)
    return out


def _calls(calls: Iterable[ExpectedCall]) -> Iterable[dict[str, Any]]:
    for call in calls:
        out: dict[str, Any] = {"name": call.name}
        if call.arguments:
            out["arguments"] = {name: _written(argument) for name, argument in call.arguments.items()}
        if call.extra_arguments:
            out["extra_arguments"] = True
        yield out


def _written(argument: ExpectedArgument) -> Any:
    looks_special = len(argument.values) == 1 and isinstance(argument.values[0], dict)
    if len(argument.values) == 1 and not argument.optional and not looks_special:
        return argument.values[0]
    out: dict[str, Any] = {"any_of": list(argument.values)} if argument.values else {"any": True}
    return out | ({"optional": True} if argument.optional else {})

"""The same case, asked otherwise: tools in another order, under other names, among many others, after a long talk.

What is right stays right: an expectation follows its tools' names. A variation is a word of a target
(`Target.variation`), so that a varied case is one more column beside the plain one, paired by case. The same case and
variation always give the same request.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.messages import Message, chosen_tool
from workbench.core.tools import ToolSetup, ToolSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.case import Case, Expectation
    from workbench.core.messages import ToolChoice
    from workbench.core.target import Target

MOST_DISTRACTORS, MOST_CONTEXT = 128, 1_000_000
STRICT = "grammar=strict"
"""The server is asked to hold the calls to the tools' schemas while the model writes them."""
READ_HERE = "parser=workbench"
"""The prompt of the server's own chat template, and the model's own text read here instead of by the server."""
_READ_THERE = "parser=server"
"""As every target is asked without it."""
KINDS = (
    "tools=shuffled", "tools=renamed", "distractors=1-128", "context=N (tokens of earlier talk)", STRICT, READ_HERE, "format=F",
)  # fmt: skip
"""What may be asked for, in words."""
_LITERALS = frozenset({"default", "const", "enum", "examples"})
"""Values in a schema that are no schemas."""
_CHARACTERS_A_TOKEN = 4
_VERBS = (
    "archive attach convert count delete export fetch flag list merge move pause print rank rename schedule".split()
)
_THINGS = (
    ("invoice", "an invoice"), ("ticket", "a support ticket"), ("playlist", "a playlist"), ("contract", "a contract"),
    ("parcel", "a parcel"), ("recipe", "a recipe"), ("photo", "a photo"), ("survey", "a survey"),
)  # fmt: skip
_TALK = (
    ("Before we begin, a note for later: the garden fence was painted last spring.", "Noted."),
    ("My neighbour keeps bees, and the honey of this year is darker than before.", "That often comes from lime trees."),
    ("The old bridge is closed for repairs, so the way to town takes longer.", "Good to know."),
    ("I read that lighthouses were once lit with whale oil.", "Yes, until paraffin took its place."),
    ("Our choir meets on Thursdays now, the hall is taken on Fridays.", "Understood."),
)  # fmt: skip


def varied(case: Case, variation: str) -> Case:
    """The case as it is asked under a variation, an empty one leaving it alone; raise InvalidInput."""
    for part in filter(None, variation.split("+")):
        case = _change(part)(case)
    return case


def check_variation(variation: str) -> None:
    """Raise InvalidInput where a part is not known."""
    for part in filter(None, variation.split("+")):
        _change(part)


def _changed_fields(words: str) -> dict[str, Any]:
    kind, _, value = words.partition("=")
    if kind == "format" and value:
        return {"format": value}
    if words == _READ_THERE:
        return {}
    check_variation(words)
    return {"variation": words}


def with_variations(targets: Sequence[Target], words: Sequence[str]) -> tuple[Target, ...]:
    """Every target plain and under each variation, side by side; alike ones once. Raise InvalidInput.

    `format=F` gives a target another format; `format=text` is the model's own in text: the server's parser has no part in it.
    """
    changes = [{}, *(_changed_fields(word) for word in words)]
    made: dict[tuple[str, str, str], Target] = {}
    for target in targets:
        rest = replace(target, format="", variation="").identity()  # the same of all that are made of it, and dear
        for change in changes:
            key = rest, change.get("format", target.format), change.get("variation", target.variation)
            if key not in made:
                made[key] = replace(target, **change)
    return tuple(made.values())


def _change(part: str) -> Callable[[Case], Case]:
    kind, _, value = part.partition("=")
    if part == "tools=shuffled":
        return _shuffled
    if part == "tools=renamed":
        return _renamed
    if part == STRICT:
        return _strict
    if part == READ_HERE:
        return lambda case: case
    if kind == "distractors" and value.isdecimal() and 1 <= int(value) <= MOST_DISTRACTORS:
        return lambda case: _among(case, int(value))
    if kind == "context" and value.isdecimal() and 1 <= int(value) <= MOST_CONTEXT:
        return lambda case: _after_talk(case, int(value))
    raise InvalidInput(f"Variation {part!r} is not known.", hint=f"One of {', '.join(KINDS)}; join several with +.")


def _shuffled(case: Case) -> Case:
    """Another order wherever there is one."""
    order = list(range(len(case.tools)))
    dice = random.Random(f"order {case.id}")
    for _ in range(20):
        dice.shuffle(order)
        if order != sorted(order) or len(order) < 2:
            break
    return replace(case, tools=tuple(case.tools[place] for place in order))


def _renamed(case: Case) -> Case:
    """Names that say nothing: only description and schema are left to go by."""
    names = {tool.spec.name: f"tool_{number}" for number, tool in enumerate(case.tools, 1)}
    tools = tuple(replace(tool, spec=replace(tool.spec, name=names[tool.spec.name])) for tool in case.tools)
    return replace(
        case, tools=tools, messages=tuple(_message(one, names) for one in case.messages),
        tool_choice=_choice(case.tool_choice, names),
        expectation=case.expectation and _expectation(case.expectation, names),
    )  # fmt: skip


def _strict(case: Case) -> Case:
    """Every tool with `strict`; servers want objects closed for it, so those that say nothing are."""
    return replace(case, tools=tuple(replace(tool, spec=_held(tool.spec)) for tool in case.tools))


def _held(spec: ToolSpec) -> ToolSpec:
    return replace(spec, parameters=_closed(spec.parameters), extra={**spec.extra, "strict": True})


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: value if name in _LITERALS else _closed(value) for name, value in schema.items()}
    return {**made, "additionalProperties": schema.get("additionalProperties", False)} if _is_object(schema) else made


def _is_object(schema: dict[str, Any]) -> bool:
    return isinstance(schema.get("properties"), dict) and schema.get("type") in ("object", None)


def _message(message: Message, names: dict[str, str]) -> Message:
    calls = tuple(call._replace(name=names.get(call.name, call.name)) for call in message.tool_calls)
    return replace(message, tool_calls=calls, name=names.get(message.name, message.name))


def _choice(choice: ToolChoice, names: dict[str, str]) -> ToolChoice:
    name = chosen_tool(choice)
    return choice if name is None else {"type": "function", "function": {"name": names.get(name, name)}}


def _expectation(wanted: Expectation, names: dict[str, str]) -> Expectation:
    return replace(
        wanted,
        calls=tuple(replace(call, name=names.get(call.name, call.name)) for call in wanted.calls),
        must_not_call=tuple(names.get(name, name) for name in wanted.must_not_call),
        one_of=tuple(_expectation(one, names) for one in wanted.one_of),
        path=replace(wanted.path, tools=tuple(names.get(name, name) for name in wanted.path.tools)),
    )


def _among(case: Case, count: int) -> Case:
    """Further tools that have nothing to do with the case, mixed among its own, which keep their order."""
    taken, dice = {tool.spec.name for tool in case.tools}, random.Random(f"distractors {case.id} {count}")
    made = [tool for tool in map(_distractor, range(MOST_DISTRACTORS)) if tool.spec.name not in taken][:count]
    places = sorted(dice.sample(range(len(made) + len(case.tools)), len(case.tools)))
    tools, own = list(made), iter(case.tools)
    for place in places:
        tools.insert(place, next(own))
    return replace(case, tools=tuple(tools))


def _distractor(number: int) -> ToolSetup:
    verb, (thing, words) = _VERBS[number % len(_VERBS)], _THINGS[number // len(_VERBS)]
    fields = {
        f"{thing}_id": {"type": "string", "description": f"Id of {words}"},
        "note": {"type": "string", "description": "Remark for the log"},
    }
    schema = {"type": "object", "properties": fields, "required": [f"{thing}_id"]}
    return ToolSetup(ToolSpec(f"{verb}_{thing}", f"{verb.capitalize()} {words} of the office archive.", schema))


def _after_talk(case: Case, count: int) -> Case:
    """So many tokens of earlier talk before the first turn of the user, by four characters a token."""
    turns: list[Message] = []
    length = 0
    while length < count * _CHARACTERS_A_TOKEN:
        said, answer = _TALK[len(turns) // 2 % len(_TALK)]
        turns += [Message("user", said), Message("assistant", answer)]
        length += len(said) + len(answer)
    at = next((place for place, one in enumerate(case.messages) if one.role != "system"), len(case.messages))
    return replace(case, messages=(*case.messages[:at], *turns, *case.messages[at:]))

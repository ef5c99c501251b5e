"""Possible answers of the Berkeley Function-Calling Leaderboard as expected calls.

    {"get_weather": {"city": ["Rome", "Roma"], "days": [3, ""], "filter": [{"sky": ["clear", ""]}]}}

Each argument has a list of values that are right; `""` among them: it may be left out. Members of an object have such
lists too, members of a list have none. What is right beside that follows from the types, as in the leaderboard's
checker (`ast_checker.py` of the package bfcl-eval 2026.3):

- A value has the type that the schema says, or the type of the first right value.
- Where these two differ, the right value is taken for a variable: texts then count to the letter.
- Texts in a list or in an object count without case, blanks and punctuation; what lies deeper counts to the letter.
- A single float may be given as a whole number, one in a list may not.
- An empty list is right wherever a list may be left out, and an empty text where a text may.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import InvalidInput
from workbench.grading.literals import literal_kind
from workbench.grading.modes import MODES
from workbench.imports.bfcl_tools import Language, properties_of, type_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.case import NumberMatch

MODE = "bfcl"
_KINDS: dict[Language, dict[str, str]] = {
    "python": {
        "string": "str", "integer": "int", "float": "float", "boolean": "bool", "array": "list", "tuple": "list",
        "dict": "dict", "any": "str", "number": "float", "object": "dict", "list": "list", "bool": "bool",
    },
    "java": {
        "byte": "int", "short": "int", "integer": "int", "long": "int", "float": "float", "double": "float",
        "boolean": "bool", "char": "str", "String": "str", "any": "str", "Array": "list", "ArrayList": "list",
        "Queue": "list", "Stack": "list", "HashMap": "dict", "Hashtable": "dict",
    },
    "javascript": {
        "String": "str", "integer": "int", "float": "float", "Bigint": "int", "Boolean": "bool", "dict": "dict",
        "array": "list", "any": "str",
    },
}  # fmt: skip
"""The leaderboard's types by what holds such a value in Python."""
NOTHING = ExpectedArgument(regex="(?!)")
"""A pattern that is found nowhere."""
_CHECKED_MEMBERS = ("array", "tuple", "Array", "ArrayList")
"""Types whose members' type is checked."""


class _Types(NamedTuple):
    """What the schema says of one argument."""

    own: str
    """`str`, `int`, …; empty where nothing is known."""
    members: str = ""
    """Of a list's members, where they are checked."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Turns the possible answers of one question into what its case expects."""

    functions: Sequence[Any]
    language: Language
    place: str
    faults: list[str] = field(default_factory=list)
    """What is odd in the possible answers: such a case can hardly be passed in the leaderboard."""

    def expectation(self, answers: Any) -> Expectation:
        """All calls must be made, in any order, and no other; raise InvalidInput."""
        listed = answers if isinstance(answers, list) else [answers]
        calls = [self._call(name, arguments) for name, arguments in self._pairs(listed)]
        if not calls:
            raise InvalidInput(f"{self.place} has no possible answer.")
        return Expectation(tuple(calls), order="any" if len(calls) > 1 else "strict", matching=MODES[MODE])

    def _pairs(self, answers: Iterable[Any]) -> Iterable[tuple[str, dict[str, Any]]]:
        for answer in answers:
            if not isinstance(answer, dict) or not all(isinstance(value, dict) for value in answer.values()):
                raise InvalidInput(f"{self.place}: a possible answer is not {{name: {{argument: [values]}}}}.")
            yield from answer.items()

    def _call(self, name: str, arguments: dict[str, Any]) -> ExpectedCall:
        function = next((one for one in self.functions if isinstance(one, dict) and one.get("name") == name), {})
        parameters = function.get("parameters")
        parameters = parameters if isinstance(parameters, dict) else {}
        properties, required = properties_of(parameters), parameters.get("required") or ()
        rules = {
            name: self._impossible(f"{name} is required and has no possible answer")
            for name in required
            if name not in arguments
        }
        for argument, values in arguments.items():
            values = values if isinstance(values, list) else [values]
            schema = properties.get(argument)
            if not isinstance(schema, dict):
                rules[argument] = self._impossible(f"{name} has no argument {argument!r}, which has possible answers")
                rules[argument] = replace(rules[argument], optional="" in values)
                continue
            if not values:
                rules[argument] = self._impossible(f"{name}.{argument} has an empty list of possible answers")
                continue
            rule = self._rule(values, schema)
            if rule is not None:  # else it may be left out, and nothing that is given is right
                rules[argument] = replace(rule, optional=False) if argument in required else rule
        return ExpectedCall(name, rules)

    def _impossible(self, why: str) -> ExpectedArgument:
        """The leaderboard's checker takes nothing here: neither a value nor that there is none."""
        self.faults.append(f"In the leaderboard nobody passes: {why}.")
        return NOTHING

    def _rule(self, values: list[Any], schema: dict[str, Any]) -> ExpectedArgument | None:
        """What one argument may be; None where nothing that is given can be right."""
        types = self._types(schema)
        real = [value for value in values if value != ""]
        first = _kind(real[0]) if real else ""
        ways = _ways(types, first, real, may_be_empty="" in values)
        if not ways:
            return None
        rule = ways[0] if len(ways) == 1 else ExpectedArgument(one_of=tuple(ways))
        if self.language != "python" and schema:
            kind = literal_kind(f"{self.language} {type_words(schema)}")
            if kind is not None:
                rule = replace(rule, literal=str(kind))
        return replace(rule, optional="" in values)

    def _types(self, schema: dict[str, Any]) -> _Types:
        known = _KINDS[self.language]
        kind, items = str(schema.get("type")), schema.get("items")
        inner = str(items.get("type")) if isinstance(items, dict) and kind in _CHECKED_MEMBERS else ""
        return _Types(known.get(kind, ""), known.get(inner, ""))


def _kind(value: Any) -> str:
    return type(value).__name__


def _ways(types: _Types, first: str, real: list[Any], *, may_be_empty: bool) -> list[ExpectedArgument]:
    """The rules of which one has to hold."""
    variable = bool(first) and first != types.own
    admitted = [value for value in real if _kind(value) in _admitted(types.own, first)]
    empty = [""] if may_be_empty and "str" in (types.own, first) else []
    if variable:
        return [_exact([*admitted, *empty], types, first)]
    match types.own:
        case "dict":
            return [_object(value) for value in admitted]
        case "list" if types.members == "dict":
            ways = [_objects(value) for value in admitted]
            return ways + ([ExpectedArgument(([],))] if may_be_empty and [] not in admitted else [])
        case "list":
            return _lists(admitted, types, may_be_empty=may_be_empty)
        case _:
            values = [*admitted, *empty]
            return [_exact(values, types, first, folded=True)] if values else []


def _admitted(own: str, first: str) -> set[str]:
    """Kinds of right values that a given one can be equal to: Python has 3 and 3.0 for one."""
    kinds = {own, first}
    return kinds | {"int", "float"} if kinds & {"int", "float"} else kinds


def _exact(values: list[Any], types: _Types, first: str, *, folded: bool = False) -> ExpectedArgument:
    """Any of these values; texts to the letter unless `folded`."""
    loose = types.own == "int" and first == "float"
    return ExpectedArgument(tuple(values), text=None if folded else "exact", numbers="value" if loose else None)


def _lists(values: list[Any], types: _Types, *, may_be_empty: bool) -> list[ExpectedArgument]:
    """Lists of plain values; a text in a list inside counts to the letter."""
    if may_be_empty and [] not in values:
        values = [*values, []]
    deep = any(isinstance(item, list | dict) for value in values for item in value)
    if not deep:
        return (
            [ExpectedArgument(tuple(values), numbers=_member_numbers(values, types, loose=may_be_empty))]
            if values
            else []
        )
    exact = [tuple(ExpectedArgument((item,), text=_depth(item)) for item in value) for value in values]
    return [ExpectedArgument(items=items, numbers="value") for items in exact]


def _member_numbers(values: list[Any], types: _Types, *, loose: bool) -> NumberMatch:
    """Members have the schema's type or that of the first right one."""
    firsts = {
        _kind(next(item for item in value if item != "")) for value in values if any(item != "" for item in value)
    }
    if loose or types.members not in ("int", "float") or firsts - {types.members}:
        return "value"
    return "type"


def _depth(item: Any) -> Any:
    return "exact" if isinstance(item, list | dict) else None


def _object(value: dict[str, Any]) -> ExpectedArgument:
    """An object whose members have lists of right values."""
    return ExpectedArgument(fields={str(name): _member(inner) for name, inner in value.items()})


def _member(values: Any) -> ExpectedArgument:
    if not isinstance(values, list):
        # the checker takes what is no list for one: of a text each character is right, and the empty text is in it
        values = [*values, ""] if isinstance(values, str) else list(values) if isinstance(values, dict) else [values]
    plain = [value for value in values if not isinstance(value, list | dict)]
    deep = [value for value in values if isinstance(value, list | dict)]
    ways = []
    if plain:
        ways.append(ExpectedArgument(tuple(plain), numbers="value"))
    if deep:
        ways.append(ExpectedArgument(tuple(deep), text="exact", numbers="value"))
    rule = ways[0] if len(ways) == 1 else ExpectedArgument(one_of=tuple(ways))
    return replace(rule, optional="" in values)


def _objects(value: list[Any]) -> ExpectedArgument:
    return ExpectedArgument(
        items=tuple(_object(item) if isinstance(item, dict) else _exact([item], _Types(""), "") for item in value)
    )

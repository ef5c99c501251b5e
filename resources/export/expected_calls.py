"""Are these the expected calls? Needs nothing but Python; reads the `expect` of an exported case.

    problems(expect, calls, answer, tools) -> list of sentences, empty where all is right

`expect` is the document of the case (`no_call`, or calls with rules for their arguments), `calls` a list of
{"name", "arguments"}, `answer` the text beside them, `tools` the tools in OpenAI's shape (their schemas know defaults).
"""

import json
import math
import re
from datetime import date, datetime, time
from decimal import Decimal
from uuid import UUID

RULES = set(
    "any_of any optional one_of fields items extra any_order kind regex contains text tolerance numbers literal".split()
)
QUESTION = re.compile("[?\uff1f\u061f\u037e\u055e\u1367\u2047\u2048\u2049]")
MATCHING = {"text": "exact", "numbers": "value", "tolerance": 0.0, "coerced": False, "defaults": True}


def problems(expect, calls, answer="", tools=()):
    if expect == "no_call":
        expect = {"no_call": True}
    if "one_of" in expect:
        return min((problems(way, calls, answer, tools) for way in expect["one_of"]), key=len)
    found = [f"{call['name']} must not be called." for call in calls if call["name"] in expect.get("must_not_call", ())]
    if expect.get("no_call") or expect.get("must_ask"):
        found += [f"{call['name']} was called, and no call is right here." for call in calls]
        found += list(wrong_answer(expect, answer))
        if expect.get("must_ask") and not QUESTION.search(answer):
            found.append("The right decision was to ask back.")
    elif expect.get("any_call"):
        found += [] if calls else ["No call was made; some call was expected."]
    elif expect.get("calls"):
        schemas = {tool["function"]["name"]: tool["function"].get("parameters") or {} for tool in tools}
        found += wrong_calls(expect, calls, schemas)
    return found


def wrong_answer(expect, answer):
    said = answer.casefold()
    for words in expect.get("answer_contains", ()):
        if words.casefold() not in said:
            yield f"The answer does not hold {words!r}."
    for words in expect.get("answer_lacks", ()):
        if words.casefold() in said:
            yield f"The answer holds {words!r}."
    if expect.get("answer_regex") and not re.search(expect["answer_regex"], answer):
        yield f"The answer does not match {expect['answer_regex']}."


def wrong_calls(expect, calls, schemas):
    wanted, matching = expect["calls"], {**MATCHING, **expect.get("matching", {})}

    def fits(one, call):
        if one["name"] != call["name"]:
            return False
        if expect.get("names_only"):
            return True
        schema = schemas.get(one["name"], {})
        rules, extra = one.get("arguments", {}), one.get("extra_arguments")
        return members_fit(rules, call["arguments"], schema, extra, matching)

    table = [[fits(one, call) for call in calls] for one in wanted]
    more, fewer = expect.get("extra_calls"), expect.get("missing_calls")
    if fewer and not calls:
        return ["No call was made."]
    pairs = longest(table, len(calls), ordered=expect.get("order", "strict") == "strict")
    if (fewer or pairs == len(wanted)) and (more or pairs == len(calls)):
        return []
    told = ", ".join(f"{call['name']}({json.dumps(call['arguments'], ensure_ascii=False)})" for call in calls)
    return [f"Expected {json.dumps(wanted, ensure_ascii=False)}, made {told or 'no call'}."]


def longest(table, made, ordered):
    """How many expected calls can be paired with made ones; `ordered`: with both orders kept."""
    if ordered:
        row = [0] * (made + 1)
        for fits in table:
            above = row
            row = [0] * (made + 1)
            for at in range(made):
                row[at + 1] = max(row[at], above[at + 1], above[at] + 1 if fits[at] else 0)
        return row[made]
    owner = {}

    def place(one, seen):
        for at in range(made):
            if table[one][at] and at not in seen:
                seen.add(at)
                if at not in owner or place(owner[at], seen):
                    owner[at] = one
                    return True
        return False

    return sum(place(one, set()) for one in range(len(table)))


def members_fit(rules, given, schema, extra, matching):
    below = schema.get("properties") if isinstance(schema.get("properties"), dict) else {}
    for name, rule in rules.items():
        plain = as_rule(rule)
        if name in given:
            if not value_fits(plain, given[name], below.get(name) or {}, matching):
                return False
        elif not plain.get("optional") and not default_fits(plain.get("any_of"), below.get(name) or {}, matching):
            return False
    return extra or all(name in rules or is_default(given[name], below.get(name) or {}, matching) for name in given)


def as_rule(value):
    return value if isinstance(value, dict) and value and set(value) <= RULES else {"any_of": [value]}


def default_fits(values, schema, matching):
    if not matching["defaults"] or "default" not in schema:
        return False
    return not values or any(json.dumps(value) == json.dumps(schema["default"]) for value in values)


def is_default(value, schema, matching):
    return matching["defaults"] and "default" in schema and same(schema["default"], value, {}, matching)


def value_fits(rule, value, schema, matching):
    for name in ("text", "tolerance", "numbers"):
        if rule.get(name) is not None:
            matching = {**matching, name: rule[name]}
    tries = [same(one, value, schema, matching) for one in rule.get("any_of", ())]
    tries += [value_fits(as_rule(one), value, schema, matching) for one in rule.get("one_of", ())]
    if tries and not any(tries):
        return False
    if "fields" in rule and not (
        isinstance(value, dict) and members_fit(rule["fields"], value, schema, rule.get("extra"), matching)
    ):
        return False
    if "items" in rule and not items_fit(rule, value, schema, matching):
        return False
    if rule.get("kind") and not SHAPES[rule["kind"]](value):
        return False
    if rule.get("regex") and not (isinstance(value, str) and re.search(rule["regex"], value)):
        return False
    held = value.casefold() if isinstance(value, str) else None
    return all(held is not None and words.casefold() in held for words in listed(rule.get("contains")))


def items_fit(rule, value, schema, matching):
    if not isinstance(value, list):
        return False
    below = schema.get("items") if isinstance(schema.get("items"), dict) else {}
    rules = [as_rule(one) for one in rule["items"]]
    table = [[value_fits(one, item, below, matching) for item in value] for one in rules]
    if rule.get("any_order"):
        needed = [fits for one, fits in zip(rules, table, strict=True) if not one.get("optional")]
        whole = longest(table, len(value), ordered=False)
        return longest(needed, len(value), ordered=False) == len(needed) and (rule.get("extra") or whole == len(value))
    ends = {0}  # how many items the rules so far may have taken; an optional one may have taken none
    for one, fits in zip(rules, table, strict=True):
        ends = {at + 1 for at in ends if at < len(value) and fits[at]} | (ends if one.get("optional") else set())
    return len(value) in ends or bool(rule.get("extra") and ends)


def listed(value):
    return [value] if isinstance(value, str) else value or []


def same(expected, actual, schema, matching):
    kind = kind_of(expected)
    if kind != kind_of(actual):
        return matching["coerced"] and isinstance(actual, str) and text_form(actual, expected)
    if kind == "object":
        inner = schema.get("properties") if isinstance(schema.get("properties"), dict) else {}
        for name, value in expected.items():
            if name in actual:
                if not same(value, actual[name], inner.get(name) or {}, matching):
                    return False
            elif not default_fits([value], inner.get(name) or {}, matching):
                return False
        return all(name in expected or is_default(actual[name], inner.get(name) or {}, matching) for name in actual)
    if kind == "array":
        inner = schema.get("items") if isinstance(schema.get("items"), dict) else {}
        return len(expected) == len(actual) and all(
            same(a, b, inner, matching) for a, b in zip(expected, actual, strict=True)
        )
    if kind == "number":
        return same_number(expected, actual, schema, matching)
    if kind == "string":
        return fold(expected, matching["text"]) == fold(actual, matching["text"])
    return expected == actual


def same_number(expected, actual, schema, matching):
    if expected != actual and not (matching["tolerance"] and near(expected, actual, matching["tolerance"])):
        return math.isnan(expected) and math.isnan(actual)
    named = schema.get("type") in ("integer", "number")
    whole = schema["type"] == "integer" if named else isinstance(expected, int)
    if matching["numbers"] == "value" or isinstance(actual, int) == whole:
        return True
    return matching["numbers"] != "type" and not whole


def near(one, other, tolerance):
    if not all(isinstance(number, int) or math.isfinite(number) for number in (one, other)):
        return False
    return abs(Decimal(repr(one)) - Decimal(repr(other))) <= Decimal(repr(tolerance))


def kind_of(value):
    if isinstance(value, bool):
        return "boolean"
    kinds = {int: "number", float: "number", str: "string", dict: "object", list: "array", type(None): "null"}
    return kinds.get(type(value), "other")


def fold(text, rule):
    if rule == "folded":
        return " ".join(text.casefold().split())
    if rule == "letters":
        return re.sub(r"[ ,./\-_*^]", "", text).lower().replace("'", '"')
    return text


def text_form(text, value):
    plain = text.strip()
    if isinstance(value, bool) or value is None:
        return plain.casefold() in ({"none", "null"} if value is None else {str(value).casefold()})
    try:
        read = json.loads(plain)
    except ValueError:
        return False
    return type(read) is not bool and read == value


def reads(read):
    def check(value):
        try:
            return isinstance(value, str) and read(value) is not None
        except ValueError:
            return False

    return check


SHAPES = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
    "date": reads(lambda text: datetime.fromisoformat(text) if len(text) > 10 else date.fromisoformat(text)),
    "time": reads(time.fromisoformat),
    "email": lambda value: isinstance(value, str) and re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", value) is not None,
    "uri": lambda value: isinstance(value, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9+.\-]+:\S+", value) is not None,
    "uuid": reads(UUID),
}

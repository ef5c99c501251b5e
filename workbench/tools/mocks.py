"""Prepared results: what a mock says to a call."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import json_or
from workbench.core.tools import ArgumentRule, MockRule, ToolMode, ToolResult

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall

LONGEST_DELAY_MS = 600_000
_TESTS = frozenset({"pattern", "minimum", "maximum", "present"})


def chosen_rule(rule: MockRule, call: ParsedCall, earlier: int = 0) -> MockRule:
    """The rule that answers a call: the step of a sequence, or the first whose arguments fit."""
    match rule.kind:
        case "sequence" if rule.steps:
            return chosen_rule(rule.steps[min(earlier, len(rule.steps) - 1)], call, earlier)
        case "rules":
            fitting = (one.then for one in rule.rules if fits(one, call.arguments))
            return chosen_rule(next(fitting, MockRule()), call, earlier)
    return rule


def fits(rule: ArgumentRule, arguments: dict[str, Any]) -> bool:
    """Whether a call's arguments are those that a rule is for."""
    return all(_fits(wanted, name in arguments, arguments.get(name)) for name, wanted in rule.when.items())


def _fits(wanted: Any, present: bool, value: Any) -> bool:
    if not (isinstance(wanted, dict) and wanted and _TESTS.issuperset(wanted)):
        return present and type(value) is type(wanted) and bool(value == wanted)
    if "present" in wanted and present is not bool(wanted["present"]):
        return False
    if "pattern" in wanted and not (isinstance(value, str) and re.search(str(wanted["pattern"]), value)):
        return False
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if "minimum" in wanted and not (number and value >= wanted["minimum"]):
        return False
    return "maximum" not in wanted or (number and value <= wanted["maximum"])


def mock_result(rule: MockRule, call: ParsedCall) -> ToolResult:
    """What a chosen rule says to a call, without its delay."""
    match rule.kind:
        case "fixed":
            return ToolResult(True, rule.result)
        case "template":
            return _templated(str(rule.result), call)
        case "failing":
            return ToolResult(False, None, rule.error or f"The tool {call.name!r} failed, as it was set up to.")
        case _:
            return ToolResult(True, {"mock": "echo", "tool": call.name, "arguments": call.arguments})


def recorded_mock(result: ToolResult) -> MockRule:
    """A mock that says what a real call said."""
    if result.success:
        return MockRule("fixed", result.result, recorded=True)
    return MockRule("failing", error=result.error or "", recorded=True)


def recorded_rules(rule: MockRule, arguments: dict[str, Any], result: ToolResult) -> MockRule:
    """A mock that says so for these arguments alone, before what it said already."""
    learned = ArgumentRule(dict(arguments), recorded_mock(result))
    old = rule.rules if rule.kind == "rules" else ()
    kept = tuple(one for one in old if one.when != learned.when)
    rest = () if rule.kind in ("rules", "echo") else (ArgumentRule({}, rule),)
    return MockRule("rules", rules=(learned, *kept, *rest))


def _templated(text: str, call: ParsedCall) -> ToolResult:
    """Fill a template; text that is JSON afterwards becomes the value it says."""
    import jinja2
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False)
    seen = {"name": call.name, "id": call.id, "arguments": call.arguments, "format": call.format}
    try:
        filled = environment.from_string(text).render(arguments=call.arguments, call=seen)
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
        return ToolResult(False, None, f"The mock template of {call.name!r} cannot be filled: {error}", ToolMode.MOCK)
    return ToolResult(True, _value(filled))


def _value(text: str) -> Any:
    if text.lstrip()[:1] in ("{", "["):
        return json_or(text, text)
    return text

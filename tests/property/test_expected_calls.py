"""The checker that leaves with an export says of every case what the workbench's own judge says."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.waiting import LIMIT_S
from workbench.core.batch import CallState
from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall, Matching
from workbench.core.events import ToolStarted
from workbench.core.messages import Message
from workbench.core.resources import resource_path
from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.export.sample_cases import checkable
from workbench.grading.fieldtable import call_table

TOOLS = tuple(
    ToolSetup(ToolSpec(name, "", {"type": "object", "properties": {
        "a": {"type": "integer", "default": 1}, "b": {"type": "string"}, "c": {"type": "number"},
        "o": {"type": "object", "properties": {"a": {"default": 3}}},
    }})) for name in ("get", "put")
)  # fmt: skip
PLAIN = st.sampled_from([1, 1.0, 3, 2.5, "1", "Rome", "ROME ", "r.o-me", "", True, None])
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2), max_leaves=4
)  # fmt: skip
NAMES = st.sampled_from(["get", "put"])
GIVEN = st.dictionaries(st.sampled_from("abco"), VALUES, max_size=3)
CALLS = st.lists(st.tuples(NAMES, GIVEN), max_size=3)
KINDS = st.sampled_from(["", "", "string", "integer", "number", "boolean", "array", "object", "null"])
SIMPLE = st.builds(
    ExpectedArgument, values=st.lists(VALUES, max_size=2).map(tuple), optional=st.booleans(), kind=KINDS,
    regex=st.sampled_from(["", "", "^R", "o"]), contains=st.sampled_from([(), (), ("rom",)]),
    text=st.sampled_from([None, None, "exact", "folded", "letters"]), tolerance=st.sampled_from([None, None, 0.5]),
    numbers=st.sampled_from([None, None, "value", "widening", "type"]),
)  # fmt: skip
RULES = st.recursive(
    SIMPLE,
    lambda inner: st.builds(
        ExpectedArgument, optional=st.booleans(), one_of=st.lists(inner, max_size=2).map(tuple),
        fields=st.none() | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
        items=st.none() | st.lists(inner, max_size=3).map(tuple), extra=st.booleans(), any_order=st.booleans(),
    ),
    max_leaves=3,
)  # fmt: skip
EXACT = VALUES.map(lambda value: ExpectedArgument((value,)))
WANTED = st.builds(
    ExpectedCall, NAMES, st.dictionaries(st.sampled_from("abco"), EXACT | RULES, max_size=3), st.booleans()
)
MATCHINGS = st.builds(
    Matching, st.sampled_from(["exact", "folded", "letters"]), st.sampled_from(["value", "widening", "type"]),
    st.sampled_from([0.0, 0.6]), st.booleans(), st.booleans(),
)  # fmt: skip
EXPECTATIONS = st.builds(
    Expectation, st.lists(WANTED, min_size=1, max_size=3).map(tuple), st.sampled_from(["strict", "any"]),
    matching=MATCHINGS, names_only=st.booleans(),
).flatmap(
    lambda made: st.sampled_from([made, replace(made, extra_calls=True), replace(made, missing_calls=True)])
)  # fmt: skip
OPENAI = [setup.spec.to_openai() for setup in TOOLS]


def checker() -> ModuleType:
    spec = spec_from_file_location("expected_calls", resource_path("export", "expected_calls.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = checker()


def judged(expectation: Expectation, calls: list[tuple[str, dict[str, Any]]]) -> bool:
    case = Case("c", "c", (Message("user", "x"),), TOOLS, expectation=expectation)
    made = [ToolStarted(0, at, "", name, given, ToolMode.RECORD, 0) for at, (name, given) in enumerate(calls)]
    rows = call_table(case, made)
    if expectation.missing_calls and not calls:
        return False
    return all(row.state in (CallState.MATCHED, CallState.ALLOWED) for row in rows)


def in_python(document: Any, calls: list[dict[str, Any]]) -> bool:
    return not CHECKER.problems(document, calls, "", OPENAI)


def drawn(
    calls: list[tuple[str, dict[str, Any]]], wanted: Expectation, *, alike: bool
) -> list[tuple[str, dict[str, Any]]]:
    """Made calls: free ones, or what is expected, where it is plain."""
    if not alike:
        return calls
    return [
        (call.name, {name: rule.values[0] for name, rule in call.arguments.items() if rule.values})
        for call in wanted.calls
    ]


@settings(max_examples=400)
@given(EXPECTATIONS, CALLS, st.booleans())
def test_python_checker_agrees_with_the_judge(
    wanted: Expectation, free: list[tuple[str, dict[str, Any]]], alike: bool
) -> None:
    calls = drawn(free, wanted, alike=alike)
    made = [{"name": name, "arguments": arguments} for name, arguments in calls]
    assert in_python(checkable(wanted), made) == judged(wanted, calls)


def by_value(rule: ExpectedArgument) -> ExpectedArgument:
    return replace(
        rule, numbers=None, one_of=tuple(map(by_value, rule.one_of)),
        fields=rule.fields and {name: by_value(one) for name, one in rule.fields.items()},
        items=rule.items and tuple(map(by_value, rule.items)),
    )  # fmt: skip


def as_in_javascript(wanted: Expectation) -> Expectation:
    """1 and 1.0 are one there."""
    calls = tuple(
        replace(call, arguments={name: by_value(rule) for name, rule in call.arguments.items()})
        for call in wanted.calls
    )
    return replace(wanted, calls=calls, matching=replace(wanted.matching, numbers="value"))


NODE = """
const { problems } = require(process.argv[1]);
const lines = require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean);
for (const line of lines) {
  const { expect, calls, tools } = JSON.parse(line);
  console.log(problems(expect, calls, "", tools).length === 0);
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_javascript_checker_agrees_with_the_judge() -> None:
    """All at once: starting Node for each would take most of the time."""
    rows: list[dict[str, Any]] = []
    right: list[bool] = []

    @settings(max_examples=400, database=None)
    @given(EXPECTATIONS, CALLS, st.booleans())
    def draw(wanted: Expectation, free: list[tuple[str, dict[str, Any]]], alike: bool) -> None:
        wanted = as_in_javascript(wanted)
        calls = json.loads(json.dumps(drawn(free, wanted, alike=alike)).replace("1.0", "1"))
        made = [{"name": name, "arguments": arguments} for name, arguments in calls]
        rows.append({"expect": checkable(wanted), "calls": made, "tools": OPENAI})
        right.append(judged(wanted, [(name, arguments) for name, arguments in calls]))

    draw()
    command = ["node", "-e", NODE, str(resource_path("export", "workbench.cjs"))]
    text = "\n".join(json.dumps(row) for row in rows)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=LIMIT_S)
    said = [line == "true" for line in done.stdout.split()]
    assert len(said) == len(right)
    assert not [row for row, one, other in zip(rows, said, right, strict=True) if one != other]

"""The contract of the json_lists family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import Drawn, drawn

TestFamily = contract(
    "minimax_m1",
    "tool_calls_json",
    "granite",
    "granite_20b",
    "phi4_functools",
    "internlm",
    "nemotron_toolcall",
    "apertus",
    "gigachat3",
    "openpangu",
    "inkling",
)


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("phi4_functools", "stop", True, Drawn('⟦functools{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "missing_brace")])),
        ("phi4_functools", "stop", False, Drawn('⟦functools{"name": "‹now›", "arguments": «{}»}⟧', [("now", {}, "missing_brace")])),
        ("phi4_functools", "stop", True, Drawn('⟦functools {"name":"‹get_weather›","arguments":«{"city": "Rome"}»}⟧ Done.', [("get_weather", {"city": "Rome"}, "missing_brace")], [], "Done.")),
        ("phi4_functools", "stop", False, Drawn('⟦functools {"name":"‹get_weather›","arguments":«{"city": "Rome"}»}⟧ Done.', [("get_weather", {"city": "Rome"}, "missing_brace")], [], "Done.")),
        ("phi4_functools", "stop", True, Drawn('functools{"nam": 1}', [], [], 'functools{"nam": 1}')),
        ("phi4_functools", "stop", False, Drawn('functools{"nam": 1}', [], [], 'functools{"nam": 1}')),
        ("phi4_functools", "stop", True, Drawn('functools⟨{"name": "now"⟩', [], ["reported unknown_format now: A call of 'now' in a form that phi4_functools does not know."], 'functools{"name": "now"')),
        ("phi4_functools", "stop", False, Drawn('functools{"name": "now"', [], [], 'functools{"name": "now"')),
        ("phi4_functools", "stop", True, Drawn('functools⟨{"name": "now"}⟩', [], ["reported unknown_format now: A call of 'now' in a form that phi4_functools does not know."], 'functools{"name": "now"}')),
        ("phi4_functools", "stop", True, Drawn('⟦functools {"name" : "‹now›" , "arguments": «{}»}⟧', [("now", {}, "missing_brace")])),
    ],
)  # fmt: skip
def test_functools_before_one_call(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole

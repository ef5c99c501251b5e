"""The contract of the plain_json family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import Drawn, drawn

TestFamily = contract("function_calls_json", "bare_json")


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("bare_json", "stop", True, Drawn('⟦‹get_weather›«{"city": "Rome"}»⟧⟦‹now›«{"zone": "CET"}»⟧', [("get_weather", {"city": "Rome"}, "wrong_family"), ("now", {"zone": "CET"}, "wrong_family")])),
        ("bare_json", "stop", True, Drawn('⟦‹get_weather›«{"city": "Rome"}»⟧⟦‹now›«{"zone": "CET"}»⟧⟦‹get_weather›«{"city": "Rome"}»⟧', [("get_weather", {"city": "Rome"}, "wrong_family"), ("now", {"zone": "CET"}, "wrong_family"), ("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("bare_json", "stop", True, Drawn('⟦‹get_weather›«{"city": "Rome"}»⟧⟦‹now›«{}»⟧\n', [("get_weather", {"city": "Rome"}, "wrong_family"), ("now", {}, "wrong_family")])),
        ("bare_json", "stop", True, Drawn('⟦‹get_weather›«{"city": "Rome"}»⟧other{"a": 1}', [("get_weather", {"city": "Rome"}, "wrong_family")], [], 'other{"a": 1}')),
        ("bare_json", "stop", True, Drawn('⟦‹get_weather›«{"city": "Rome"}»⟧\n⟦‹now›«{"zone": "CET"}»⟧', [("get_weather", {"city": "Rome"}, "wrong_family"), ("now", {"zone": "CET"}, "wrong_family")])),
        ("bare_json", "stop", True, Drawn('⟦‹get_weather›«{"city": "Rome"}»⟧⟨now{"zone": ⟩', [("get_weather", {"city": "Rome"}, "wrong_family")], ["reported truncated now: The call is cut off. ('now')"])),
        ("bare_json", "stop", True, Drawn('⟦‹get_weather›«{"city": "Rome"}»⟧ ⟨now{"zone": "CET"}⟩', [("get_weather", {"city": "Rome"}, "wrong_family")], ["reported unknown_format now: A call of 'now' in a form that bare_json does not know."], 'now{"zone": "CET"}')),
        ("bare_json", "stop", True, Drawn('I look:\n⟦‹get_weather›«{"city": "Rome"}»⟧⟦‹now›«{"zone": "CET"}»⟧', [("get_weather", {"city": "Rome"}, "wrong_family"), ("now", {"zone": "CET"}, "wrong_family")], [], "I look:")),
        ("bare_json", "length", True, Drawn('⟦‹get_weather›«{"city": "Rome"}»⟧⟨now{"zone": ⟩', [("get_weather", {"city": "Rome"}, "wrong_family")], ["reported truncated now: The call is cut off. ('now')"])),
    ],
)  # fmt: skip
def test_calls_glued_to_one_another(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole

"""The contract of the mistral family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import Drawn, drawn

TestFamily = contract("mistral_json", "mistral_args")


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«"{\\"city\\": \\"Rome\\"}"»⟧', [("get_weather", {"city": "Rome"}, "double_encoded")])),
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather› «"{\\"city\\": \\"Rome\\"}"»⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag double_encoded")])),
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«\'{"city": "Rome"}\'»⟧', [("get_weather", {"city": "Rome"}, "single_quotes double_encoded")])),
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather›[CALL_ID]a1B2c3D4e[ARGS]«"{\\"city\\": \\"Rome\\"}"»⟧⟦[TOOL_CALLS]‹now›[ARGS]«{}»⟧', [("get_weather", {"city": "Rome"}, "double_encoded"), ("now", {}, "")])),
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«"{\\"city\\": \\"[TOOL_CALLS]now{}\\"}"»⟧', [("get_weather", {"city": "[TOOL_CALLS]now{}"}, "double_encoded")])),
        ("mistral_args", "stop", True, Drawn('⟨[TOOL_CALLS]get_weather[ARGS]"say [TOOL_CALLS]now[ARGS]{} please"⟩', [], ["reported args_not_object get_weather: The arguments of 'get_weather' are no JSON object."])),
        ("mistral_args", "stop", True, Drawn('⟨[TOOL_CALLS]get_weather[ARGS]"\n[TOOL_CALLS]now{}"⟩', [], ["reported bad_json get_weather: The arguments of 'get_weather' are no readable JSON."])),
        ("mistral_args", "stop", True, Drawn("⟨[TOOL_CALLS]get_weather[ARGS]'\n[TOOL_CALLS]now{}'⟩", [], ["reported bad_json get_weather: The arguments of 'get_weather' are no readable JSON."])),
        ("mistral_args", "stop", True, Drawn('⟨[TOOL_CALLS]get_weather[ARGS]["\n[TOOL_CALLS]now{}"]⟩', [], ["reported args_not_object get_weather: The arguments of 'get_weather' are no JSON object."])),
        ("mistral_args", "stop", True, Drawn('⟨get_weather[ARGS]"⟨[TOOL_CALLS]now{}⟩"⟩', [], ["ignored mentioned now: This looks like a call but it stands in quotes.", "reported unread_call get_weather: A call of 'get_weather' begins here and cannot be read."], 'get_weather[ARGS]"[TOOL_CALLS]now{}"')),
        ("mistral_args", "stop", True, Drawn('⟨[TOOL_CALLS]get_weather[ARGS]"Rome\n⟩⟦[TOOL_CALLS]‹now›[ARGS]«{"zone": "CET"}»⟧', [("now", {"zone": "CET"}, "")], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("mistral_args", "stop", True, Drawn("⟨[TOOL_CALLS]now[ARGS]null⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("mistral_args", "stop", True, Drawn("⟨[TOOL_CALLS]get_weather[ARGS]null⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("mistral_args", "stop", True, Drawn("⟨[TOOL_CALLS]now[ARGS]nullable⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("mistral_args", "length", True, Drawn('⟨[TOOL_CALLS]get_weather[ARGS]"{\\"city\\": \\"Ro⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("mistral_args", "length", True, Drawn('⟨[TOOL_CALLS]get_weather[ARGS]"{\\"city\\": \\"[TOOL_CALLS]now{}⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("mistral_args", "stop", True, Drawn('⟨[TOOL_CALLS]write_file[ARGS]["a"]⟩', [], ["reported args_not_object write_file: The arguments of 'write_file' are no JSON object."])),
    ],
)  # fmt: skip
def test_arguments_that_were_made_a_string(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather›«{"city": "Rome"}»⟧⟦‹now›«{"zone": "CET"}»⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag"), ("now", {"zone": "CET"}, "missing_open_tag")])),
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧⟦‹now›«{"zone": "CET"}»⟧', [("get_weather", {"city": "Rome"}, ""), ("now", {"zone": "CET"}, "missing_open_tag")])),
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather›«{"city": "Rome"}»⟧other{"a": 1}', [("get_weather", {"city": "Rome"}, "missing_open_tag")], [], 'other{"a": 1}')),
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹get_weather›«{"city": "Rome"}»⟧\n⟦‹now›«{"zone": "CET"}»⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag"), ("now", {"zone": "CET"}, "missing_open_tag")])),
        ("mistral_args", "length", True, Drawn('⟦[TOOL_CALLS]‹get_weather›«{"city": "Rome"}»⟧⟨now{"zone": "C⟩', [("get_weather", {"city": "Rome"}, "missing_open_tag")], ["reported truncated now: The call is cut off. ('now')"])),
    ],
)  # fmt: skip
def test_calls_glued_to_one_another(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole

"""Keys and values that do not stand in pairs: given in order where their numbers are the same, told else."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.formats import get_format
from workbench.formats.kit.pairs_so_far import GLM, PairsSoFar, wrong_with
from workbench.formats.kit.scanner import Scanner


def so_far(name: str = "get_weather", **fields: object) -> PairsSoFar:
    scan = get_format("glm45").parser(tuple(TOOLS.values()))
    assert isinstance(scan, Scanner)
    return PairsSoFar(scan, GLM, name, **fields)  # type: ignore[arg-type]


def test_as_many_values_as_keys_in_a_row_are_paired_in_order() -> None:
    reading = so_far(values={"days": "Rome"}, rows=[(["city", "days"], ["Rome", "3"])])
    assert wrong_with(reading, "get_weather") is None
    assert (reading.values, reading.repairs) == ({"days": "3", "city": "Rome"}, ["positional"])


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"rows": [(["city", "days"], ["Rome"])], "values": {"days": "Rome"}}, "bad_json"),
        ({"rows": [(["city"], ["Rome", "Oslo"])], "values": {"city": "Rome"}}, "bad_json"),
        ({"rows": [([], ["Rome"])]}, "bad_json"),
        ({"twice": "city"}, "ambiguous"),
        ({"garbled": "x=1"}, "bad_json"),
        ({"lost": ["city"]}, "missing_argument"),
        ({"left": "city Rome"}, "missing_argument"),
    ],
)
def test_what_is_lost_is_told_with_the_tools_name(fields: dict[str, object], code: str) -> None:
    found = wrong_with(so_far(**fields), "get_weather")
    assert found is not None
    assert found[0] == code
    assert "get_weather" in found[1]


def test_a_key_without_a_value_that_nobody_needs_is_a_repair() -> None:
    reading = so_far(values={"city": "Rome"}, lost=["days"])
    assert wrong_with(reading, "get_weather") is None
    assert reading.repairs == ["open_value"]


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('glm45', Drawn('⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key><arg_key>days</arg_key><arg_value>Rome</arg_value><arg_value>3</arg_value><arg_key>metric</arg_key><arg_value>true</arg_value>»</tool_call>⟧', [('get_weather', {'metric': True, 'city': 'Rome', 'days': 3}, 'missing_open_tag near_miss_tag positional')])),
        ('glm45', Drawn('⟨<tool_call>get_weather\n<arg_key>city</arg_key><arg_key>days</arg_key><arg_value>Rome</arg_value><arg_key>metric</arg_key><arg_value>true</arg_value></tool_call>⟩', [], ["reported missing_argument get_weather: 'city' of 'get_weather' has no value."])),
        ('glm45', Drawn('⟦<tool_call>‹get_weather›\n«<arg_key>city</arg_key><arg_value>Rome</arg_value><arg_key>days</arg_key><arg_key>metric</arg_key><arg_value>3</arg_value><arg_value>true</arg_value>»</tool_call>⟧', [('get_weather', {'city': 'Rome', 'days': 3, 'metric': True}, 'missing_open_tag near_miss_tag positional')])),
    ],
)  # fmt: skip
def test_keys_that_wait_for_values_wait_once(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('glm45', Drawn('⟨<tool_call>get_weather\n<arg_key>city</arg_key><arg_key>days</arg_key><arg_value>Rome</arg_value><arg_value>3</arg_value><arg_key>metric</arg_key><arg_value>true</arg_value><arg_value>5</arg_value></tool_call>⟩', [], ["reported bad_json get_weather: Keys and values of 'get_weather' do not stand in pairs."])),
        ('glm45', Drawn('⟨<tool_call>get_weather\n<arg_key>city</arg_key><arg_value>Rome</arg_value><arg_value>3</arg_value></tool_call>⟩', [], ["reported bad_json get_weather: Keys and values of 'get_weather' do not stand in pairs."])),
    ],
)  # fmt: skip
def test_a_value_too_many_behind_keys_that_had_theirs(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole

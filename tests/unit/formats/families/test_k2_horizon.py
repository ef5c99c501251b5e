from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.whole_reading import told

TestFamily = contract("k2_horizon")


KEY = "<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key>\n"
TYPE, VALUE = "<ifm|arg_type>string</ifm|arg_type>\n", "<ifm|arg_value>Rome</ifm|arg_value>\n"
END = "</ifm|tool_call>"


@pytest.mark.parametrize(
    ("body", "repairs"),
    [
        (TYPE + VALUE, ""),
        ("string</ifm|arg_type>" + VALUE, "near_miss_tag"),
        ("<ifm|arstring</ifm|arg_type>" + VALUE, "near_miss_tag"),
        ("<ifm|arg_type>string" + VALUE, "near_miss_tag"),
        ("<ifm|arg_type>string</ifm|arg_type></ifm|arg_type>" + VALUE, "near_miss_tag"),
        ("string\n" + VALUE, "near_miss_tag"),
        (f"{TYPE}Rome</ifm|arg_value>", "missing_open_tag"),
        (f"{TYPE}<ifm|arRome</ifm|arg_value>", "missing_open_tag near_miss_tag"),
        (f"{TYPE}g_value>Rome</ifm|arg_value>", "missing_open_tag near_miss_tag"),
        (f"{TYPE}<ifm|arg_value>Rome</ifm|ar", "missing_close_tag near_miss_tag"),
    ],
)
def test_no_damage_makes_the_type_a_part_of_the_value(body: str, repairs: str) -> None:
    (call,) = told("k2_horizon", KEY + body + END).calls
    assert call[:3] == ("get_weather", {"city": "Rome"}, repairs)


def test_another_word_before_the_value_is_no_type() -> None:
    assert [call[1] for call in told("k2_horizon", f"{KEY}Oslo</ifm|arg_value>{END}").calls] == [{"city": "Oslo"}]


def test_the_type_of_another_value_loses_nothing() -> None:
    second = (
        "\n<ifm|arg_key>days</ifm|arg_key>\n<ifm|arg_type>integer</ifm|arg_type>\n<ifm|arg_value>3</ifm|arg_value>\n"
    )
    (call,) = told("k2_horizon", f"{KEY}Rome</ifm|arg_value>{second}{END}").calls
    assert call[1:3] == ({"city": "Rome", "days": 3}, "missing_open_tag")


@pytest.mark.parametrize(
    "value",
    [
        "Rome\ndays</ifm|arg_key>\n<ifm|arg_value>3",
        "Rome\n<ifm|arg_key>days\n<ifm|arg_value>3",
        "Rome\ndays</ifm|arg_key>\n<ifm|arg_type>integer</ifm|arg_type>\n<ifm|arg_value>3",
    ],
)
def test_a_further_argument_in_a_value_is_told(value: str) -> None:
    found = told("k2_horizon", f"{KEY}<ifm|arg_value>{value}</ifm|arg_value>{END}")
    assert [problem[0] for problem in found.problems] == ["absorbed_parameter"]

from __future__ import annotations

import pytest

from tests.kit.new_dialects import TOOLS
from workbench.formats.drafting.argument_marks import agreed_pairs, values_of
from workbench.formats.drafting.call_places import call_places
from workbench.formats.drafting.grammar_fields import GrammarFields


@pytest.mark.parametrize(
    ("opens", "text", "marks"),
    [
        ("<<call", "<<call get_weather city :: New Oslo | days :: 3>>", ("", " :: ", "", " | ", ">>")),
        ("<fn", '<fn get_weather><arg name="city">New Oslo</arg><arg name="days">3</arg></fn>',
         ('<arg name="', '">', "</arg>", "", "</fn>")),
        ("<tool>", "<tool>get_weather</tool>\n<city>New Oslo</city>\n<days>3</days>\n</use>",
         ("<", ">", "</\x01>", "\n", "</use>")),
        ("#!", '#!get_weather --city "New Oslo" --days 3 #!end', ("--", " ", "", " ", "#!end")),
    ],
)  # fmt: skip
def test_what_stands_around_keys_and_values(opens: str, text: str, marks: tuple[str, ...]) -> None:
    places = list(call_places(text, TOOLS))
    found = agreed_pairs(GrammarFields(opens), places)
    assert (found.pair_open, found.assign, found.pair_close, found.divider, found.closes) == marks
    assert values_of(found, places[0])[0] == {"city": "New Oslo", "days": 3}


def test_a_single_argument_tells_its_closing_tag_by_its_opening_one() -> None:
    text = '<fn get_weather><arg name="city">New Oslo</arg></fn>'
    found = agreed_pairs(GrammarFields("<fn"), list(call_places(text, TOOLS)))
    assert (found.pair_close, found.closes) == ("</arg>", "</fn>")

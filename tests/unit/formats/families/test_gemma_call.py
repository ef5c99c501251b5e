"""The contract of the gemma_call family, from its data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS, contract, read_cut
from tests.kit.timing import growth
from tests.kit.whole_reading import told
from workbench.core.calls import Outcome
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
TestFamily = contract("functiongemma", "gemma4")


@pytest.mark.parametrize(
    ("raw", "repairs"),
    [
        ('<call>f{city:<|"|>Rome<|"|>}', ("near_miss_tag", "missing_close_tag")),
        ('I look.\ncall:f{city:<|"|>Rome<|"|>}', ("missing_open_tag",)),
        ('f{city:<|"|>Rome<|"|>}', ("missing_open_tag", "near_miss_tag")),
    ],
)
def test_a_string_between_the_own_tokens_tells_of_a_call_where_no_tools_are_known(
    raw: str, repairs: tuple[str, ...]
) -> None:
    (call,) = get_format("gemma4").parse(raw).calls
    assert (call.name, call.arguments, call.repairs) == ("f", {"city": "Rome"}, repairs)
    assert not get_format("gemma4").parse(raw.replace('<|"|>', '"')).calls


def test_a_string_between_the_own_tokens_that_nobody_reads_is_told() -> None:
    (problem,) = get_format("gemma4").parse('The city:<|"|>Rome<|"|>').problems
    assert (problem.code, problem.outcome) == ("unread_call", Outcome.REPORTED)


def test_blanks_before_the_brace_are_read_in_linear_time() -> None:
    def by_characters(count: int) -> None:
        parser = get_format("functiongemma").parser(None)
        for character in f"<start_function_call>call:get_weather{' ' * count}":
            parser.feed(character)
        parser.finish()

    assert growth(by_characters, 200) < 10


@pytest.mark.parametrize("blanks", [190, 210, 985, 1010])
@pytest.mark.parametrize("body", ["call:{}get_weather(city:s=3)", "call:now{}()", "call:{}nowBEGIN_ARG:x END_ARG"])
def test_many_blanks_before_a_call_without_braces_read_the_same_in_pieces(body: str, blanks: int) -> None:
    raw = f"<|tool_call>{body.format(' ' * blanks)}<tool_call|>"
    assert read_cut("gemma4", SPECS, *raw) == get_format("gemma4").parse(raw, SPECS)


@pytest.mark.parametrize(
    ("items", "tags", "repairs"),
    [
        ('<|"|><|"|>x,y<|"|>,<|"|>b<|"|>', ["x,y", "b"], "near_miss_tag"),
        ('<|"|>x,y<|"|><|"|>,<|"|>b<|"|>', ["x,y", "b"], "near_miss_tag"),
        ('<|"|>x,y<|"|>,<|"|>b<|"|><|"|>', ["x,y", "b"], "near_miss_tag"),
        ('<|"|><|"|>,<|"|>b<|"|>', ["", "b"], ""),
    ],
)
def test_a_doubled_token_is_no_part_of_an_item(items: str, tags: list[str], repairs: str) -> None:
    raw = f'<|tool_call>call:write_file{{path:<|"|>p<|"|>,content:<|"|>c<|"|>,tags:[{items}]}}<tool_call|>'
    assert [call[1:3] for call in told("gemma4", raw).calls] == [({"path": "p", "content": "c", "tags": tags}, repairs)]

"""The contract of the qwen_xml family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import TOOLS, contract
from workbench.formats import get_format

TestFamily = contract("qwen_xml")


def test_a_name_in_a_tag_is_read_alike_however_it_is_cut() -> None:
    spec, tools = get_format("qwen_xml"), tuple(TOOLS.values())
    for tag in (
        '<function name="get_weather">',
        '<function  name="get_weather">',
        "<function  name = get_weather >",
        "<function = get_weather>",
    ):
        raw = tag + '\n{"city": "Rome"}'
        whole = spec.parse(raw, tools)
        assert len(whole.calls) == 1
        for size in range(1, 12):
            parser = spec.parser(tools)
            for at in range(0, len(raw), size):
                parser.feed(raw[at : at + size])
            parser.finish()
            assert parser.result() == whole

"""The contract of the llama3 family, from its data files."""

from __future__ import annotations

from tests.kit.parser_contract import TOOLS, contract
from tests.kit.timing import growth
from workbench.formats import get_format

TestFamily = contract("llama3_json", "llama31_function")


def test_openers_without_end_take_linear_time() -> None:
    spec, tools = get_format("llama31_function"), tuple(TOOLS.values())

    def work(count: int) -> None:
        assert spec.parse("<function=" * count, tools).calls == ()

    assert growth(work, 12_000) < 10

"""The contract of the llama3 family, from its data files."""

from __future__ import annotations

import time

from tests.kit.parser_contract import TOOLS, contract
from workbench.formats import get_format

TestFamily = contract("llama3_json", "llama31_function")


def test_openers_without_end_take_linear_time() -> None:
    spec, tools = get_format("llama31_function"), tuple(TOOLS.values())

    def took(count: int) -> float:
        text, times = "<function=" * count, []
        for _ in range(3):  # the best of them: what else the process does at that moment does not count
            begin = time.process_time()
            assert spec.parse(text, tools).calls == ()
            times.append(time.process_time() - begin)
        return min(times)

    assert took(48_000) < 10 * took(12_000)

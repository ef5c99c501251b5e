from __future__ import annotations

from tests.kit.engine_run import QWEN
from tests.kit.fakes import READ_FILE, WEATHER, FakeClient, plan


def test_a_plan_finds_its_tools_by_name() -> None:
    wanted = plan(FakeClient([]), QWEN)
    assert wanted.specs == (WEATHER, READ_FILE)
    found = wanted.setup("read_file")
    assert found is not None
    assert found.spec is READ_FILE
    assert wanted.setup("nothing") is None

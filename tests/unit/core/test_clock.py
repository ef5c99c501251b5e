from __future__ import annotations

import uuid

from workbench.core.clock import Clock, new_id


def test_ids_are_uuid7_and_sort_by_time() -> None:
    ids = [new_id(1_000_000 * n) for n in range(1, 50)]
    assert ids == sorted(ids)
    assert {uuid.UUID(i).version for i in ids} == {7}
    assert len({new_id(5_000) for _ in range(1000)}) == 1000


def test_now_is_in_microseconds() -> None:
    assert 1_600_000_000_000_000 < Clock().now_us() < 5_000_000_000_000_000

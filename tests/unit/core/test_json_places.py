from __future__ import annotations

import pytest

from workbench.core.json_places import line_and_column, locate

TEXT = '{\n "a": [1, {"b": "x"}],\n "c": null\n}'


@pytest.mark.parametrize(
    ("path", "place"),
    [((), (1, 1)), (("a",), (2, 7)), (("a", 1, "b"), (2, 17)), (("c",), (3, 7)), (("a", 9), (2, 7)), (("z",), (1, 1))],
)
def test_values_are_found_by_path_with_line_and_column(path: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert line_and_column(TEXT, locate(TEXT, path)) == place

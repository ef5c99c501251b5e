from __future__ import annotations

from tests.kit.batches import batch
from workbench.cli.suite_words import cell_text, letter, percent
from workbench.grading.matrix import matrix


def test_letters_and_percents() -> None:
    assert [letter(place) for place in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]
    assert (percent(0.725), percent(0.005), percent(1)) == ("73 %", "1 %", "100 %")


def test_a_cell_is_a_shape_a_count_and_its_interval() -> None:
    (row,) = matrix(batch({"mixed": ["spff", "eeee", "ss..", "----"]})).rows
    assert [cell_text(cell) for cell in row.cells] == ["◐ 2/4 15–85", "▲ error", "○ 2/2 too few", "not asked"]

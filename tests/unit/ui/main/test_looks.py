from __future__ import annotations

import pytest

from workbench.ui.main.looks import Looks, read_looks


def test_without_a_file_all_is_usual(home) -> None:
    assert read_looks(home) == Looks()


def test_first_paint_settings(home) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(
        '[ui]\ntheme = "dark"\nverdict_colours = "red_green"\ntext_size = 125\n[ui.geometry]\nwidth = 1300\nheight = 800\nmaximized = true\nx = -40\ny = 12\n'
    )
    assert read_looks(home) == Looks("dark", "red_green", 125, True, 1300, 800, True, (-40, 12))


@pytest.mark.parametrize(
    "text",
    [
        "not toml [",
        "ui = 3",
        '[ui]\ntheme = "pink"\ntext_size = -4\ngeometry = "x"',
        "[ui]\ntext_size = true\n[ui.geometry]\nx = 4",
    ],
)
def test_a_broken_file_is_left_to_the_real_reading(home, text) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(text)
    assert read_looks(home) == Looks()

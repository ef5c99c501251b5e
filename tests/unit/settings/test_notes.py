"""What is set and has no effect is told by its name."""

from __future__ import annotations

import pytest

from workbench.settings.config import read_settings
from workbench.settings.environment import read_environment
from workbench.settings.notes import environment_notes, file_notes


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", []),
        ('[run]\niterations = 3\n[ui.views]\nmine = "model:x"\n[aliases]\nkitty = "react"', []),
        ('[providers.A]\nheaders = {X = "1"}\n[providers.A.models.m]\nformat = "react"', []),
        ("colour = 1", ["The setting colour is not known and has no effect"]),
        ("[run]\niteration = 3", ["The setting run.iteration is not known and has no effect; was 'iterations' meant?"]),
        (
            '[providers.A]\nbase = "x"\nretrys = 1',
            [
                "The setting providers.A.base is not known and has no effect",
                "The setting providers.A.retrys is not known and has no effect; was 'retries' meant?",
            ],
        ),
        (
            '[providers.A.models.m]\ntool_format = "react"',
            ["The setting providers.A.models.m.tool_format is not known and has no effect; was 'format' meant?"],
        ),
        ("providers = 5", []),
        ("[run", []),
    ],
)
def test_unknown_settings_are_named(text: str, told: list[str]) -> None:
    assert [note.replace("; was 'base_url' meant?", "") for note in file_notes(text)] == told


@pytest.mark.parametrize(
    ("environ", "file", "told"),
    [
        ({}, "", ""),
        ({"BOOST_MODEL": "m"}, "", "BOOST_MODEL set, but nothing says where the planner is"),
        ({"BOOST_MODEL": "m", "ENABLE_BOOST_SUPPORT": "BIG_MODEL"}, "", "BOOST_MODEL and ENABLE_BOOST_SUPPORT set"),
        ({"BOOST_BASE_URL": "http://h/v1"}, "", "no planner is named"),
        ({"BOOST_BASE_URL": "http://h/v1", "BOOST_MODEL": "m"}, "", "no tier is on"),
        ({"BOOST_BASE_URL": "http://h/v1", "BOOST_MODEL": "m", "ENABLE_BOOST_SUPPORT": "NONE"}, "", ""),
        ({"BOOST_BASE_URL": "http://h/v1", "BOOST_MODEL": "m", "ENABLE_BOOST_SUPPORT": "BIG_MODEL"}, "", ""),
        ({"BOOST_MODEL": "m", "ENABLE_BOOST_SUPPORT": "BIG_MODEL"}, '[boost]\nprovider = "Work"', ""),
    ],
)
def test_half_set_boost_environment_is_noted(environ: dict[str, str], file: str, told: str) -> None:
    """Requirement B7: BOOST_MODEL without an address is off, and says so."""
    environment = read_environment(environ)
    notes = environment_notes(environment, environment.overlay(read_settings(file)))
    assert len(notes) == bool(told)
    assert all(told in note for note in notes)


def test_what_cannot_be_read_has_no_notes() -> None:
    assert [file_notes(text) for text in ("a = [", "a = " + "[" * 60_000, "a = " + "9" * 5_000)] == [()] * 3

"""The demo as a user without key, network and display meets it."""

from __future__ import annotations

from pathlib import Path

from tests.kit.command import workbench

NO_DISPLAY = {"QT_QPA_PLATFORM": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}


def test_without_a_display_the_demo_says_so_and_runs() -> None:
    done = workbench(**NO_DISPLAY)
    assert done.code == 0, done.err
    assert "There is no display" in done.err
    assert "Simulated models" in done.out
    assert "mistral-steady" in done.out


def test_rates_come_with_intervals_and_the_runs_are_recorded() -> None:
    found = workbench("demo", "--repeat", "2", "--json").json()
    for target in found["targets"]:
        low, high = target["interval"]
        assert 0 <= low <= target["clean"] / target["runs"] <= high <= 1
    rows = workbench("history", "origin:demo", "--limit", "500", "--json").json()
    assert len(rows) == sum(target["runs"] + target["errors"] for target in found["targets"])
    assert all(row["simulated"] for row in rows)
    again = workbench("replay", "--all", "--json")
    assert again.code == 0
    assert {item["verdict"] for item in again.json()} == {"same"}


def test_a_picture_of_the_real_window(tmp_path: Path) -> None:
    place = tmp_path / "window.png"
    done = workbench("demo", "--repeat", "1", "--screenshot", str(place), **NO_DISPLAY)
    assert done.code == 0, done.err
    assert str(place) in done.err
    assert place.read_bytes().startswith(b"\x89PNG")
    assert place.stat().st_size > 20_000

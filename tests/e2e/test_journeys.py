"""Journeys through the window with real X events under a window manager: what a test that sends keys to a widget misses."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.kit.desktop import missing, screen
from tests.kit.journeys import JOURNEYS
from tests.kit.tree import ROOT

WALK_LIMIT_S = 500
"""Two quiet cores take less than 20 s for all of them."""


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What went wrong in each journey; one window walks them all."""
    if lacking := missing():
        pytest.skip(f"no screen can be had: {lacking} is not installed (packaging/dev.py test installs it as root)")
    folder = tmp_path_factory.mktemp("desktop")
    with screen(folder) as environment, (folder / "window.txt").open("w+") as told:
        done = subprocess.run(
            [sys.executable, "-m", "tests.kit.journeys", str(folder / "home")], cwd=ROOT, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=told, text=True, timeout=WALK_LIMIT_S, check=False,
        )  # fmt: skip
        told.seek(0)
        assert done.returncode == 0, told.read()
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["journey"]: line["error"] for line in lines}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("journey", [one.__name__ for one in JOURNEYS])
def test_a_journey_ends_where_it_should(walked: dict[str, str], journey: str) -> None:
    assert walked[journey] == ""

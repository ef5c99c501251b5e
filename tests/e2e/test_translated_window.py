"""The window in another language: every page opens, and its words come from the catalogue."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.kit.tree import ROOT

LEAST = 20
"""So many lines of a page are words of the window; what else is drawn are names, prompts and replies."""


def test_every_page_is_drawn_in_the_words_of_a_catalogue(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.kit.translated_window", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    translated = {page: told["translated"] for page, told in json.loads(done.stdout).items()}
    assert len(translated) == 12
    assert {page: count for page, count in translated.items() if count < LEAST} == {}

"""The documentation as a site: it builds without a warning, and its reference holds what the program has."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.kit.tree import ROOT
from workbench.cli.dispatch import COMMANDS, DIRECT
from workbench.formats import list_formats
from workbench.settings.config import SECTIONS


def test_site_builds_with_its_reference(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    text = {
        page: (tmp_path / "reference" / f"{page}.html").read_text("utf-8")
        for page in ("commands", "settings", "formats", "events")
    }
    assert not [name for name in (*COMMANDS, *DIRECT) if f">workbench {name}<" not in text["commands"]]
    assert not [name for name in SECTIONS if f"[{name}]" not in text["settings"]]
    assert not [spec.id for spec in list_formats() if f"<code>{spec.id}</code>" not in text["formats"]]
    assert ">RunStarted<" in text["events"]
    page = (tmp_path / "tutorial.html").read_text("utf-8")
    assert not re.findall(r"""<(?:script|link|img)[^>]+https?://[^>]+>""", page)  # it opens without a network
    assert '<script src="assets/iframe-worker.js">' in page  # and its search works from a folder

"""Files of a scan read in processes: the same findings, counts and complaints as here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.kit.scanning import LEAK, claude_reply, claude_user, said, written
from workbench.app.data_folder import DataFolder
from workbench.app.scan_apart import Apart, scan_file
from workbench.app.scanning import Scanning
from workbench.jobs import executor_on
from workbench.scan.scanner import FileScan, Scan
from workbench.scan.sources import Source

KEY = "key-of-the-user-0123456789"


def folder_of(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    for number in range(4):
        text = f"{LEAK} {KEY}" if number % 2 else "Fine."
        written(folder / f"s{number}.jsonl", claude_user("x"), *claude_reply("m", said(text)))
    (folder / "broken.jsonl").write_text(written(folder / "s9.jsonl", claude_user("x")).read_text() + "{no json\n")
    (folder / "empty.log").write_text("")
    return folder


def scanned(paths: Sequence[Path], place: str, home: Path) -> dict[str, Any]:
    with DataFolder.find(home) as folder, Scanning(folder) as service, executor_on(place) as executor:
        made = service.scan([service.source(str(path)) for path in paths])
        if place:
            service.spread(made, executor)
        made.run()
        assert made.done == made.size
        return service.document(made)


def test_processes_find_the_same(tmp_path: Path, home: Path, monkeypatch) -> None:
    home.mkdir()
    monkeypatch.setenv("WORK_KEY", KEY)
    (home / "settings.toml").write_text(
        '[providers.W]\nwire = "openai_chat"\nbase_url = "http://127.0.0.1:9"\nkey = "env:WORK_KEY"\n'
    )
    folder = folder_of(tmp_path)
    paths = [folder, folder / "s1.jsonl", folder / "empty.log"]
    here, there = (scanned(paths, place, home) for place in ("", "local:2"))
    assert there == here
    assert here["found"] == 3
    assert KEY not in json.dumps(there), "the user's keys are masked where the findings arrive"


def test_a_stopped_scan_keeps_what_came(tmp_path: Path, home: Path) -> None:
    folder = folder_of(tmp_path)

    class Ending(Apart):
        def read(self, source: Source, files: Sequence[Path]) -> Iterator[FileScan]:
            for number, part in enumerate(super().read(source, files)):
                if number == 3:
                    raise KeyboardInterrupt
                yield part

    with DataFolder.find(home) as opened, executor_on("") as executor:
        made = Scan([Source("in", folder)], opened.check)
        made.read_by(Ending(executor, home))
        made.run()
    assert made.stopped
    assert made.tally.replies >= 1


def test_a_piece_is_done_by_its_path_alone(tmp_path: Path, home: Path) -> None:
    from workbench.app.scan_apart import FilePiece

    path = folder_of(tmp_path) / "s1.jsonl"
    part = scan_file(FilePiece("in", path, "", home))
    assert (part.source.kind, part.tally.findings, len(part.findings)) == ("claude-code", 1, 1)
    assert part.source.size == path.stat().st_size

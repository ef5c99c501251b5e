from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.scan.reply import Trouble
from workbench.scan.sources import PROBLEMS_KEPT, Source, SourceState, files_in, named_source, usual_places


def test_files_of_a_folder_without_what_holds_no_text(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.log", "x.png", ".git/config", "node_modules/m.json", "deep/c.har"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "a.log")
    assert [path.relative_to(tmp_path).as_posix() for path in files_in(tmp_path)] == ["a.log", "b.jsonl", "deep/c.har"]
    assert list(files_in(tmp_path / "x.png")) == [tmp_path / "x.png"]


def test_a_path_with_nothing_at_it(tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere")
    with pytest.raises(InvalidInput, match=re.escape(f"There is nothing at {path!r}")):
        named_source(path)


def test_usual_places_are_those_that_are_there(tmp_path: Path) -> None:
    assert usual_places(tmp_path, {}) == ()
    (tmp_path / ".claude" / "projects").mkdir(parents=True)
    (tmp_path / "elsewhere" / "sessions").mkdir(parents=True)
    found = usual_places(tmp_path, {"CODEX_HOME": str(tmp_path / "elsewhere")})
    assert [place.title for place in found] == ["Claude Code sessions", "Codex sessions"]


def test_troubles_are_counted_and_the_first_are_kept() -> None:
    source = Source("x")
    for number in range(PROBLEMS_KEPT + 5):
        source.trouble(Trouble(str(number), "broken"))
    assert (source.troubles, len(source.problems)) == (PROBLEMS_KEPT + 5, PROBLEMS_KEPT)


def test_what_nobody_knew_may_be_told(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("a", encoding="utf-8")
    assert Source("a", file, state=SourceState.ERROR).may_be_read_as
    assert Source("a", text="a", state=SourceState.ERROR).may_be_read_as
    assert not Source("a", tmp_path, state=SourceState.ERROR).may_be_read_as
    assert not Source("a", file).may_be_read_as

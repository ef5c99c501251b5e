from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.masking import Secrets
from workbench.ui.cases import files

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_case_is_a_good_one(tmp_path: Path) -> None:
    path = files.new_case(tmp_path, "mine")
    second = files.new_case(tmp_path, "mine")
    assert path != second
    found = files.documents(tmp_path, "mine")
    assert [one.fault for one in found] == ["", ""]
    assert [line.name for line in files.suite_lines(tmp_path)] == ["mine", "demo"]


def test_a_broken_file_is_there_to_be_mended(tmp_path: Path) -> None:
    good = files.new_case(tmp_path, "mine")
    (tmp_path / "mine" / "broken.yaml").write_text("title: [\n", encoding="utf-8")
    (tmp_path / "mine" / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "mine" / "notes.txt").write_text("no case", encoding="utf-8")
    found = {one.key: one for one in files.documents(tmp_path, "mine")}
    assert len(found) == 3
    broken = found[str(tmp_path / "mine" / "broken.yaml")]
    assert broken.path is not None
    assert broken.text == "title: [\n"
    line = files.line_of(broken)
    assert (line.id, bool(line.fault)) == ("broken", True)
    assert found[str(good)].case is not None
    assert next(line.faults for line in files.suite_lines(tmp_path) if line.name == "mine") == 2


def test_the_built_in_suite_is_read_only(tmp_path: Path) -> None:
    lines = files.suite_lines(tmp_path)
    assert (lines[0].name, lines[0].read_only) == ("demo", True)
    found = files.documents(tmp_path, "demo")
    assert len(found) >= 12
    assert all(one.path is None for one in found)
    assert files.line_of(found[0], built_in=True).read_only == "built in"
    with pytest.raises(InvalidInput, match="built-in"):
        files.new_suite(tmp_path, "demo")


def test_several_cases_of_one_file_are_not_edited_in_place(tmp_path: Path) -> None:
    folder = tmp_path / "lines"
    folder.mkdir()
    rows = [json.dumps({"title": str(at), "prompt": "hello", "expect": "no_call"}) for at in range(3)]
    (folder / "many.jsonl").write_text("\n".join(rows), encoding="utf-8")
    found = files.documents(tmp_path, "lines")
    assert len({one.key for one in found}) == 3
    line = files.line_of(found[0])
    assert (line.expects, line.read_only) == ("no call", "its file holds several cases")


def test_import_takes_all_or_nothing(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("prompt: say hello\nexpect: no_call\n", encoding="utf-8")
    bad.write_text("title: [", encoding="utf-8")
    with pytest.raises(InvalidInput, match="bad"):
        files.import_files([good, bad], tmp_path / "suites", "mine", Secrets())
    assert not (tmp_path / "suites").exists()
    written = files.import_files([good], tmp_path / "suites", "mine", Secrets(["say hello"]))
    assert [path.name for path in written] == ["good.yaml"]
    assert "say hello" not in written[0].read_text()


def test_unwritable_places(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    with pytest.raises(InvalidInput):
        files.new_suite(tmp_path, "taken")
    assert files.free_suite(tmp_path) == "my-cases"
    assert files.new_suite(tmp_path, "Weather & more") == "weather-more"
    assert files.free_suite(tmp_path) == "weather-more"


def test_drafts_wait_beside_their_case_and_are_no_case(tmp_path: Path) -> None:
    path = files.new_case(tmp_path, "mine")
    files.keep_drafts({str(path): "half"})
    found = files.documents(tmp_path, "mine")
    assert len(found) == 1
    assert files.found_drafts(found) == {str(path): "half"}
    files.keep_drafts({str(path): found[0].text})
    assert files.found_drafts(found) == {}
    files.drop_draft(path)
    files.drop_draft(path)
    assert not files.draft_path(path).exists()


def test_file_from_elsewhere_is_a_suite_of_its_own(tmp_path: Path) -> None:
    folder, other = tmp_path / "suites", tmp_path / "repo" / "rome.case.yaml"
    inside = files.new_case(folder, "mine")
    other.parent.mkdir()
    other.write_text(files.NEW_CASE, encoding="utf-8")
    assert files.suite_of(folder, inside) == "mine"
    assert files.suite_of(folder, other) == str(other)
    lines = files.suite_lines(folder, (other, tmp_path / "gone.yaml"))
    assert [(line.name, line.cases, line.read_only) for line in lines][-1] == (str(other), 1, False)
    (found,) = files.documents(folder, str(other))
    assert found.path == other

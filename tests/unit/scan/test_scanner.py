from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.kit.scanning import LEAK, claude_reply, claude_user, said, scanned, written
from tests.kit.waiting import wait_until
from workbench.core.errors import StoreError, UnknownName
from workbench.scan import scanner
from workbench.scan.finding import Finding
from workbench.scan.scanner import FileScan, Scan
from workbench.scan.sources import Source, SourceState
from workbench.schema import JsonSchemaChecker


def sessions(folder: Path, count: int = 3, text: str = LEAK) -> Path:
    for number in range(count):
        written(folder / f"s{number}.jsonl", claude_user("x"), *claude_reply("m", said(text)))
    return folder


def test_a_folder_is_a_source_for_each_kind_of_file(tmp_path: Path) -> None:
    sessions(tmp_path / "in")
    written(tmp_path / "in" / "rows.jsonl", {"text": LEAK})
    (tmp_path / "in" / "README.md").write_text("Nothing here.")
    made = scanned(tmp_path / "in")
    assert [(one.kind, one.files, one.replies, one.findings, one.state) for one in made.sources] == [
        ("jsonl", 1, 1, 1, SourceState.DONE), ("claude-code", 3, 3, 3, SourceState.DONE),
    ]  # fmt: skip
    assert (made.sources[0].skipped, made.tally.findings, made.done) == (1, 4, made.size)
    assert made.findings[1].place == "s0.jsonl:2"


def test_a_file_that_is_not_known_is_told_with_what_was_tried(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Just a sentence.")
    (tmp_path / "empty").write_text("")
    made = scanned(tmp_path / "a.txt", tmp_path / "empty", sessions(tmp_path / "in"))
    assert [one.state for one in made.sources] == [SourceState.ERROR, SourceState.ERROR, SourceState.DONE]
    assert "is not known" in made.sources[0].error
    assert "HTTP archive" in made.sources[0].error
    assert "is empty" in made.sources[1].error
    assert made.tally.findings == 3


def test_a_broken_file_leaves_the_others(tmp_path: Path) -> None:
    folder = sessions(tmp_path / "in")
    with (folder / "s1.jsonl").open("a") as file:
        file.write("{broken\n")
    (source,) = scanned(folder).sources
    assert (source.state, source.replies, source.troubles) == (SourceState.DONE, 3, 1)
    assert source.problems[0].place == "s1.jsonl:3"


def test_keys_are_masked_and_spans_stay(tmp_path: Path) -> None:
    own, foreign = "my-own-secret-key-123456", "sk-ant-" + "a1B2c3D4" * 5
    text = f"My key is {own} and {foreign}.\n{LEAK}"
    made = scanned(written(tmp_path / "a.jsonl", {"text": text}), secrets=[own])
    (finding,) = made.findings
    assert own not in repr(finding)
    assert foreign not in repr(finding)
    assert finding.raw[finding.span.start : finding.span.end] == LEAK


def test_the_kind_can_be_forced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(f"I look.\n{LEAK}")
    assert scanned(path, kind="text").tally.findings == 1
    with pytest.raises(UnknownName):
        scanned(path, kind="nothing")


def test_a_stop_keeps_what_was_found(tmp_path: Path) -> None:
    made = scanner.Scan([Source("in", sessions(tmp_path / "in", 9))], JsonSchemaChecker())

    def told() -> None:
        if made.tally.findings >= 2:
            made.stop()

    made.watch(told)
    scanner.TOLD_EVERY_S, kept = 0.0, scanner.TOLD_EVERY_S
    try:
        made.run()
    finally:
        scanner.TOLD_EVERY_S = kept
    assert (made.stopped, made.sources[0].state) == (True, SourceState.STOPPED)
    assert 2 <= made.tally.findings < 9


def test_memory_is_bounded_by_letting_go_of_whole_replies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "MOST_WHOLE", 500)
    monkeypatch.setattr(scanner, "MOST_KEPT", 4)
    made = scanned(sessions(tmp_path / "in", 6, LEAK + "\n" + "x" * 300))
    assert (made.tally.findings, len(made.findings)) == (6, 4)
    assert [one.reply.at_us > 0 for one in made.findings] == [True, False, False, False]


def test_a_pasted_text_is_a_source() -> None:
    made = scanned(f"I look.\n{LEAK}")
    assert (made.sources[0].kind, made.tally.kinds) == ("text", {"tool_markup_in_content": 1})


def test_sources_may_be_added_while_it_runs(tmp_path: Path) -> None:
    more = Source("more", sessions(tmp_path / "more", 2))
    made = scanner.Scan([Source("in", sessions(tmp_path / "in", 2))], JsonSchemaChecker())
    added: list[Source] = []

    def told() -> None:
        if not added:
            added.append(more)
            made.add(more)

    made.watch(told)
    made.run()
    assert [(one.name, one.state, one.findings) for one in made.sources] == [
        ("in", SourceState.DONE, 2),
        ("more", SourceState.DONE, 2),
    ]


def test_a_scan_rests_while_it_is_asked_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Scan([Source("in", sessions(tmp_path / "in"))], JsonSchemaChecker())
    made.plan()  # it looks at the files, too
    made.wait()
    thread = threading.Thread(target=made.run)
    monkeypatch.setattr(scanner, "LONGEST_REST_S", 600.0)
    thread.start()
    assert wait_until(lambda: made.running)
    assert made.tally.replies == 0
    made.go_on()
    thread.join()
    assert (made.tally.replies, made.stopped) == (3, False)


def test_nobody_can_make_a_scan_rest_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "LONGEST_REST_S", 0.001)
    made = Scan([Source("in", sessions(tmp_path / "in"))], JsonSchemaChecker())
    made.wait()
    made.run()
    assert made.tally.replies == 3


def test_what_is_seen_does_not_change_any_more(tmp_path: Path) -> None:
    made = scanned(sessions(tmp_path / "in", 2))
    seen = made.seen()
    made.tally.add_finding(made.findings[0])
    made.sources[0].findings = 9
    assert (seen.tally.findings, seen.sources[0].findings, seen.kept, seen.running) == (2, 2, 2, False)
    assert seen.tallies[made.findings[0].of].findings == 2


def test_a_file_that_nobody_knew_is_read_as_what_it_is_said_to_be(tmp_path: Path) -> None:
    odd = tmp_path / "odd.txt"
    odd.write_text("nothing that anybody knows\n", encoding="utf-8")
    made = scanned(odd)
    assert (made.sources[0].state, made.sources[0].hint) == (SourceState.ERROR, "Name its kind with --from KIND.")
    fresh = made.read_as(1, "text")
    assert (fresh.kind, fresh.state, fresh.error) == ("text", SourceState.QUEUED, "")
    made.run()
    assert made.sources[0].state is SourceState.DONE
    with pytest.raises(UnknownName):
        made.read_as(1, "nothing")


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for name in ("a/server.jsonl", "b/server.jsonl", "b/other.jsonl"):
        written(tmp_path / "in" / name, {"text": LEAK}, "{broken" if name[0] == "b" else {"text": "Fine."})
    made = scanned(tmp_path / "in")
    assert [one.place for one in made.findings] == ["a/server.jsonl:1", "other.jsonl:1", "b/server.jsonl:1"]
    assert [one.place for one in made.sources[0].problems] == ["other.jsonl:2", "b/server.jsonl:2"]


class _Elsewhere:
    def read(self, source: Source, files: Sequence[Path]) -> Iterator[FileScan]:
        for path in files:
            made = scanned(path)
            yield FileScan(made.sources[0], made.tally, made.findings)


def test_files_of_one_name_are_told_apart_when_somebody_else_reads_them(tmp_path: Path) -> None:
    for name in ("a/server.jsonl", "b/server.jsonl"):
        written(tmp_path / "in" / name, {"text": LEAK})
    made = Scan([Source("in", tmp_path / "in")], JsonSchemaChecker())
    made.read_by(_Elsewhere())
    made.run()
    assert [one.place for one in made.findings] == ["a/server.jsonl:1", "b/server.jsonl:1"]


def test_a_finding_that_cannot_be_kept_is_no_fault_of_its_file(tmp_path: Path) -> None:
    """A full disk ends the scan with its own words: what was said to be a run now was none."""

    def keep(_: Finding) -> None:
        raise StoreError("The disk is full.")

    made = Scan([Source("in", sessions(tmp_path / "in"))], JsonSchemaChecker(), found=keep)
    with pytest.raises(StoreError, match="full"):
        made.run()

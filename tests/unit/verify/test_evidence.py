from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.engine_run import NATIVE, events_of
from tests.kit.fakes import REFUSED, FakeClient, Reply, plan
from workbench.core.errors import InvalidInput
from workbench.core.hash_chain import canonical, digest, short
from workbench.verify.evidence import (
    EXCHANGES,
    MANIFEST,
    check_evidence,
    check_free,
    exchange_records,
    write_evidence,
)

FACTS = {"model": "m"}


def records(count: int = 6) -> list[dict]:
    return [{"pair": at + 1, "endpoint": "candidate A", "request": f"r{at}", "body": "Rome ☀"} for at in range(count)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_evidence(tmp_path / "ev", records(), FACTS, {"report.json": "{}\n", "report.md": "# ok\n"})
    return tmp_path / "ev"


def lines(folder: Path) -> list[str]:
    return (folder / EXCHANGES).read_text("utf-8").splitlines(keepends=True)


def put(folder: Path, changed: list[str]) -> None:
    (folder / EXCHANGES).write_text("".join(changed), "utf-8", newline="\n")


def test_a_folder_is_unaltered_as_it_was_written(folder: Path) -> None:
    found = check_evidence(folder)
    assert found.unaltered
    assert found.records == 6
    assert found.digest == json.loads((folder / MANIFEST).read_text())["digest"]
    assert short(found.digest) == f"{found.digest[:4]} {found.digest[4:8]}"


def test_the_same_evidence_has_the_same_digest(folder: Path, tmp_path: Path) -> None:
    again = write_evidence(tmp_path / "again", records(), FACTS, {"report.json": "{}\n", "report.md": "# ok\n"})
    assert again == check_evidence(folder).digest


def test_an_altered_record_is_named(folder: Path) -> None:
    changed = lines(folder)
    changed[3] = changed[3].replace("Rome", "Oslo")
    put(folder, changed)
    assert check_evidence(folder).faults == (
        "exchanges.jsonl, line 4 (pair 4, candidate A, request r3) was altered: its hash is not that of its content.",
    )


def test_a_record_that_was_hashed_anew_breaks_the_chain(folder: Path) -> None:
    changed = lines(folder)
    value = json.loads(changed[3])
    value["record"]["body"] = "Oslo"
    kept = {key: item for key, item in value.items() if key != "hash"}
    changed[3] = canonical(kept | {"hash": digest(canonical(kept))}) + "\n"
    put(folder, changed)
    (fault,) = check_evidence(folder).faults
    assert "line 5" in fault
    assert "the one before was altered and hashed anew" in fault


def test_the_last_record_is_held_by_the_manifest(folder: Path) -> None:
    changed = lines(folder)
    value = json.loads(changed[5])
    value["record"]["body"] = "Oslo"
    kept = {key: item for key, item in value.items() if key != "hash"}
    changed[5] = canonical(kept | {"hash": digest(canonical(kept))}) + "\n"
    put(folder, changed)
    (fault,) = check_evidence(folder).faults
    assert "line 6 or the manifest was altered" in fault


def test_a_removed_record_is_told_once(folder: Path) -> None:
    changed = lines(folder)
    del changed[2]
    put(folder, changed)
    first, second = check_evidence(folder).faults
    assert "line 3 (pair 4" in first
    assert "this is record 4, and 3 is due" in first
    assert second == "exchanges.jsonl holds 5 records; 6 were written."


def test_swapped_added_and_cut_records_are_told(folder: Path) -> None:
    whole = lines(folder)
    for changed, word in (
        ([whole[1], whole[0], *whole[2:]], "removed, added or moved"),
        ([*whole, whole[5]], "removed, added or moved"),
        (whole[:-1], "holds 5 records; 6 were written"),
        ([*whole[:-1], whole[5][:40]], "no record any more"),
        ([whole[0].replace('"n":1', '"n": 1'), *whole[1:]], "line 1"),
    ):
        put(folder, changed)
        assert any(word in fault for fault in check_evidence(folder).faults), word


def test_reports_and_manifest_are_held_too(folder: Path) -> None:
    (folder / "report.md").write_text("# better\n")
    (folder / "report.json").unlink()
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(manifest | {"model": "n"}))
    assert set(check_evidence(folder).faults) == {
        "manifest.json was altered: its digest is not that of its content.",
        "report.json is missing.",
        "report.md was altered.",
    }
    (folder / EXCHANGES).unlink()
    assert "exchanges.jsonl is missing." in check_evidence(folder).faults


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "holds no manifest"),
        ("{", "is no JSON"),
        ("[]", "none of ours"),
        ('{"format": "workbench-evidence/1"}', "names no"),
    ],
)
def test_a_folder_that_is_no_evidence_is_refused(text: str | None, told: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(InvalidInput, match=told):
        check_evidence(tmp_path)


def test_other_files_are_never_written_over(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InvalidInput, match="holds other files"):
        check_free(tmp_path)
    check_free(folder)
    check_free(tmp_path / "new")


def test_each_try_of_a_run_is_a_record() -> None:
    refused = Reply(error=REFUSED, retry_in=0.0)
    events = events_of(plan(FakeClient([refused, Reply(["Hel", "lo."])]), NATIVE))
    first, second = exchange_records({"pair": 1}, events)
    assert (first["try"], first["error"]["kind"], first["status"]) == (0, "auth", None)
    assert (second["try"], second["error"], second["status"]) == (1, None, 200)
    assert second["sent"]["method"] == "POST"
    assert "Weather in Rome?" in second["sent"]["body"]
    sizes = [size for _, size in second["chunks"]]
    assert len(sizes) == 3
    assert sum(sizes) == len(second["received"]["body"].encode())

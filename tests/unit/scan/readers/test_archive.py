"""Archives: what is in them is read as if it lay in a folder, and no trap of theirs is walked into."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.kit.scanning import LEAK, chat_reply, claude_reply, judged, kind_of, read
from workbench.core.errors import InvalidInput
from workbench.scan.opened import Opened
from workbench.scan.readers import archive
from workbench.scan.scanner import Scan
from workbench.scan.sources import Source
from workbench.schema import JsonSchemaChecker

ROW = json.dumps({"model": "m-7b", "output": LEAK}) + "\n"
VLLM = (
    "INFO 11-20 10:00:00 [logger.py:40] Generated response chatcmpl-1 (streaming complete): output: "
    + repr(LEAK) + ", output_token_ids: None, finish_reason: stop\n"
)  # fmt: skip
KEY = "sk-proj-" + "a1B2" * 8


def files_below(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def zipped(path: Path, files: dict[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return path


def tarred(path: Path, files: dict[str, bytes | str], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as made:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            raw = data.encode() if isinstance(data, str) else data
            info.size = len(raw)
            made.addfile(info, io.BytesIO(raw))
    return path


def scanned(path: Path) -> Scan:
    made = Scan([Source(str(path), path)], JsonSchemaChecker())
    made.run()
    return made


FILES: dict[str, bytes | str] = {
    "logs/vllm.log": VLLM,
    "rows.jsonl": ROW,
    "day.log.gz": gzip.compress(VLLM.encode()),
    "picture.png": b"\x89PNG",
    "notes.txt": "Nothing of interest.",
}


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.tar.bz2", "a.tar.xz"])
def test_what_is_in_an_archive_is_read_by_its_kind(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    packing = {"gz": "w:gz", "tgz": "w:gz", "bz2": "w:bz2", "xz": "w:xz"}.get(name.rpartition(".")[2], "w")
    made = zipped(path, FILES) if name.endswith("zip") else tarred(path, FILES, packing)
    before = files_below(tmp_path)
    assert kind_of(made, named=False) == "archive"
    replies, troubles = read(made)
    assert [reply.place.partition(":")[0] for reply in replies] == ["logs/vllm.log", "rows.jsonl", "day.log.gz"]
    assert {one.kind for one in judged(replies)} >= {"tool_markup_in_content"}
    assert [one.message for one in troubles] == ["1 file is of no known kind."]
    assert files_below(tmp_path) == before


def test_sessions_samples_and_a_large_member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_HELD", 100)
    inner = zipped(tmp_path / "inner.eval", {"samples/1.json": json.dumps({"id": 1, "messages": [
        {"role": "user", "content": "?"}, {"role": "assistant", "content": LEAK}]})}).read_bytes()  # fmt: skip
    lines = claude_reply("msg_1", {"type": "text", "text": LEAK})
    session = "".join(json.dumps(line) + "\n" for line in lines)
    files: dict[str, bytes | str] = {"s.jsonl": session, "run.eval": inner, "big.log": VLLM * 50}
    found = scanned(tarred(tmp_path / "a.tar.gz", files, "w:gz"))
    assert found.sources[0].replies == 52
    assert {one.place.split(":")[1] for one in found.findings} == {"s.jsonl", "run.eval", "big.log"}
    assert found.sources[0].done == found.sources[0].size


def test_keys_in_an_archive_are_stars(tmp_path: Path) -> None:
    body = json.dumps(chat_reply(f"{LEAK} with {KEY}"))
    found = scanned(zipped(tmp_path / "a.zip", {"r.json": body}))
    assert found.findings
    assert KEY not in str(found.findings)


def test_names_are_told_and_never_followed(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"../../etc/x.jsonl": ROW, "/abs.jsonl": ROW, "a\x1b[31mb.jsonl": ROW})
    link = zipfile.ZipInfo("link.jsonl")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as made:
        made.writestr(link, "/etc/passwd")
    replies, troubles = read(path)
    assert [reply.place.rpartition(":")[0] for reply in replies] == [
        "../../etc/x.jsonl",
        "/abs.jsonl",
        "a\ufffd[31mb.jsonl",
    ]
    assert troubles == []
    outside = tmp_path / "a.tar"
    with tarfile.open(outside, "w") as tar:
        info = tarfile.TarInfo("way/out.jsonl")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(info)
        info = tarfile.TarInfo("r.jsonl")
        info.size = len(ROW)
        tar.addfile(info, io.BytesIO(ROW.encode()))
    assert [reply.place for reply in read(outside)[0]] == ["r.jsonl:1"]


def test_traps_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.scan.opened._LEAST_BOUND", 100_000)
    monkeypatch.setattr("workbench.scan.opened._MOST_TIMES", 50)
    files: dict[str, bytes | str] = {"a.jsonl": ROW, "zeros.log": b"\n" * 3_000_000, "b.jsonl": ROW}
    for path in (zipped(tmp_path / "a.zip", files), tarred(tmp_path / "a.tgz", files, "w:gz")):
        replies, troubles = read(path)
        assert len(replies) == 1
        assert "unpacks to much more than its size" in troubles[-1].message
    for number, pack in enumerate((gzip.compress, bz2.compress, lzma.compress)):
        packed = tmp_path / f"{number}.log"
        packed.write_bytes(pack(VLLM.encode() + b"\n" * 3_000_000))
        with pytest.raises(InvalidInput, match="much more than its size"):
            list(Opened(packed).lines(blank=True))
    monkeypatch.setattr(archive, "MOST_MEMBERS", 2)
    many = zipped(tmp_path / "many.zip", {f"{number}.jsonl": ROW for number in range(4)})
    assert "holds more than 2 files" in read(many)[1][-1].message


def test_a_broken_member_does_not_end_the_others(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.jsonl": ROW * 50, "b.jsonl": ROW})
    with zipfile.ZipFile(path) as made:
        at = made.getinfo("a.jsonl").header_offset
    data = bytearray(path.read_bytes())
    data[at + 60 : at + 70] = b"\xff" * 10
    path.write_bytes(bytes(data))
    replies, troubles = read(path, "archive")
    assert "b.jsonl:1" in [reply.place for reply in replies]
    assert troubles[0].place.startswith("a.jsonl")
    cut = tarred(tmp_path / "a.tar", {"a.jsonl": ROW, "b.jsonl": ROW * 100})
    cut.write_bytes(cut.read_bytes()[:2500])
    replies, troubles = read(cut)
    assert "a.jsonl:1" in [reply.place for reply in replies]
    assert troubles


def test_an_archive_in_an_archive_is_named(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "i.zip", {"a.jsonl": ROW}).read_bytes()
    found = scanned(zipped(tmp_path / "a.zip", {"i.zip": inner, "b.jsonl": ROW}))
    assert found.sources[0].replies == 1
    assert found.sources[0].problems[0].message == "1 file is of no known kind."


def test_what_holds_nothing_known_is_said(tmp_path: Path) -> None:
    found = scanned(zipped(tmp_path / "a.zip", {"a.txt": "Hello."}))
    assert "is a zip archive in which no file of a known kind was found" in found.sources[0].error
    assert kind_of(tarred(tmp_path / "a.tar", {"a.txt": "Hello."})) == ""

from __future__ import annotations

from pathlib import Path

from workbench.localserver.logtail import LogTail


def test_new_lines_only_and_the_last_ones_of_all(tmp_path: Path) -> None:
    path = tmp_path / "log"
    tail = LogTail(path, kept=3)
    assert tail.read() == []
    path.write_bytes("one\r\ntwo\nthr\u00e4".encode()[:-1])
    assert tail.read() == ["one", "two"]
    assert tail.read() == []
    with path.open("ab") as file:
        file.write("\u00e4".encode()[1:] + b"e\n\nfour")
    assert tail.read() == ["thr\u00e4e", ""]
    assert tail.finish() == ["four"]
    assert list(tail.lines) == ["thr\u00e4e", "", "four"]
    assert tail.finish() == []


def test_binary_log_lines_and_an_unfinished_line(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"\xff\xfe\n" + b"x" * 30_000)
    tail = LogTail(path)
    assert tail.read() == ["\ufffd\ufffd", "x" * 30_000]
    path.write_bytes(path.read_bytes() + b"y" * 3_000_000)
    assert sum(map(len, tail.finish())) == 3_000_000

from __future__ import annotations

import json
from pathlib import Path

from tests.kit.command import Done, workbench
from tests.kit.scanning import LEAK, TOOL, chat_reply


def run(tmp_path: Path, *argv: str, stdin: str = "") -> Done:
    return workbench("read", *argv, stdin=stdin, WORKBENCH_HOME=str(tmp_path / "home"))


def test_a_reply_is_told_and_read(tmp_path: Path) -> None:
    done = run(tmp_path, stdin=json.dumps(chat_reply(LEAK)))
    assert done.code == 0, done.err
    assert "lost by the server's parser" in done.out
    assert "tool_markup_in_content, characters 0–" in done.out
    assert "it opens in Forensics" in done.out


def test_the_json_document(tmp_path: Path) -> None:
    told = run(tmp_path, "--json", stdin=LEAK).json()
    assert (told["kind"], told["opens"], told["text"]) == ("text", "forensics", LEAK)


def test_a_file_and_tools(tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text("<<call get_weather city :: Rome>>")
    (tmp_path / "tools.json").write_text(json.dumps([TOOL]))
    done = run(tmp_path, str(tmp_path / "reply.txt"), "--tools", str(tmp_path / "tools.json"))
    assert "no format reads it" in done.out


def test_what_is_not_known_is_wrong_use(tmp_path: Path) -> None:
    done = run(tmp_path, stdin="The weather is fine.")
    assert (done.code, done.out) == (2, "")
    assert "is not known. Tried: curl, request" in done.err
    told = run(tmp_path, "--json", stdin="The weather is fine.")
    assert (told.code, told.json()["kind"]) == (2, "")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = run(tmp_path, "nowhere.txt")
    assert done.code == 2
    assert "cannot be read" in done.err

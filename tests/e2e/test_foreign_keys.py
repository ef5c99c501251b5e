"""Keys that the workbench was never given: found and told, or masked, as the setting says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.command import workbench
from tests.kit.wire_server import head, served, sse

KEY = "ghp_9fX2aQuLw7ZrTq0VbNkM4sD8gHjP3yCeR1tA"


@pytest.mark.parametrize("setting", ["find", "mask"])
def test_keys_of_others_are_told_or_masked(setting: str, home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(f'[privacy]\nforeign_keys = "{setting}"\n')
    said = f"Use {KEY} for it. Good luck!"
    events = [
        json.dumps({"choices": [{"index": 0, "delta": {"content": said[at : at + 5]}}]})
        for at in range(0, len(said), 5)
    ]
    end = json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    with served([head() + sse(*events, end, "[DONE]")]) as server:
        request = json.dumps({"model": "m", "messages": [{"role": "user", "content": f"My token is {KEY}."}]})
        order = ("send", "--protocol", "openai_chat", "--base-url", server.url, "--request", "-")
        plain, row = workbench(*order, stdin=request), workbench(*order, "--json", stdin=request)
        done = workbench("run", "--base-url", server.url, "--model", "m", f"My token is {KEY}.")
    assert [(key["place"], key["masked"]) for key in row.json()["foreign_keys"]] == [
        ("message 1 (user)", False),
        ("the reply", setting == "mask"),
    ]
    assert plain.err.count("◆ looks like a key: GitHub token in ") == 2
    for sent in (plain, row):
        assert (KEY in sent.out) == (setting == "find")
        assert "9fX2aQuLw7" not in sent.err
    assert KEY in server.requests[0].body.decode()
    shown, rows = workbench("show", "1"), workbench("show", "1", "--json").json()["foreign_keys"]
    for told in (done.out, shown.out):
        assert told.count("◆ looks like a key: GitHub token in ") == 2
    assert [(row["place"], row["masked"]) for row in rows] == [
        ("message 1 (user)", setting == "mask"),
        ("the reply of step 0", setting == "mask"),
    ]
    if setting == "find":
        assert KEY in done.out
    else:
        for path in home.rglob("*"):
            assert not path.is_file() or b"9fX2aQuLw7" not in path.read_bytes(), path
        assert "9fX2aQuLw7" not in done.out + done.err + shown.out
        assert "Good luck!" in shown.out

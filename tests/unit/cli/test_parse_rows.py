from __future__ import annotations

import json

from workbench.cli.parse_rows import RowDefaults, answer_lines, pieces, plugin_faults


def test_lines_are_answered_with_their_defaults() -> None:
    call = '{"name": "f", "arguments": {}}'
    lines = [(1, json.dumps({"id": 7, "raw": f"<tool_call>{call}</tool_call>"}).encode()), (2, b"no json")]
    good, bad = answer_lines(RowDefaults("qwen_xml", chunk=3), lines)
    assert (good["id"], [found["name"] for found in good["calls"]]) == (7, ["f"])
    assert bad["error"].startswith("Line 2 is not JSON")


def test_text_in_pieces() -> None:
    assert pieces("abcde", 2) == ["ab", "cd", "e"]
    assert pieces("abcde", 0) == ["abcde"]


def test_no_home_has_no_plugins(tmp_path) -> None:
    assert plugin_faults("") == ()
    assert plugin_faults(str(tmp_path)) == ()

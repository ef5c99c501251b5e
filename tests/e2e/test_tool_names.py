"""A tool name that no provider takes, through the real application: changed on the way out, itself everywhere else."""

from __future__ import annotations

import json
from pathlib import Path

from tests.kit.command import workbench

NAME, SENT = "kiln.fire:now", "kiln_x2E_fire_x3A_now"
FAST = '{"simulate": {"tokens_per_second": 0, "first_token_s": 0, "rates": {"*": 0}}}'
TOOL = {
    "name": NAME,
    "description": "Fire pottery in a kiln",
    "parameters": {"type": "object", "properties": {"temperature_c": {"type": "integer"}}, "required": ["temperature_c"]},
}  # fmt: skip


def test_a_dotted_name(tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([{"type": "function", "function": TOOL}]))
    ask = "Fire the pottery in the kiln at 980 degrees."
    done = workbench("run", "--model", "mistral-steady", "--tools", str(tools), "--extra", FAST, "--json", ask)
    assert done.code == 0, done.err
    told = done.json()
    assert (told["verdict"], told["calls"][0]["name"]) == ("pass", NAME)
    events = workbench("show", told["id"], "--json").json()["events"]
    first, second = [json.loads(e["request"]["body"]) for e in events if e["event"] == "exchange_started"]
    assert first["tools"][0]["function"]["name"] == SENT
    assert second["messages"][1]["tool_calls"][0]["function"]["name"] == SENT
    for mode in ("parse", "offline"):
        (found,) = workbench("replay", "--run", "1", "--mode", mode, "--json").json()
        assert (found["verdict"], found["changes"]) == ("same", []), mode

"""The invented wire of docs/new-wire.md, made by following that page, is offered and works everywhere."""

from __future__ import annotations

import ast
import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.gui import leak_check, open_window, run_async, theme
from tests.kit.planted_wire import plant
from tests.kit.playbook import decode, fold
from tests.kit.serving import head, streamed, whole
from tests.kit.tree import ROOT
from workbench.app.targets import detect_format
from workbench.cli import send
from workbench.core.exchange import (
    CallDelta,
    Delta,
    Endpoint,
    FinishDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec
from workbench.settings.config import ProviderConfig, Settings
from workbench.simulate.simulated_server import SimulatedServer
from workbench.wires import get_server, get_wire

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.ui.theme.theme import Theme
    from workbench.wires.table import WireRow

__all__ = ["leak_check", "run_async", "theme"]
TOOL = {"type": "function", "function": {"name": "fire_kiln", "description": "Fire pottery in a kiln", "parameters": {"type": "object", "properties": {"temperature_c": {"type": "integer"}}, "required": ["temperature_c"]}}}  # fmt: skip
DELTAS: list[Delta] = [
    ReasoningDelta("Hm."),
    TextDelta("Now. "),
    CallDelta(0, "a", "f", '{"x":'),
    CallDelta(0, "", "", " 1}"),
    CallDelta(1, "b", "g.h", "{}"),
    UsageDelta(Usage(7, 3)),
    FinishDelta("tool_calls"),
]


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WireRow:
    return plant(tmp_path, monkeypatch)


def test_the_page_as_it_stands_passes_the_style_check(planted: WireRow, tmp_path: Path) -> None:
    """Annotations included, which mypy asks for: who pastes the page has nothing to mend first."""
    package = ROOT / "workbench" / "wires"
    for source in sorted((tmp_path / "planted_wires").glob("parley*.py")):
        command = ["ruff", "check", "--no-cache", "--extend-select", "ANN001,ANN2", "--stdin-filename"]
        done = subprocess.run(
            [sys.executable, "-m", *command, str(package / source.name), "-"],
            input=source.read_bytes(), cwd=ROOT, capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout.decode()


def test_names_that_the_page_imports_are_defined_where_it_says(planted: WireRow, tmp_path: Path) -> None:
    """mypy refuses a name that a module has imported itself."""
    for source in (tmp_path / "planted_wires").glob("parley*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("workbench."):
                there = ast.parse((ROOT / f"{node.module.replace('.', '/')}.py").read_text(encoding="utf-8"))
                taken = {name.name for one in ast.walk(there) if isinstance(one, ast.ImportFrom) for name in one.names}
                assert not taken & {name.name for name in node.names}


def test_error_in_a_stream_is_a_fault_of_the_reply(planted: WireRow) -> None:
    (fault,) = fold(decode(planted.id, b'{"says":"No"}\n{"error":"out of clay"}\n', cut=3)).faults
    assert "out of clay" in fault.message


@pytest.mark.parametrize("cut", [0, 1, 7])
def test_server_side_is_read_back_by_the_client_side(planted: WireRow, cut: int) -> None:
    at = head(planted.id)
    for body, stream in ((streamed(at, DELTAS), True), (json.dumps(whole(at, DELTAS)).encode(), False)):
        reply = fold(decode(planted.id, body, cut=cut, stream=stream))
        assert reply.faults == []
        assert reply.plain_calls == [("a", "f", '{"x": 1}'), ("b", "g.h", "{}")]
        assert (reply.reasoning, reply.text, reply.usage, reply.finish) == ("Hm.", "Now. ", Usage(7, 3), "tool_calls")


def test_request_is_read_back_with_choice_and_limits(planted: WireRow) -> None:
    tool = ToolSpec("f")
    asked = ChatRequest("m", (Message("user", "hi"),), (tool,), tool_choice="auto", stop=("x",), max_tokens=9, temperature=0.5)  # fmt: skip
    sent = get_wire(planted.id).encode(asked, Endpoint("p", planted.id, "http://h"))
    got = get_server(planted.id).read(sent.body, sent.url).request
    assert [turn.text for turn in got.messages] == ["hi"]
    assert [spec.name for spec in got.tools] == ["f"]
    assert (got.tool_choice, got.stop, got.max_tokens, got.temperature) == ("auto", ("x",), 9, 0.5)


def test_tools_go_natively(planted: WireRow) -> None:
    provider = ProviderConfig("Mine", wire=planted.id, base_url="http://127.0.0.1:1", tools="native")
    assert detect_format(Settings(), provider, "any-model").format == planted.native


def test_command_line_calls_a_simulated_model(
    planted: WireRow, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    request = {
        "model": "mistral-steady",
        "messages": [{"role": "user", "content": "Fire the pottery in the kiln at 980 degrees."}],
        "tools": [TOOL],
        "extra": {"simulate": {"tokens_per_second": 0, "rates": {"*": 0}}},
    }
    (tmp_path / "request.json").write_text(json.dumps(request), encoding="utf-8")

    async def serve_and_send() -> int:
        server = SimulatedServer()
        await server.start()
        try:
            argv = [
                "--protocol",
                planted.id,
                "--base-url",
                server.root_url,
                "--request",
                str(tmp_path / "request.json"),
            ]
            return await asyncio.to_thread(send.main, [*argv, "--json"])
        finally:
            await server.aclose()

    assert asyncio.run(serve_and_send()) == 0
    (call,) = json.loads(capsys.readouterr().out)["tool_calls"]
    assert (call["name"], call["arguments"]) == ("fire_kiln", {"temperature_c": 980})
    with pytest.raises(SystemExit):
        send.main(["--help"])
    assert planted.id in capsys.readouterr().out


def test_window_offers_it(
    planted: WireRow, theme: Theme, run_async: Callable[[Any], Any], home: Path, leak_check: None
) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("providers")
            combo = session.window.page("providers").page.form.wire
            assert combo.findText(planted.title) >= 0

    run_async(body())

"""A provider that leaves calls in the text, behind the gateway: found, mended on the way, and kept as a case that fails offline
until a parser reads it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import openai
import pytest

from tests.kit.command import command, workbench
from tests.kit.gateway import LEAK, READ, chat_stream
from tests.kit.waiting import LIMIT_S
from tests.kit.wire_server import head as response_head
from tests.kit.wire_server import served

ROOT = Path(__file__).resolve().parents[2]
NAME = "the-agents-own-test"
PARSER = """
import os
from workbench.core.tools import tool_from_json
from workbench.formats import get_format

def parse(text, tools):
    read = get_format(os.environ["READS"]).parse(text, [tool_from_json(tool) for tool in tools])
    return [{"name": call.name, "arguments": call.arguments} for call in read.calls]
"""


def through_gateway(mode: str) -> tuple[Any, dict[str, Any], int]:
    """One turn of an agent: the message that it got, what the gateway counted, and its exit code."""
    argv = [*"gateway --port 0 --no-token --json --max-findings 0 --map *=leaky/m --mode".split(), mode]
    process = subprocess.Popen(command(argv), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        client = openai.OpenAI(
            base_url=f"{url}/v1", api_key="any", max_retries=0, default_headers={"x-workbench-run": NAME}
        )
        messages: Any = [{"role": "user", "content": 'Read the file "app.toml".'}]
        tools: Any = [READ]
        with client, client.chat.completions.stream(model="m", messages=messages, tools=tools) as events:
            message = events.get_final_completion().choices[0].message
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LIMIT_S)
        return message, json.loads(out.splitlines()[-1]), process.returncode
    finally:
        process.kill()
        process.wait()


def fixture_passes(folder: Path, reads: str) -> bool:
    """Run the exported tests with a parser of one format."""
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    path = os.pathsep.join((str(ROOT), str(folder)))
    environment = {**os.environ, "READS": reads, "PARSER": "its_parser:parse", "PYTHONPATH": path}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="ends the gateway by a signal")
def test_a_leaked_call_is_named_mended_and_kept(home: Path, tmp_path: Path) -> None:
    stream = response_head() + b"".join(chat_stream({"content": LEAK[:9]}, {"content": LEAK[9:]}))
    with served([stream]) as server:
        home.mkdir()
        provider = f'[providers.leaky]\nbase_url = "{server.url}"\nkey = "none"\ntools = "native"\n'
        (home / "settings.toml").write_text(provider, encoding="utf-8")

        message, counted, code = through_gateway("pass-through")
        assert (message.content, message.tool_calls) == (LEAK, None)
        assert (counted["findings"], code) == ({"tool_markup_in_content": 1}, 1)

        message, counted, code = through_gateway("repair")
        (call,) = message.tool_calls
        assert (call.function.name, json.loads(call.function.arguments)) == ("read_file", {"path": "app.toml"})
        assert (counted["findings"], code) == ({"repaired": 1}, 0)

    failed = next(run for run in workbench("history", "--json").json() if run["verdict"] == "fail")
    kept = workbench("case", "keep", failed["id"], "--suite", "leaks", "--yes")
    assert kept.code == 0, kept.err
    assert NAME in kept.out

    (again,) = workbench("replay", "--suite", "leaks", "--mode", "offline", "--json", "-q").json()
    assert (again["case"], again["before"], again["after"]) == (NAME, "fail", "fail")
    folder = tmp_path / "fixture"
    exported = workbench("export", "--to", "pytest", "--out", str(folder), failed["id"])
    assert exported.code == 0, exported.err
    (folder / "its_parser.py").write_text(PARSER, encoding="utf-8")
    assert not fixture_passes(folder, "qwen_xml")
    assert fixture_passes(folder, "mistral_json")

"""Exports as their receivers take them: the official SDK over a cassette, pytest where nothing else is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path
from typing import Any

import anthropic
import jsonschema
import openai
import pandas
import pytest
import vcr

from tests.kit.app import fast, with_workbench
from tests.kit.command import workbench
from tests.kit.har_schema import HAR
from tests.kit.waiting import LIMIT_S
from tests.kit.wire_server import Request, Script, answer, head, served
from workbench.app import Workbench
from workbench.cases.files import load_suite

TARGETS = (
    "provider=Simulator,model=mistral-steady,format=native_openai",
    "provider=Simulator,model=qwen-hasty,format=qwen_xml",
)


def exports(home: Path, out: Path, *kinds: str) -> None:
    """Run the built-in suite and export all of its runs; then the simulated models are gone."""

    async def body(wb: Workbench) -> None:
        handle = await wb.batches.start(load_suite("demo"), [fast(target) for target in TARGETS], seed=3)
        runs = [item.run_id for item in (await handle.wait()).items]
        for kind in kinds:
            wb.write_export(await wb.export(kind, runs), out / kind)

    with_workbench(home, body)


def asked_again(request: dict[str, Any]) -> tuple[str, list[tuple[str, str]]]:
    """The text and the calls that the official SDK gets for a recorded request."""
    body = dict(json.loads(request["postData"]["text"]))
    url = request["url"].removesuffix("/chat/completions")
    client = openai.OpenAI(api_key="nothing", base_url=url, max_retries=0)
    extra = {"simulate": body.pop("simulate")}
    text, calls = "", dict[int, list[str]]()
    for chunk in client.chat.completions.create(**body, extra_body=extra):
        for choice in chunk.choices:
            text += choice.delta.content or ""
            for call in choice.delta.tool_calls or ():
                held = calls.setdefault(call.index, ["", ""])
                held[0] += call.function.name or ""
                held[1] += call.function.arguments or ""
    return text, [(name, arguments) for name, arguments in calls.values()]


def test_official_sdk_streams_from_the_cassette_what_was_recorded(home: Path, tmp_path: Path) -> None:
    exports(home, tmp_path, "vcr", "har", "jsonl")
    document = json.loads((tmp_path / "har").read_text(encoding="utf-8"))
    jsonschema.validate(document, HAR)
    runs = {row["id"]: row for row in map(json.loads, (tmp_path / "jsonl").read_text(encoding="utf-8").splitlines())}
    replies = {reply["id"]: reply for row in runs.values() for reply in row["replies"]}
    checked = 0
    recorder = vcr.VCR(match_on=("method", "uri", "body"), record_mode="none")
    with recorder.use_cassette(str(tmp_path / "vcr")) as cassette:
        for entry in document["log"]["entries"]:
            text, calls = asked_again(entry["request"])
            reply = replies[f"{entry['_run']}-s{entry['_step']}"]
            assert text == reply["raw"]
            native = [(one["function"]["name"], one["function"]["arguments"]) for one in reply["native_calls"]]
            assert calls == native
            checked += bool(native) + bool(text)
        assert cassette.all_played
    assert checked > 40


def test_pytest_folder_runs_where_only_pytest_is_installed(home: Path, tmp_path: Path) -> None:
    exports(home, tmp_path, "pytest")
    only = tmp_path / "only-pytest"
    for name in ("pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        for file in files(name) or ():
            if file.suffix == ".py" and ".." not in file.parts:
                (only / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), only / file)
    (tmp_path / "theirs.py").write_text(
        "import json, re\n\n"
        "def parse(text, tools):\n"
        "    return [json.loads(body) for body in re.findall(r'<tool_call>(.*?)</tool_call>', text, re.S)]\n"
    )
    environment = {
        "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join([str(only), str(tmp_path)]),
        "PARSER": "theirs:parse", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    command = [sys.executable, "-S", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--co", "."]
    listed = subprocess.run(
        command, cwd=tmp_path / "pytest", env=environment, capture_output=True, text=True, check=False, timeout=LIMIT_S
    )
    assert listed.returncode == 0, listed.stdout + listed.stderr
    command.remove("--co")
    done = subprocess.run(
        command, cwd=tmp_path / "pytest", env=environment, capture_output=True, text=True, check=False, timeout=LIMIT_S
    )
    rows = json.loads((tmp_path / "pytest" / "replies.json").read_text(encoding="utf-8"))
    assert "no module named" not in done.stdout.lower()
    assert f"{2 * len(rows)} tests collected" in listed.stdout
    passed = int(done.stdout.rsplit(" passed", 1)[0].split()[-1])
    assert passed > len(rows), "a parser of the strict form reads most replies"


ODD = {
    "signs": ("Zürich 🌧️ \u2028\u200b e\u0301 日本", [{"city": "Zürich 😀"}]),
    "two": ("", [{"city": "Rome"}, {"city": "Oslo"}]),
    "none": ("I cannot do that, sorry.", []),
    "big": ("x" * 50_000, [{"city": "y" * 50_000}]),
}
"""Texts and calls by the model's name."""


def odd_chat(request: Request, _number: int) -> Script:
    """The reply of an OpenAI server, streamed where that is asked for; a header has a sign that is not ASCII."""
    body = json.loads(request.body)
    text, calls = ("Done.", []) if body["messages"][-1]["role"] == "tool" else ODD[body["model"]]
    made = [
        {
            "index": at,
            "id": f"c{at}",
            "type": "function",
            "function": {"name": "get_weather", "arguments": json.dumps(one)},
        }
        for at, one in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text} | ({"tool_calls": made} if made else {})
    base, end = {"id": "x", "created": 1, "model": body["model"]}, "tool_calls" if made else "stop"
    odd = [("X-Request-Id", "r-ü"), ("Set-Cookie", "a=b; Path=/")]
    if not body.get("stream"):
        whole = {
            **base,
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": end}],
        }
        return answer(200, json.dumps(whole).encode(), extra=odd)
    chunks = [{"index": 0, "delta": message, "finish_reason": None}, {"index": 0, "delta": {}, "finish_reason": end}]
    events = [json.dumps({**base, "object": "chat.completion.chunk", "choices": [one]}) for one in chunks]
    return [head(extra=odd) + "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"]).encode()]


def odd_messages(request: Request, _number: int) -> Script:
    """The same of an Anthropic server; events have names and end as on Windows."""
    body = json.loads(request.body)
    back = any(part["type"] == "tool_result" for part in body["messages"][-1]["content"] if isinstance(part, dict))
    text, calls = ("Done.", []) if back else ODD[body["model"]]
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks += [
        {"type": "tool_use", "id": f"c{at}", "name": "get_weather", "input": one} for at, one in enumerate(calls)
    ]
    usage, end = {"input_tokens": 1, "output_tokens": 2}, "tool_use" if calls else "end_turn"
    base = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "stop_sequence": None,
        "usage": usage,
    }
    if not body.get("stream"):
        return answer(200, json.dumps({**base, "content": blocks, "stop_reason": end}).encode())
    events: list[dict[str, Any]] = [{"type": "message_start", "message": {**base, "content": [], "stop_reason": None}}]
    for at, block in enumerate(blocks):
        begin = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        delta = (
            {"type": "text_delta", "text": block["text"]} if block["type"] == "text"
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )  # fmt: skip
        events += [{"type": "content_block_start", "index": at, "content_block": begin}]
        events += [
            {"type": "content_block_delta", "index": at, "delta": delta},
            {"type": "content_block_stop", "index": at},
        ]
    events += [{"type": "message_delta", "delta": {"stop_reason": end, "stop_sequence": None}, "usage": usage}]
    events += [{"type": "message_stop"}]
    return [head() + "".join(f"event: {one['type']}\r\ndata: {json.dumps(one)}\r\n\r\n" for one in events).encode()]


def told_by_openai(url: str, body: dict[str, Any]) -> tuple[str, list[Any]]:
    client = openai.OpenAI(api_key="nothing", base_url=url.removesuffix("/chat/completions"), max_retries=0)
    made: Any = client.chat.completions.create(**body)
    parts = (
        [chunk.choices[0].delta for chunk in made if chunk.choices] if body.get("stream") else [made.choices[0].message]
    )
    calls = [json.loads(call.function.arguments) for part in parts for call in part.tool_calls or ()]
    return "".join(part.content or "" for part in parts), calls


def told_by_anthropic(url: str, body: dict[str, Any]) -> tuple[str, list[Any]]:
    client = anthropic.Anthropic(api_key="nothing", base_url=url.removesuffix("/v1/messages"), max_retries=0)
    made: Any = client.messages.create(**body)
    if not body.get("stream"):
        parts = made.content
        return "".join(one.text for one in parts if one.type == "text"), [
            one.input for one in parts if one.type == "tool_use"
        ]
    deltas = [event.delta for event in made if event.type == "content_block_delta"]
    text = "".join(one.text for one in deltas if one.type == "text_delta")
    return text, [json.loads(one.partial_json) for one in deltas if one.type == "input_json_delta"]


@pytest.mark.parametrize(
    ("script", "told", "wire", "root"),
    [(odd_chat, told_by_openai, "openai_chat", "/v1"), (odd_messages, told_by_anthropic, "anthropic_messages", "")],
)
def test_vendors_sdks_get_odd_replies_from_the_cassette_as_they_were(
    script: Any, told: Any, wire: str, root: str, home: Path, tmp_path: Path
) -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    tool = {"type": "function", "function": {"name": "get_weather", "description": "Now.", "parameters": schema}}
    (tmp_path / "tools.json").write_text(json.dumps([tool]))
    native = "native_openai" if wire == "openai_chat" else "native_anthropic"
    with served(script) as server:
        url = server.url.removesuffix("/v1") + root
        for name in ODD:
            options = ["--base-url", url, "--wire", wire, "--format", native, "--tools", str(tmp_path / "tools.json")]
            whole = ["--no-stream"] if name == "none" else []
            done = workbench("run", *options, *whole, "--model", name, "-q", "Wie ist das Wetter 🌧️? <b>{{x}}</b>")
            assert done.code == 0, done.err
    for kind in ("vcr", "har", "parquet"):
        done = workbench("export", "--to", kind, "--out", str(tmp_path / kind), *map(str, range(1, len(ODD) + 1)))
        assert done.code == 0, done.err
    assert ("x-request-id is not ASCII" in workbench("export", "--to", "vcr", "--out", "-", "1").err) == (
        wire == "openai_chat"
    )
    document = json.loads((tmp_path / "har").read_text(encoding="utf-8"))
    jsonschema.validate(document, HAR)
    seen: dict[str, list[Any]] = {}
    with vcr.VCR(match_on=("method", "uri", "body"), record_mode="none").use_cassette(
        str(tmp_path / "vcr")
    ) as cassette:
        for entry in document["log"]["entries"]:
            body = json.loads(entry["request"]["postData"]["text"])
            seen.setdefault(body["model"], []).append(told(entry["request"]["url"], body))
        assert cassette.all_played
    assert {name: found[0] for name, found in seen.items()} == ODD
    frame = pandas.read_parquet(tmp_path / "parquet")
    assert {row.model: row.raw for row in frame.itertuples() if row.raw != "Done."} == {
        name: text for name, (text, _) in ODD.items()
    }

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

import jsonschema
import openai
import vcr

from tests.kit.app import fast, with_workbench
from tests.kit.har_schema import HAR
from tests.kit.waiting import LIMIT_S
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

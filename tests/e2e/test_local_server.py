"""A model file is started with llama.cpp's own server behind it; other processes run and probe through it."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from tests.kit.command import start, wait_for_lines, workbench
from tests.kit.fake_llama_server import alive, real_llama_server
from tests.kit.llama_server import TOOL
from tests.kit.tiny_gguf import write_model
from tests.kit.waiting import LIMIT_S


def test_start_run_and_stop(tmp_path: Path) -> None:
    model = write_model(tmp_path / "Qwen2.5-0.5B-tiny.gguf")
    program = real_llama_server(tmp_path / "bin")
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"tools": [TOOL], "mocks": {"get_weather": {"result": {"sky": "clear"}}}}))
    out, err = tmp_path / "out", tmp_path / "err"
    process = start("server", "start", str(model), "--json", out=out, err=err, LLAMACPP_SERVER=str(program))
    try:
        wait_for_lines(out, 1, process)
        row = json.loads(out.read_text())
        assert (row["state"], row["model"]) == ("ready", "Qwen2.5-0.5B-tiny")
        done = workbench(
            "run", "--provider", row["provider"], "--model", row["model"], "--format", "native_openai",
            "--tools", str(tools), "--max-tokens", "200", "--seed", "1", "--iterations", "2", "--json", "-q",
            "How is the weather in Rome?",
        )  # fmt: skip
        assert done.code == 0, done.err
        told = done.json()
        assert [call["name"] for call in told["calls"]] == ["get_weather"] * 2
        card = workbench("providers", "probe", row["provider"], "--json")
        assert card.code == 0, card.err
        found = {item["id"]: item["answer"] for item in card.json()["abilities"]}
        for ability in ("usage_in_stream", "native_tools", "streamed_arguments", "forced_choice", "raw_tokens"):
            assert found[ability] == "yes", ability
        assert found["parallel_calls"] == "no"
        assert found["named_choice"] == "not_asked", "the preset knows that this server ignores it"
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT_S) == 130
        assert not alive(row["process"])
        assert "llama" in Path(row["log"]).read_text(errors="replace")
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()

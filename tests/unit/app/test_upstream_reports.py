"""From recorded and pasted replies to reports."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.kit.app import draft, with_workbench
from tests.kit.fakes import WEATHER
from workbench.app import Workbench
from workbench.app.data_folder import DataFolder
from workbench.app.forensics import Specimen
from workbench.app.pasted_reading import read_pasted
from workbench.app.pasted_setup import ServerSetup
from workbench.app.upstream_reports import ReportOrder, make_report, pasted_run
from workbench.cases.files import save_case
from workbench.cases.from_run import case_from_run
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.target import Policy

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.export.upstream_report import UpstreamReport

BENT = 'I look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome",}}\n</tool_call>\nBye.'


def pasted(home: Path, text: str, receiver: str = "vllm", **known: object) -> UpstreamReport:
    with DataFolder.find(home) as folder:
        events, tools_known = asyncio.run(pasted_run(folder, Specimen(text, **known)))  # type: ignore[arg-type]
        return make_report(folder, events, ReportOrder(receiver, tools_known=tools_known))


def test_a_pasted_reply_is_what_a_server_left_in_the_content(home: Path) -> None:
    made = pasted(home, BENT)
    assert made.title == "[Bug]: call of get_weather stays in the content, tool_calls is empty (written as qwen_xml)"
    assert '<tool_call>{"name":"get_weather","arguments":{"city":"",}}</tool_call>' in made.body
    assert f"made from {len(BENT)} characters" in made.body
    assert '"city": "Rome"' in made.body
    assert "- parser for this model: `hermes`" in made.body
    assert "chat templates of Qwen2.5" in made.body
    assert "The tools that it needs" not in made.body, "they are not known"
    assert "curl" not in made.body
    assert made.search[0] == "hermes tool parser trailing comma"
    known = pasted(home, BENT, tools=(WEATHER,))
    assert "The tools that it needs" in known.body


def test_what_stood_beside_a_pasted_reply_is_in_the_report(home: Path) -> None:
    text = f"vLLM Version: 0.11.2\nOS: Ubuntu 24.04\n\n`vllm serve Qwen/Qwen3-8B --tool-call-parser hermes`\n\n```\n{BENT}\n```\n"
    with DataFolder.find(home) as folder:
        read = read_pasted(text, folder.check)
        assert read.specimen is not None
        events, known = asyncio.run(pasted_run(folder, read.specimen))
        for receiver in ("vllm", "sglang", "ollama", "llama.cpp", "transformers", "openai"):
            made = make_report(folder, events, ReportOrder(receiver, tools_known=known, setup=read.specimen.setup))
            assert "Qwen/Qwen3-8B: call of get_weather" in made.title
            assert "- vLLM: `0.11.2`" in made.body
            assert "```sh\nvllm serve Qwen/Qwen3-8B --tool-call-parser hermes\n```" in made.body
            assert not any("command line" in add for add in made.to_add)
        assert "Ubuntu 24.04" in make_report(folder, events, ReportOrder("ollama", setup=read.specimen.setup)).body


def test_duplicates_are_searched_by_the_parser_that_the_server_was_started_with(home: Path) -> None:
    setup = ServerSetup("Qwen/Qwen3-Coder-30B", "vllm serve Qwen/Qwen3-Coder-30B --tool-call-parser=hermes")
    with DataFolder.find(home) as folder:
        events, _ = asyncio.run(pasted_run(folder, Specimen(BENT)))
        named = make_report(folder, events, ReportOrder("vllm", setup=setup))
        told = make_report(folder, events, ReportOrder("vllm", setup=replace(setup, command="")))
    assert named.search[0] == "hermes tool parser trailing comma"
    assert told.search[0].startswith("qwen3_")


def test_nothing_wrong_and_nobody_known_are_refused(home: Path) -> None:
    with pytest.raises(InvalidInput, match="Nothing is wrong"):
        pasted(home, "Hello.")
    with pytest.raises(UnknownName, match="nobody"):
        pasted(home, BENT, "nobody")


def record(home: Path, target: str, rates: dict[str, float], *, keep: bool = False) -> tuple[str, UpstreamReport]:
    async def body(wb: Workbench) -> tuple[str, UpstreamReport]:
        asked = draft(target, rates={"*": 0, **rates})
        handle = await wb.runs.start(replace(asked, target=replace(asked.target, policy=Policy.STRICT)))
        await handle.wait()
        events = (await wb.load(handle.run_id)).events
        if keep:
            call = ExpectedCall("read_file", {"path": ExpectedArgument(("config/app.toml",))})
            case = replace(case_from_run(events, expect=False), expectation=Expectation(calls=(call,)))
            save_case(case, wb.home.make().suites / "mine")
        return handle.run_id, await asyncio.to_thread(make_report, wb, events, ReportOrder("ollama"))

    return with_workbench(home, body)


def test_a_run_that_passed_is_no_report_unless_its_reply_is_named(home: Path) -> None:
    with pytest.raises(InvalidInput, match=r"did not fail.*history verdict:fail.*--step N"):
        record(home, "model=gemma-tiny", {})


def test_a_recorded_run_tells_request_chunks_and_what_came(home: Path) -> None:
    run, made = record(home, "model=llama-polyglot,seed=3", {"other format": 1})
    assert "curl -sS" in made.body
    assert run in made.body
    assert "What came, as recorded" in made.body
    assert "goes wrong from chunk" in made.body
    assert "This is not confirmed" in made.body
    assert any("not confirmed" in warning for warning in made.warnings)
    assert "- simulated: `yes" in made.body
    assert "### OS\n\n" in made.body


def test_the_case_of_a_run_says_what_was_expected(home: Path) -> None:
    _, made = record(home, "model=qwen-cut,seed=2", {"cut at the limit": 1}, keep=True)
    assert "the case mine/" in made.body
    assert "not confirmed" not in made.body
    assert '"path": "config/app.toml"' in made.body


def test_an_error_of_the_provider_is_a_report_of_its_own(home: Path) -> None:
    _, made = record(home, "model=qwen-hasty+500,seed=2", {})
    assert "The error (HTTP 500)" in made.body
    assert "smallest reply" not in made.body

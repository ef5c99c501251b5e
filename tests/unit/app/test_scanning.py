from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.kit.issue_threads import LOOKS, RAW, REPLIES, issue
from tests.kit.scanning import LEAK, WEATHER, chat_events, chat_reply, judged, read, scanned, written
from workbench.app.data_folder import DataFolder
from workbench.app.forensics import examine, specimen_of
from workbench.app.scanning import Scanning, play_finding
from workbench.core.errors import UnknownName
from workbench.core.run_summary import summarize
from workbench.grading.incidents import incidents_of
from workbench.scan.reply import Channel, FoundReply, SeenCall, Turn
from workbench.schema import JsonSchemaChecker
from workbench.settings.paths import Home

CHECK = JsonSchemaChecker()


def played(reply: FoundReply):
    finding = judged([reply])[0]
    return finding, asyncio.run(play_finding(finding, CHECK))


@pytest.mark.parametrize(
    "reply",
    [
        FoundReply("1", f"I look.\n{LEAK}", model="coder-7b", server="gpu1", tools=(WEATHER,), context=(Turn("user", "Weather?"),)),
        FoundReply("1", calls=[SeenCall("get_weather", '{"city": "Ro', "c")], tools=(WEATHER,)),
        FoundReply("1", calls=[SeenCall("toll_bell", "{}", "c")], tools=(WEATHER,)),
        FoundReply("1", calls=[SeenCall("get_weather", '{"town": 5}', "c")], tools=(WEATHER,)),
        FoundReply("1", reasoning=f"Now: {LEAK}", tools=(WEATHER,)),
        FoundReply("1", tools=(WEATHER,), output_tokens=300),
        FoundReply(
            "1", calls=[SeenCall("get_weather", '{"city": "Rome"}', "c")], tools=(WEATHER,),
            before=(SeenCall("get_weather", '{"city": "Rome"}', "b", "sunny"),),
        ),
    ],
    ids=["leaked", "malformed", "invented", "schema", "reasoning", "lost", "repeated"],
)  # fmt: skip
def test_the_run_of_a_finding_tells_the_same_story(reply: FoundReply) -> None:
    finding, stored = played(reply)
    run = summarize(stored.events)
    assert run.started is not None
    assert (run.started.origin, run.started.executor.model) == ("scan", reply.model or "unknown")
    assert finding.kind in {one.kind for one in incidents_of(run, CHECK)}


def test_forensics_of_a_finding_blames_the_server() -> None:
    _, stored = played(FoundReply("1", f"I look.\n{LEAK}", tools=(WEATHER,)))
    specimen = specimen_of(stored.events)
    assert specimen is not None
    assert "lost by the server's parser" in examine(specimen, CHECK).attribution.sentence


def test_a_reply_keeps_its_own_bytes() -> None:
    (reply,), _ = read(chat_events(LEAK))
    _, stored = played(reply)
    assert b"".join(event.data for event in stored.events if hasattr(event, "data")).decode() == chat_events(LEAK)


@pytest.mark.parametrize(("body", "streamed"), [(chat_events(LEAK), True), (json.dumps(chat_reply(LEAK)), False)])
def test_a_run_says_whether_its_reply_was_streamed(body: str, streamed: bool) -> None:
    (reply,), _ = read(body)
    finding, stored = played(reply)
    run = summarize(stored.events)
    assert run.started is not None
    assert run.started.target.stream is streamed
    assert finding.kind in {one.kind for one in incidents_of(run, CHECK)}


def test_a_raw_text_is_read_in_its_own_format() -> None:
    _, stored = played(FoundReply("1", LEAK.replace('"', "'"), channel=Channel.RAW, tools=(WEATHER,)))
    assert stored.run.format == "qwen_xml"


def test_tools_that_nobody_declares_are_those_that_were_called() -> None:
    _, stored = played(FoundReply("1", f"x\n{LEAK}", calls=[SeenCall("Read", {"path": "a"}, "c")]))
    assert set(summarize(stored.events).tools) == {"get_weather", "Read"}


@pytest.fixture
def service(tmp_path: Path):
    with DataFolder(Home(tmp_path / "home")) as folder, Scanning(folder) as made:
        yield made


def test_findings_are_recorded_as_runs_with_keys_masked(tmp_path: Path, service: Scanning) -> None:
    key = "sk-ant-" + "a1B2c3D4" * 5
    path = written(tmp_path / "a.jsonl", {"text": f"{key}\n{LEAK}"}, {"text": "Fine."})
    scan = service.scan([service.source(str(path))], record=True)
    scan.run()
    (finding,) = scan.findings
    stored = service._folder.load_now(finding.run)
    assert stored.number == 1
    assert key not in repr(stored)
    assert key.encode() not in (tmp_path / "home" / "workbench.db").read_bytes()


def test_the_document_of_a_scan(tmp_path: Path, service: Scanning) -> None:
    path = written(tmp_path / "a.jsonl", {"text": LEAK}, {"text": "Fine."}, "{broken")
    scan = service.scan([service.source(str(path))])
    scan.run()
    told = json.loads(json.dumps(service.document(scan)))
    assert (told["counts"], told["read"], told["found"], told["partial"]) == (
        {"tool_markup_in_content": 1},
        2,
        1,
        False,
    )
    assert told["sources"][0] | {"name": ""} == {
        "name": "", "kind": "jsonl", "title": "rows of replies", "state": "done", "files": 1, "bytes": path.stat().st_size, "read": 2,
        "findings": 1, "skipped": 0, "problems": [{"place": "a.jsonl:3", "message": "This line is no JSON."}],
    }  # fmt: skip
    assert told["cells"][0]["rate"] == 0.5


def test_a_kind_that_there_is_not(service: Scanning) -> None:
    with pytest.raises(UnknownName):
        service.scan([], kind="nothing")


def test_usual_sources_are_named_and_not_read(
    service: Scanning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    (tmp_path / "codex" / "sessions").mkdir(parents=True)
    assert "Codex sessions" in [one.title for one in service.usual_sources()]


def test_a_reply_of_a_provider_is_judged_like_the_run_of_it() -> None:
    made = scanned(json.dumps(chat_reply(None, [("get_weather", '{"city": "Ro')])))
    assert made.tally.kinds == {"malformed_arguments": 1}


def pasted(text: str, tmp_path: Path):
    with Scanning(DataFolder(Home(tmp_path))) as service:
        made = service.scan([service.pasted_source(text)])
        made.run()
    return made


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("reply", REPLIES)
def test_a_pasted_issue_is_read_as_paste_anything_reads_it(reply: str, look: str, tmp_path: Path) -> None:
    made = pasted(issue(RAW["hermes"], reply, "tools", look), tmp_path)
    (source,) = made.sources
    assert (source.state, source.error, source.replies) == ("done", "", 1)
    assert source.title.endswith(", in an issue")
    (finding,) = made.findings
    assert finding.kind == "tool_markup_in_content"
    assert [tool.name for tool in finding.reply.tools or ()] == ["get_weather", "search_web"]
    assert (finding.model, finding.server) == ("Qwen/Qwen3-Coder-30B-A3B-Instruct", "vllm") or finding.model == "m"


def test_a_finding_tells_its_line_in_all_that_was_pasted(tmp_path: Path) -> None:
    text = issue(RAW["hermes"], "text", "nothing", "markdown")
    (finding,) = pasted(text, tmp_path).findings
    assert finding.place == f"pasted text:{finding.reply.line}"
    assert text.splitlines()[finding.reply.line - 1] == RAW["hermes"].splitlines()[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"1: I look.\n2: {LEAK}", "text"),
        ("\n".join(json.dumps({"text": f"{LEAK} {at}"}) for at in range(40)), "jsonl"),
        (json.dumps(chat_reply(LEAK)), "http"),
    ],
)
def test_all_replies_of_a_pasted_recording_are_read(text: str, kind: str, tmp_path: Path) -> None:
    made = pasted(text, tmp_path)
    assert (made.sources[0].kind, made.sources[0].replies) == (kind, text.count("get_weather"))


def test_what_paste_anything_does_not_know_is_said_as_of_a_file(tmp_path: Path) -> None:
    (source,) = pasted("Nothing here.", tmp_path).sources
    assert source.error.startswith("What pasted text holds is not known. Tried:")
    assert source.may_be_read_as

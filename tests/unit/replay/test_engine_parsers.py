"""What the parsers of servers read is asked of a child process, and a difference is said in a sentence."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.fake_engines import fake_engines
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.replay.engine_parsers import (
    ENGINES,
    HOW_TO_ADD,
    LIMITS,
    Ask,
    EngineAnswers,
    EngineCalls,
    EngineReading,
    _absent,
    _calls,
    _difference,
    _requests,
    declared,
    parser_names,
    read_with_engines,
    sentences,
    worth_asking,
)
from workbench.tools.child import ChildLimits

TEXT = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
ROME = [("get_weather", {"city": "Rome"})]
TOOLS = (ToolSpec("get_weather", "", {"type": "object"}),)


def asked(python: str, text: str = TEXT, pieces: tuple[str, ...] = (), limits: ChildLimits = LIMITS) -> EngineAnswers:
    return asyncio.run(read_with_engines([python], [Ask(text, pieces, "qwen_xml", TOOLS)], limits))


def test_a_reply_is_read_whole_and_streamed(tmp_path: Path) -> None:
    python = fake_engines(tmp_path)
    found = asked(python, pieces=(TEXT[:20], TEXT[20:]))
    (reading,) = found.readings
    assert reading.name == "sglang 9.9 qwen25"
    assert list(reading.whole.calls) == list(reading.streamed.calls) == ROME
    assert sentences(reading, ROME) == ["sglang 9.9 qwen25 reads the same, whole and streamed."]
    assert found.missing == (f"vllm is not installed in {python}.",)
    assert reading.document()["whole"]["calls"] == [{"name": "get_weather", "arguments": {"city": "Rome"}}]


def test_a_call_that_a_server_loses_in_a_stream_is_said(tmp_path: Path) -> None:
    (reading,) = asked(fake_engines(tmp_path)).readings
    assert sentences(reading, ROME) == ["sglang 9.9 qwen25, streamed: the call get_weather is lost."]


def test_a_parser_that_fails_is_said(tmp_path: Path) -> None:
    (reading,) = asked(fake_engines(tmp_path), "explode").readings
    assert "whole: its parser fails with ValueError: no such token." in sentences(reading, [])[0]


def test_differences_in_words() -> None:
    def said(calls: list, text: str = "") -> str:
        found = EngineCalls(tuple(calls), text)
        return sentences(EngineReading(0, "vllm", "1", "hermes", found, EngineCalls(tuple(ROME))), ROME)[0]

    assert said([("get_weather", {})]).endswith("whole: get_weather is called with other arguments.")
    assert said([*ROME, ("rm", {})]).endswith("whole: the call rm is read in addition.")
    assert said([*ROME, *ROME]).endswith("whole: 2 calls in place of 1.")
    assert said([], "abc").endswith("whole: the call get_weather is lost, 3 characters are left as text.")


def test_names_of_parsers_come_from_the_registry_of_models() -> None:
    assert parser_names("qwen_xml", "vllm")[0] == "hermes"
    assert "qwen25" in parser_names("qwen_xml", "sglang")
    assert parser_names("kimi_k2", "sglang") == ("kimi_k2",)
    assert parser_names("xlam", "sglang") == ()
    assert {"cohere_command3", "cohere_command4"} <= set(parser_names("command_a", "vllm"))


def test_a_parser_that_is_only_supposed_is_asked_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [SimpleNamespace(formats=("f",), vllm=names, sglang="") for names in ("sure, maybe ?", "sure", "plugin")]
    monkeypatch.setattr("workbench.replay.engine_parsers.current_rules", lambda: SimpleNamespace(rules=rules))
    assert (parser_names("f", "vllm"), parser_names("f", "sglang")) == (("sure", "maybe"), ())


def test_where_no_server_is_one_line_says_how_to_add_one() -> None:
    (line,) = asked(sys.executable).missing
    assert line == f"Neither vllm nor sglang is installed in {sys.executable}. {HOW_TO_ADD}"


def test_a_python_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        asked(str(tmp_path / "nobody"))


def test_an_environment_that_never_answers_is_stopped(tmp_path: Path) -> None:
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o755)
    with pytest.raises(InvalidInput, match="Stopped after 1 seconds"):
        asked(str(slow), limits=ChildLimits(seconds=1.0))


def test_readings_to_the_letter_are_asked_about_first() -> None:
    react, tagged, damaged = (
        get_format(form).parse(text, TOOLS)
        for form, text in (("json_scaffold", TEXT), ("qwen_xml", TEXT), ("qwen_xml", TEXT.replace("}}", "},}")))
    )
    assert worth_asking([react, damaged, tagged]) == (tagged,)
    silent = get_format("qwen_xml").parse("Hello.", TOOLS)
    assert worth_asking([silent, damaged]) == (damaged,)
    assert worth_asking([silent]) == (silent,)
    assert worth_asking([]) == ()


def test_a_reading_as_commands_print_it() -> None:
    whole, streamed = EngineCalls((("f", {"a": 1}),), "Hi.", ""), EngineCalls((), "", "boom")
    assert EngineReading(0, "sglang", "0.5.1", "qwen25", whole, streamed).document() == {
        "engine": "sglang", "version": "0.5.1", "parser": "qwen25",
        "whole": {"calls": [{"name": "f", "arguments": {"a": 1}}], "text": "Hi.", "error": None},
        "streamed": {"calls": [], "text": "", "error": "boom"},
    }  # fmt: skip


def test_an_environment_that_ends_badly_is_named(tmp_path: Path) -> None:
    python = tmp_path / "python"
    for script, words in (("echo first >&2; echo 'no module' >&2; exit 3", "no module"), ("exit 3", "without a word")):
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
        with pytest.raises(InvalidInput, match=f"could not read the reply: .*{words}"):
            asked(str(python))


def test_the_tools_that_a_reading_calls_are_declared_once_each() -> None:
    reading = get_format("qwen_xml").parse(TEXT + TEXT.replace("get_weather", "now") + TEXT, None)
    assert [(tool.name, tool.parameters) for tool in declared(reading)] == [
        ("get_weather", {"type": "object"}),
        ("now", {"type": "object"}),
    ]


def test_what_an_engine_says_of_its_trouble_is_told_once(tmp_path: Path) -> None:
    """A server that cannot be loaded is told of, and so is a reply that a loaded one has no parser for."""
    told = [
        {"engine": "sglang", "version": "9.9"},
        {"engine": "sglang", "error": "a warning"},
        {"engine": "sglang", "id": 0, "error": "no parser 'qwen25'"},
        {"engine": "vllm", "error": "cannot import name 'x'"},
        {"engine": "vllm", "error": "cannot import name 'x'"},
    ]
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\n" + "".join(f"echo {shlex.quote(json.dumps(line))}\n" for line in told))
    python.chmod(0o755)
    assert asked(str(python)) == EngineAnswers((), ("sglang: no parser 'qwen25'", "vllm: cannot import name 'x'"))


LIMA = [("get_weather", {"city": "Lima"})]
FLY = [("fly", {})]


@pytest.mark.parametrize(
    ("theirs", "ours", "text", "words"),
    [
        (ROME, ROME, "left", ""),
        (LIMA, ROME, "", "get_weather is called with other arguments."),
        ([*FLY, *LIMA], [*FLY, *ROME], "", "get_weather is called with other arguments."),
        ([], ROME, "", "the call get_weather is lost."),
        ([], ROME, "  ", "the call get_weather is lost."),
        ([], ROME, "x" * 1_234, "the call get_weather is lost, 1,234 characters are left as text."),
        (FLY, ROME, "", "the call get_weather is lost and the call fly is read in addition."),
        ([*ROME, *FLY], ROME, "", "the call fly is read in addition."),
        ([*ROME, *ROME], ROME, "", "2 calls in place of 1."),
    ],
)
def test_what_a_server_reads_otherwise_in_words(
    theirs: list[tuple[str, Any]], ours: list[tuple[str, Any]], text: str, words: str
) -> None:
    assert _difference(EngineCalls(tuple(theirs), text), ours) == words
    assert _difference(EngineCalls(tuple(theirs), text, "a fault"), ours) == "its parser fails with a fault."


def test_an_engine_is_asked_with_all_that_is_known_of_a_reply() -> None:
    tool = ToolSpec("f", "does f", {"type": "object", "x": 1})
    found = [*_requests([Ask("a", (), "qwen_xml", (tool,)), Ask("bc", ("b", "c"), "qwen_xml", ())])]
    assert {(one["id"], one["engine"]) for one in found} == {(at, engine) for at in (0, 1) for engine in ENGINES}
    for one in found:
        assert one["parsers"] == parser_names("qwen_xml", one["engine"])
        assert (one["text"], one["pieces"]) == (("a", ("a",)), ("bc", ("b", "c")))[one["id"]]
        assert one["tools"] == (
            [{"name": "f", "description": "does f", "parameters": {"type": "object", "x": 1}}] if one["id"] == 0 else []
        )
    assert not [*_requests([Ask("a", (), "no_such_format", ())])]


def test_where_no_engine_has_a_parser_nobody_is_started() -> None:
    found = asyncio.run(read_with_engines(["/no/such/python"], [Ask("a", (), "no_such_format", ())]))
    assert found.readings == ()


def test_who_is_not_installed_is_told_with_the_places() -> None:
    assert _absent([], ["a"]) == []
    assert _absent(["vllm"], ["a", "b"]) == ["vllm is not installed in a or b."]
    assert _absent(ENGINES, ["a"]) == [f"Neither {' nor '.join(ENGINES)} is installed in a. {HOW_TO_ADD}"]


def test_arguments_of_an_answer_are_read_where_they_are_json() -> None:
    found = _calls(
        {
            "calls": [
                {"name": "f", "arguments": '{"a": 1}'},
                {"name": "g", "arguments": "x"},
                {"name": "h", "arguments": [1]},
            ],
            "text": "t",
        }
    )
    assert found == EngineCalls((("f", {"a": 1}), ("g", "x"), ("h", [1])), "t", "")
    assert _calls({"error": "e"}) == EngineCalls((), "", "e")

"""Whatever is pasted: what it is said to be, where it opens, and in which words."""

from __future__ import annotations

import json
import time

import pytest

from tests.kit.scanning import LEAK, TOOL, WEATHER, chat_events, chat_reply, claude_reply, codex_text, said
from workbench.app.pasted_reading import MOST_S, read_pasted
from workbench.app.pasted_result import Opens, PastedReading
from workbench.core.errors import InvalidInput
from workbench.schema import JsonSchemaChecker

CHECK = JsonSchemaChecker()
KEY = "sk-proj-" + "a1B2" * 8
REQUEST = {"model": "m-7b", "messages": [{"role": "user", "content": "Weather in Rome?"}], "tools": [TOOL]}
CURL = f"curl https://api.example.com/v1/chat/completions -H 'Authorization: Bearer {KEY}' -d '{json.dumps(REQUEST)}'"
VLLM = (
    "INFO 11-20 10:00:00 [logger.py:40] Generated response chatcmpl-1 (streaming complete): output: "
    '\'<tool_call>\\n{"name": "get_weather", "arguments": {"city": "Rome"}}\\n</tool_call>\', '
    "output_token_ids: None, finish_reason: stop"
)
LOST_BY_SERVER = "lost by the server's parser"
GROQ = json.dumps(
    {
        "error": {
            "message": "Failed to call a function.",
            "code": "tool_use_failed",
            "failed_generation": '<function=get_weather{"city": "Rome"}</function>',
        }
    }
)
HAR = {
    "log": {
        "entries": [
            {
                "request": {"method": "POST", "url": "https://x.example/v1/chat/completions",
                            "postData": {"text": json.dumps(REQUEST)}},
                "response": {"status": 200, "content": {"text": json.dumps(chat_reply(LEAK))}},
            }
        ]
    }
}  # fmt: skip
OLLAMA = (
    'time=2026-11-20T10:00:00.000Z level=WARN source=x.go:1 msg="gemma4 tool call parsing failed" error="bad" '
    'content="<|tool_call>call:get_weather{city:Rome}"'
)


def reading(text: object, **options: object) -> PastedReading:
    return read_pasted(text if isinstance(text, str) else json.dumps(text), CHECK, **options)  # type: ignore[arg-type]


def as_text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (f"I look.\n{LEAK}", "text", "1 call is strict qwen_xml"),
        (VLLM, "log", LOST_BY_SERVER),
        (OLLAMA, "log", "Ollama could not read a call"),
        (GROQ, "http", "Strict llama31_function gives out 0 of 1 call"),
        (f"{CURL}\n{json.dumps(chat_reply(LEAK))}", "http", LOST_BY_SERVER),
        (json.dumps(HAR), "har", LOST_BY_SERVER),
        (json.dumps(chat_reply(LEAK)), "http", LOST_BY_SERVER),
        (as_text(chat_events(LEAK)), "http", LOST_BY_SERVER),
        (f"User: Weather in Rome?\nAssistant: I look. {LEAK}", "transcript", "1 call is strict qwen_xml"),
        ("\n".join(map(json.dumps, claude_reply("m", said(LEAK)))), "claude-code", LOST_BY_SERVER),
        (json.dumps(codex_text(LEAK)), "codex", LOST_BY_SERVER),
        (json.dumps({"role": "assistant", "content": LEAK}), "jsonl", LOST_BY_SERVER),
    ],
)
def test_recordings_open_in_forensics_with_a_sentence(text: str, kind: str, words: str) -> None:
    found = reading(text)
    assert (found.kind, found.opens) == (kind, Opens.FORENSICS), found
    assert words in found.sentence
    assert found.specimen is not None
    assert "get_weather" in found.specimen.text


@pytest.mark.parametrize(
    ("text", "opens", "words"),
    [
        (CURL, Opens.TRY, "1 message and 1 tool; nothing is sent before you run it. Headers and their keys are left out"),
        (json.dumps(REQUEST), Opens.TRY, "1 message and 1 tool"),
        (json.dumps([TOOL]), Opens.TRY, "get_weather"),
        ("http://localhost:1234/v1", Opens.PROVIDERS, "http://localhost:1234/v1 becomes a provider"),
        (f"curl http://localhost:8080/v1/models -H 'Authorization: Bearer {KEY}'", Opens.PROVIDERS, "http://localhost:8080/v1"),
    ],
)  # fmt: skip
def test_what_is_to_be_sent_opens_where_it_is_sent_from(text: str, opens: Opens, words: str) -> None:
    found = reading(text)
    assert found.opens is opens
    assert words in found.sentence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"error": {"message": "Incorrect API key", "code": "invalid_api_key"}}', "auth: Incorrect API key. Check the key"),
        ('HTTP/1.1 429 Too Many Requests\nretry-after: 3\n\n{"error": {"message": "Slow down"}}', "status 429, rate limit"),
        ("openai.BadRequestError: Error code: 400 - {'error': {'message': 'no tools', 'code': None}}", "status 400"),
        ('{"detail": "Not Found"}', "Not Found"),
    ],
)  # fmt: skip
def test_error_answers_are_told_with_what_to_do(text: str, words: str) -> None:
    found = reading(text)
    assert (found.kind, found.opens) == ("error", Opens.FORENSICS)
    assert words in found.sentence
    assert found.specimen is not None
    assert found.specimen.error is not None


@pytest.mark.parametrize("text", ["The weather in Rome is fine.", "a: 1\nb: 2\n", '{"x": 1}', '{"messages": ['])
def test_what_is_not_known_is_said_with_what_was_tried(text: str) -> None:
    found = reading(text)
    assert (found.kind, found.opens) == ("", Opens.NOWHERE)
    assert "is not known" in found.sentence
    assert "curl, request" in found.sentence
    assert "server log" in found.sentence
    assert found.specimen is not None
    assert found.specimen.text == text


def test_broken_json_is_told_by_its_place() -> None:
    assert "in line 2, column 1" in reading('{"messages":\n').sentence


def test_a_log_without_replies_is_a_log() -> None:
    found = reading("2026-11-20 10:00:00 INFO started\n2026-11-20 10:00:01 INFO listening\n")
    assert (found.kind, found.opens) == ("log", Opens.NOWHERE)
    assert found.sentence.startswith("Nothing in it tells of a model's reply")


def test_what_no_reader_can_take_is_no_fault_of_the_program() -> None:
    told = read_pasted('{"a": ' + "9" * 6000 + "}", CHECK).sentence
    assert "cannot be read as such" in told
    with pytest.raises(InvalidInput, match="is no text"):
        read_pasted("PAR1xxxxPAR1", CHECK)


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no text"):
        reading(" \n")


def test_keys_do_not_get_through() -> None:
    own = "own-secret-value-123"
    for text in (
        f"{LEAK}\n{KEY} {own}",
        json.dumps({**REQUEST, "messages": [{"role": "user", "content": f"use {KEY} and {own}"}]}),
        json.dumps({"error": {"message": f"Incorrect API key {KEY} {own}", "code": "invalid_api_key"}}),
        json.dumps(chat_reply(f"{LEAK} {KEY} {own}")),
        f"Nothing known {KEY} {own}",
    ):
        found = reading(text, secrets=[own])
        assert KEY not in repr(found) + json.dumps(found.to_json()), text
        assert own not in repr(found), text


def test_tools_that_were_offered_count() -> None:
    found = reading("<<call get_weather city :: Rome>>", tools=[WEATHER])
    assert "no format reads it" in found.sentence
    assert found.specimen is not None
    assert found.specimen.tools == (WEATHER,)


def test_the_reply_that_went_wrong_is_shown_of_many() -> None:
    lines = [VLLM.replace("<tool_call>", "fine").replace("</tool_call>", "")] * 3 + [VLLM]
    found = reading("\n".join(lines))
    assert found.title == "server log, 4 replies"
    assert found.specimen is not None
    assert found.specimen.text == LEAK


def test_large_texts_are_given_up_in_time() -> None:
    begun = time.monotonic()
    found = reading((VLLM + "\n") * 30_000)
    assert time.monotonic() - begun < MOST_S * 4
    assert found.partial
    assert found.title.startswith("server log, at least")


def test_a_reading_can_be_stopped() -> None:
    assert reading((VLLM + "\n") * 100, stop=lambda: True).replies == 1


def test_names_that_are_called_are_taken_for_tools_where_none_are_known() -> None:
    text = 'I look.\n<invoke name="Bash">\n<parameter name="command">ls -la</parameter>\n</invoke>'
    found = reading(text)
    assert found.title == "reply as text, Bash taken for a tool"
    assert "The model, recoverably. No opening tag." in found.sentence
    assert found.specimen is not None
    assert [tool.name for tool in found.specimen.tools or ()] == ["Bash"]
    assert reading('get_weather(city="Rome")').kind == "text"
    assert "taken for" not in reading(LEAK).title
    assert reading("Dear all, the party is on Friday.").kind == ""


def test_a_loss_without_its_text_is_shown_with_its_judgement() -> None:
    found = reading("ERROR 11-02 10:11:12 [hermes_tool_parser.py:167] Error in extracting tool call from response.")
    assert "What the model wrote is not recorded" in found.sentence
    assert found.specimen is not None
    assert (found.specimen.text, found.specimen.refused, found.specimen.recorded) == ("", True, True)


CALLS = [{"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Rome"'}}]


@pytest.mark.parametrize(
    ("text", "kind", "title", "words"),
    [
        ("\n".join(f"{at:3}\t{line}" for at, line in enumerate(LEAK.split("\n"), 1)), "text", "line numbers taken off", "1 call is strict qwen_xml"),
        (json.dumps(LEAK), "text", "unescaped", "1 call is strict qwen_xml"),
        (json.dumps(LEAK)[1:-1], "text", "unescaped", "1 call is strict qwen_xml"),
        (f"### Bug\n\nIt prints\n```\n{LEAK}\n```\n", "text", "a block of code in it", "1 call is strict qwen_xml"),
        (json.dumps(chat_reply(LEAK), indent=1).rpartition("finish_reason")[0], "http", "1 reply", LOST_BY_SERVER),
        (json.dumps(chat_reply(LEAK), indent=1)[60:], "text", "cut", "1 call is strict qwen_xml"),
        (repr(chat_reply(LEAK)), "http", "as Python prints it", LOST_BY_SERVER),
        (json.dumps(HAR["log"]["entries"][0] | {"startedDateTime": ""}), "har", "a piece of a reply", LOST_BY_SERVER),
        (json.dumps(CALLS), "http", "a piece of a reply", "a missing brace"),
        ("words " * 40_000 + LEAK, "text", "the part from character", "1 call is strict qwen_xml"),
        (f"me@host:~$ {CURL} | jq .\n{json.dumps(chat_reply(LEAK), indent=1)}", "http", "1 reply", LOST_BY_SERVER),
    ],
)  # fmt: skip
def test_what_copying_did_is_undone_and_said(text: str, kind: str, title: str, words: str) -> None:
    found = reading(text)
    assert (found.kind, found.opens) == (kind, Opens.FORENSICS), found
    assert title in found.title
    assert words in found.sentence


def test_a_call_is_not_taken_for_a_declaration() -> None:
    called = reading({"type": "function", "name": "get_weather", "parameters": {"city": "Rome"}})
    assert (called.kind, called.opens) == ("text", Opens.FORENSICS)
    assert reading({"name": "now", "description": "The time.", "parameters": {}}).kind == "tools"


def test_pages_and_tracebacks_are_named_and_open_nowhere() -> None:
    for text, title in (
        ("https://github.com/o/r/issues/1", "address of a page"),
        ("Traceback (most recent call last):\nKeyError: 'x'", "traceback of Python"),
    ):
        found = reading(text)
        assert (found.kind, found.title, found.opens) == ("error", title, Opens.NOWHERE)


def test_a_text_without_calls_asks_for_the_tools() -> None:
    assert "Name the tools that were offered" in reading('<<call get_weather city="Rome">>').sentence


def test_rows_that_are_not_understood_are_said() -> None:
    found = read_pasted("\n".join(json.dumps(one) for one in ({"foo": 1}, {"text": LEAK}, {"bar": 2})), CHECK)
    assert (found.replies, found.findings) == (1, 1)
    assert found.sentence.endswith(
        "Not all was read: 2 of 3 rows were not understood; this is the first, its keys are foo."
    )

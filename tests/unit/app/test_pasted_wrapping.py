"""What copying adds around a text is taken off, and nothing of the text itself."""

from __future__ import annotations

import base64
import json

import pytest

from tests.kit.scanning import LEAK
from workbench.app.pasted_wrapping import Bare, bare, parts, telling_part, unescaped

LINES = LEAK.split("\n")


def each(prefix: str) -> str:
    return "\n".join(prefix + line for line in LINES)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("\n".join(f"{at:4}\t{line}" for at, line in enumerate(LINES, 9)), "line numbers taken off"),
        ("\n".join(f"{at}: {line}" for at, line in enumerate(LINES, 1)), "line numbers taken off"),
        ("\n".join(f" {at} │ {line}" for at, line in enumerate(LINES, 1)), "line numbers taken off"),
        (each("│ "), "bars taken off"),
        (each("> "), "quotation marks taken off"),
        (each("+"), "signs of a diff taken off"),
        (each("vllm-1  | "), "the container's name taken off"),
        (each("2026-11-20T10:14:03.123456789Z stdout F "), "the pod's prefixes taken off"),
        ("\x1b[32m" + LEAK + "\x1b[0m", ""),
        (json.dumps(LEAK), "unescaped"),
        (repr(LEAK), "unescaped"),
        (base64.b64encode(LEAK.encode()).decode(), "decoded from base64"),
    ],
)
def test_what_stands_around_is_taken_off(text: str, note: str) -> None:
    assert bare(text) == Bare(LEAK, note)


def test_a_box_loses_both_of_its_sides() -> None:
    box = "\n".join(f"│ {line:<70} │" for line in LINES)
    assert bare(box).text == LEAK


@pytest.mark.parametrize(
    "text",
    [
        LEAK,
        "1. Read the file.\n2. Write it back.",
        "1: one\n7: two\n3: three",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
        ">>> hello\n>>> world",
        "+++ b/file\n+line",
        "2026-11-20 10:00:00 INFO x\n2026-11-20 10:00:01 INFO y",
        '"a" and "b"',
        "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789",
        base64.b64encode(bytes(range(200))).decode(),
        "",
        "one line",
    ],
)
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert bare(text) == Bare(text)


@pytest.mark.parametrize(
    "typed",
    ["me@host:~$ curl -d '{}' http://x", "(base) me@gpu:/w$ curl -d '{}' http://x", "$ curl -d '{}' http://x",
     "PS C:\\Users\\me> curl -d '{}' http://x", "% curl -d '{}' http://x"],
)  # fmt: skip
def test_a_prompt_before_curl_goes(typed: str) -> None:
    assert bare(typed).text == "curl -d '{}' http://x"


def test_lines_that_other_shells_continue() -> None:
    assert bare('curl.exe http://x ^\r\n -d "{}"').text == 'curl http://x \\\n -d "{}"'
    assert bare('curl http://x `\n -d "{}"').text == 'curl http://x \\\n -d "{}"'


def test_blocks_of_an_issue_come_with_calls_first() -> None:
    issue = f"### Bug\n```\npip list\n```\nIt prints\n```text\n{LEAK}\n```\n"
    assert [one.text.strip() for one in parts(issue)] == [LEAK, "pip list"]


def test_texts_in_json_that_is_cut() -> None:
    document = json.dumps({"choices": [{"message": {"content": LEAK, "role": "assistant"}}]})
    (found,) = parts(document[:-24])
    assert found.text == LEAK
    (behind,) = parts(document[25:])
    assert behind.text == LEAK


def test_escapes_without_their_quotes() -> None:
    assert unescaped(json.dumps(LEAK)[1:-1]) == LEAK
    assert unescaped('<tool_call>\\n{"name": "x"}\\n</tool_call>') == '<tool_call>\n{"name": "x"}\n</tool_call>'
    assert unescaped("plain") is None
    assert unescaped("two\nlines \\n") is None


def test_the_part_of_a_long_text_in_which_a_call_may_stand() -> None:
    prose = "Lorem ipsum dolor sit amet. " * 20_000
    part = telling_part(prose + LEAK)
    assert part is not None
    assert LEAK in part.text
    assert len(part.text) < 80_000
    assert telling_part(prose) is None
    assert telling_part(LEAK) is None


@pytest.mark.parametrize("first", ["HTTP/1.1 200 OK", "HTTP/2 200", "POST /v1/chat/completions HTTP/1.1"])
def test_the_head_of_http_is_taken_off(first: str) -> None:
    head = f"{first}\r\nHost: localhost:8000\r\nContent-Type: application/json\r\n\r\n"
    assert bare(f'{head}{{"a": 1}}') == Bare('{"a": 1}', "the head of HTTP taken off")
    assert bare(f"{head}<html>").note == ""
    assert bare("POST a letter\n\n{}").note == ""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.kit.scanning import LEAK, found_in, judged, kind_of, read, written

VLLM = (
    "INFO 11-20 10:00:00 [logger.py:43] Received request chatcmpl-1: prompt: '<tool_call> is how you call'\n"
    f"INFO 11-20 10:00:01 [logger.py:71] Generated response chatcmpl-1: output: {LEAK!r}, output_token_ids: None, finish_reason: stop\n"
)


def log(tmp_path: Path, text: str, name: str = "server.log") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_records_name_their_line_and_time(tmp_path: Path) -> None:
    (reply,), troubles = read(log(tmp_path, "\n\n" + VLLM))
    assert (troubles, reply.text, reply.place, reply.server, reply.finish) == ([], LEAK, "4", "vLLM", "stop")
    assert reply.at_us > 0
    assert reply.source_text.startswith("INFO 11-20 10:00:01")


def test_a_prompt_is_no_reply(tmp_path: Path) -> None:
    path = log(tmp_path, VLLM)
    assert (kind_of(path), found_in(path)) == ("log", ["tool_markup_in_content"])


def test_records_over_several_lines(tmp_path: Path) -> None:
    text = (
        "2026-11-22 03:58:13 INFO start\n2026-11-22 03:58:14 INFO reply 88213\noutput: I look the orders up.\n"
        f"{LEAK}<|im_end|>\ntool_calls=[] finish_reason=stop\n2026-11-22 03:58:15 INFO next\n"
    )  # fmt: skip
    path = log(tmp_path, text)
    (finding,) = judged(read(path)[0])
    assert (finding.kind, finding.tool, finding.format, finding.server) == (
        "tool_markup_in_content",
        "get_weather",
        "qwen_xml",
        "server.log",
    )
    assert finding.raw.startswith("I look the orders up.")
    assert "tool_calls=[]" not in finding.raw


def test_records_across_blocks_keep_their_line_numbers(tmp_path: Path) -> None:
    filler = "INFO 11-20 10:00:00 nothing to see here, but a line of some length goes by\n" * 30_000
    path = log(tmp_path, filler + VLLM + filler + VLLM)
    assert [one.place for one in read(path)[0]] == ["30002", "60004"]


def test_containers_and_packed_logs(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"log": line + "\n", "stream": "stderr", "time": "t"}) + "\n" for line in VLLM.splitlines()
    )
    assert found_in(log(tmp_path, lines, "container.log")) == ["tool_markup_in_content"]
    (tmp_path / "server.log.gz").write_bytes(gzip.compress(VLLM.encode()))
    assert found_in(tmp_path / "server.log.gz") == ["tool_markup_in_content"]


def test_logs_of_other_programs_and_encodings(tmp_path: Path) -> None:
    (tmp_path / "utf16.log").write_bytes(VLLM.encode("utf-16"))
    assert found_in(tmp_path / "utf16.log") == ["tool_markup_in_content"]
    other = log(tmp_path, "2026-11-22 03:58:13 INFO request: GET /\n" * 50, "web.log")
    assert (kind_of(other), found_in(other)) == ("log", [])


def test_a_stray_first_line_does_not_hide_a_log(tmp_path: Path) -> None:
    assert kind_of(log(tmp_path, "warning from a wrapper\n" + VLLM * 3)) == "log"
    started = "".join(f"0.00.003.{number:03} I srv          init: step {number}\n" for number in range(20))
    assert kind_of(log(tmp_path, "warning from a wrapper\n" + started)) == "log"


def test_programs_and_prose_are_no_logs(tmp_path: Path) -> None:
    assert kind_of(log(tmp_path, "def f():\n    print('response: 5')\n" * 20, "a.py"), named=False) == ""
    assert kind_of(log(tmp_path, "# Title\n\nThe output: a text.\n", "README.md"), named=False) == ""


def test_a_log_of_nobody_with_something_like_a_call_is_said_to_be_that(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.log",
        *(f"2026-11-20 10:00:0{n} INFO idle" for n in range(9)),
        f"2026-11-20 10:00:09 INFO it wrote {LEAK}",
    )
    replies, (trouble,) = read(path)
    assert (kind_of(path), replies, trouble.message.startswith("Not known: ")) == ("log", [], True)
    assert read(written(tmp_path / "b.log", *(f"2026-11-20 10:00:0{n} INFO idle" for n in range(9)))) == ([], [])


def test_replies_that_ollama_traces_end_with_the_answer_and_name_their_lines(tmp_path: Path) -> None:
    piece = 'time=2026-11-20T10:00:01.000Z level=TRACE msg="builtin parser input" parser=coder content="{}"\n'
    given = '[GIN] 2026/11/20 - 10:00:02 | 200 | 1.2s | 127.0.0.1 | POST     "/api/chat"\n'
    replies, _ = read(log(tmp_path, piece.format("Hi ") + piece.format("you.") + given + piece.format("Bye.")))
    assert [(one.text, one.place, one.line) for one in replies] == [("Hi you.", "3", 3), ("Bye.", "4", 4)]

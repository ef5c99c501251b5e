from __future__ import annotations

import json

from tests.kit.scanning import LEAK, found_in, kind_of, read
from workbench.scan.opened import Opened
from workbench.scan.readers.plain_text import first_call


def test_a_bare_reply_is_one_reply() -> None:
    assert (kind_of(f"I look.\n{LEAK}"), found_in(f"I look.\n{LEAK}")) == ("text", ["tool_markup_in_content"])
    assert kind_of("Nothing of the kind.") == ""


def test_turns_of_a_transcript() -> None:
    text = f"User: Show me {LEAK}\n**Assistant:** I look.\n{LEAK}\nUser: Thanks.\nAssistant: Done."
    first, second = read(text)[0]
    assert (kind_of(text), first.place, first.context[0].role, first.after[0].text) == (
        "transcript",
        "4",
        "user",
        "Thanks.",
    )
    assert (second.text, found_in(text)) == ("Done.", ["tool_markup_in_content"])


def test_a_conversation_as_json() -> None:
    turns = [{"role": "user", "content": "x"}, {"role": "assistant", "content": LEAK}]
    text = json.dumps(turns, indent=1)
    assert (kind_of(text), found_in(text)) == ("transcript", ["tool_markup_in_content"])


def test_a_call_deep_in_a_long_text_is_found_and_near_its_line() -> None:
    line = "Words that say nothing of the kind.\n"
    assert found_in(line * 4_000 + LEAK) == ["tool_markup_in_content"]
    assert 0 <= 20_001 - first_call(Opened(line * 20_000 + LEAK + "\n" + line * 4_000)) < 8_000
    assert (kind_of(line * 4_000), first_call(Opened(line * 4_000))) == ("", 0)


def test_what_claude_code_exports_is_a_conversation() -> None:
    said = "\n  ".join(LEAK.split("\n"))
    text = f"> Read a.txt\n\n⏺ I read it.\n\n⏺ Read(a.txt)\n  ⎿  Read 1 line\n\n⏺ Once more.\n  {said}\n\n> thanks\n"
    replies, _ = read(text)
    assert (kind_of(text), [one.text.split("\n")[0] for one in replies]) == ("transcript", ["I read it.", "Once more."])
    assert found_in(text) == ["tool_markup_in_content"]

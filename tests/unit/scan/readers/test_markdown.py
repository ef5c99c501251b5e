from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.issue_threads import RAW, REPLIES, issue
from tests.kit.scanning import LEAK, chat_reply, found_in, judged, kind_of, read

REPORT = f"""# Calls leak

The server answers:
  ```json
  {json.dumps(chat_reply(LEAK))}
  ```
and the raw text is

~~~
I look.
{LEAK}
~~~
made by this program:
```python
print('''{LEAK}''')
```
"""


def file(tmp_path: Path, text: str, name: str = "issue.md") -> Path:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


def test_each_block_is_read_as_what_it_is_and_programs_are_not(tmp_path: Path) -> None:
    path = file(tmp_path, REPORT)
    replies, troubles = read(path)
    assert (kind_of(path, named=False), troubles) == ("markdown", [])
    assert [(one.text.split("\n")[0], one.line) for one in replies] == [(LEAK.split("\n")[0], 5), ("I look.", 10)]
    assert [one.place for one in replies] == ["5 (the document)", "10"]
    assert found_in(path) == ["tool_markup_in_content"] * 2


@pytest.mark.parametrize(
    "head", ["## User", "## User\n\n## Assistant (Build · m · 3.2s)", "**You**", "### 🧑 User", "User:", "**User:**"]
)
def test_a_conversation_under_headings(tmp_path: Path, head: str) -> None:
    said = "" if "Assistant" in head else f"\n## Assistant\n\nI look.\n{LEAK}\n"
    text = f"# A session\n\n{head}\n\nFind it.\n{said or LEAK}\n\n## User\n\nThanks.\n"
    assert (kind_of(file(tmp_path, text)), found_in(tmp_path / "issue.md")) == ("markdown", ["tool_markup_in_content"])


def test_notes_without_any_of_it_are_left_alone(tmp_path: Path) -> None:
    notes = "# Notes\n\n```sh\nls\n```\n\n```console\n$ echo '<tool_call>{}</tool_call>'\n```\n"
    assert kind_of(file(tmp_path, notes), named=False) == ""
    assert kind_of(file(tmp_path, REPORT, "issue.rst"), named=False) == ""
    assert kind_of(REPORT) != "markdown"


def test_a_block_of_lines_keeps_its_places(tmp_path: Path) -> None:
    rows = "\n".join(json.dumps({"text": text}) for text in ("Fine.", LEAK))
    assert [one.line for one in read(file(tmp_path, f"Replies:\n```jsonl\n{rows}\n```\n"))[0]] == [3, 4]


@pytest.mark.parametrize("reply", REPLIES)
def test_tools_in_one_block_are_those_of_the_others(tmp_path: Path, reply: str) -> None:
    path = tmp_path / "issue.md"
    path.write_text(issue(RAW["hermes"], reply, "tools", "markdown"), encoding="utf-8")
    replies, troubles = read(path)
    assert troubles == []
    assert [[tool.name for tool in one.tools or ()] for one in replies] == [["get_weather", "search_web"]]
    assert [one.kind for one in judged(replies)] == ["tool_markup_in_content"]

"""Issues as they are pasted: the reply that lost its call, the tools beside it, and whose server it was."""

from __future__ import annotations

from itertools import product

import pytest

from tests.kit.issue_threads import LOOKS, PROMPT, RAW, REPLIES, SENT, issue
from tests.kit.timing import growth
from workbench.app.pasted_reading import read_pasted
from workbench.app.pasted_result import Opens
from workbench.app.pasted_thread import names_in, thread_in
from workbench.schema import JsonSchemaChecker

CHECK = JsonSchemaChecker()
OF_ISSUES = [
    (list(RAW)[number % len(RAW)], *way, number % 5 < 2) for number, way in enumerate(product(REPLIES, SENT, LOOKS))
]


@pytest.mark.parametrize(("raw", "reply", "sent", "look", "reply_first"), OF_ISSUES)
def test_the_reply_is_read_with_what_stands_beside_it(
    raw: str, reply: str, sent: str, look: str, reply_first: bool
) -> None:
    if raw == "unknown" and sent == "nothing":
        raw = "hermes"  # in unknown markup only a declared name is a sign
    found = read_pasted(issue(RAW[raw], reply, sent, look, reply_first=reply_first), CHECK)
    assert found.opens is Opens.FORENSICS, found.title
    specimen = found.specimen
    assert specimen is not None
    assert "get_weather" in specimen.text
    assert "Expected" not in specimen.text
    assert "environment" not in specimen.text
    names = [tool.name for tool in specimen.tools or ()]
    assert names == ([] if sent == "nothing" else ["get_weather", "search_web"])
    assert specimen.setup is not None
    assert specimen.setup.receiver == "vllm"
    if sent in ("script", "curl", "request"):
        assert specimen.title == PROMPT


def test_the_parser_that_a_command_names_is_what_a_raw_reply_is_held_against() -> None:
    found = read_pasted(issue(RAW["qwen3_coder"], "text", "tools", "markdown"), CHECK)
    assert found.specimen is not None
    assert found.specimen.format == "qwen_xml"
    assert "set to qwen_xml, the model wrote qwen3_coder_xml" in found.sentence


@pytest.mark.parametrize(
    "text",
    [
        "Hello.\n\nHow are you?",
        'I look into it.\n\n```json\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n```',
        "## User\n\nWeather?\n\n## Assistant\n\nI look.\n\n```json\n{}\n```",
        "# Report\n\nThe weather is fine.",
        '{"a":\n1}',
    ],
)
def test_other_texts_are_no_issue(text: str) -> None:
    assert thread_in(text) is None


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("I declare these tools:\n\n- `read_file` (path)\n- `list_directory`", ["read_file", "list_directory"]),
        ("My functions:\n* **`add`** sums\n* `sub(a, b)`", ["add", "sub"]),
        ("The tools are:\n\nread_file (path)\nlist_directory – what is there", ["read_file", "list_directory"]),
        ("Available tools: `read_file`, `search(query)` and others", ["read_file", "search"]),
        ("My tools are `get_weather` and `search_web`. It fails in `json.loads`.", ["get_weather", "search_web"]),
        ("The function `json.loads` fails.", []),
        ("1. `pip install x`\n2. `make`", []),
        ("What I tried:\n\n- `vllm_serve` again\n- `restart_now`", []),
        ("The tools work, but:\n\nsee `content`", []),
    ],
)
def test_tools_are_named_by_lists(words: str, names: list[str]) -> None:
    assert names_in(words) == names


def test_a_template_is_not_taken_for_the_reply() -> None:
    template = "{%- for tool in tools %}<tool_call>\n{{ tool | tojson }}\n</tool_call>{%- endfor %}"
    text = f"### Describe the bug\n\nChat template:\n\n```jinja\n{template}\n```\n\nOutput:\n\n```\n{RAW['hermes']}\n```\n\n### OS\n\nLinux\n"
    thread = thread_in(text)
    assert thread is not None
    assert thread.replies[0].strip() == RAW["hermes"]


def test_a_list_in_which_the_called_tool_is_missing_is_not_all_tools() -> None:
    text = f"### Describe the bug\n\nTools:\n\n- `read_file`\n\n```\n{RAW['hermes']}\n```\n\n### OS\n\nLinux\n"
    found = read_pasted(text, CHECK)
    assert found.specimen is not None
    assert (found.specimen.tools, found.finding) == (None, None)


@pytest.mark.parametrize("line", ["{", "```", "Message('", "### Logs"])
def test_time_is_linear_in_the_text(line: str) -> None:
    assert growth(lambda size: thread_in("Words of tools:\n" + f"{line}\n" * size), 4_000) < 9

"""Chat templates in their sandbox."""

from __future__ import annotations

import json

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.messages import Message, NativeCall
from workbench.core.tools import ToolSpec
from workbench.wires.kit.template import TEMPLATES, render_prompt

TALK = (Message("system", "s"), Message("user", " u "), Message("assistant", "a", reasoning="hm"), Message("user", "v"))


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_known_templates_keep_every_turn(name: str) -> None:
    prompt = render_prompt(name, TALK)
    places = [prompt.index(text) for text in ("s", "u", "a", "v")]
    assert places[0] < places[1]
    assert prompt.rindex("v") > prompt.index("u")


def test_chatml() -> None:
    assert render_prompt("chatml", TALK[:1]) == "<|im_start|>system\ns<|im_end|>\n<|im_start|>assistant\n"


def test_template_variables() -> None:
    text = (
        "{{ bos_token }}{% for m in messages %}{% if loop.index > 9 %}{% break %}{% endif %}{{ m.role }}"
        "{% for c in m.tool_calls %}{{ c.function.arguments | tojson }}{% endfor %}{{ m.name }};{% endfor %}"
        "{{ tools[0] | tojson(indent=2) }}{{ strftime_now('%Y') | length }}"
    )
    talk = (
        Message("assistant", "", (NativeCall(0, "i", "f", '{"a":"<ü>"}'),)),
        Message("tool", "1", name="f", tool_call_id="i"),
    )
    prompt = render_prompt(text, talk, (ToolSpec("f"),), {"bos_token": "<s>"})
    assert prompt.startswith('<s>assistant{"a": "<ü>"};toolf;{\n  "type"')
    assert prompt.endswith("4")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{% for %}", "line 1"),
        ("{{ raise_exception('roles must alternate') }}", "roles must alternate"),
        ("{{ messages.__class__.__mro__ }}", "cannot be used"),
        ("{{ nothing.field }}", "nothing"),
        ("{{ 1 / 0 }}", "fails"),
        ("{{ messages[0].content + 1 }}", "fails"),
        ("{% for i in range(10**9) %}x{% endfor %}", "Range too big"),
        ("{% do messages.append(1) %}", "cannot be used"),
    ],
)
def test_failing_templates(text: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        render_prompt(text, TALK)


def test_a_failure_without_a_line_names_none() -> None:
    with pytest.raises(InvalidInput) as failed:
        render_prompt("{{ nothing.field }}", TALK)
    assert failed.value.message == "The chat template cannot be used: 'nothing' is undefined."


def test_a_message_is_shown_to_the_template_with_what_it_has() -> None:
    talk = (
        Message("user", "u"),
        Message("assistant", "a", (NativeCall(0, "i", "f", '{"a": 1}'),), reasoning="hm"),
        Message("tool", "1", name="f", tool_call_id="i"),
    )
    call = {"id": "i", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}}
    assert json.loads(render_prompt("{{ messages | tojson }}", talk)) == [
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "a", "reasoning_content": "hm", "tool_calls": [call]},
        {"role": "tool", "content": "1", "name": "f", "tool_call_id": "i"},
    ]


def test_what_a_template_sees_beside_the_messages() -> None:
    shown = "{{ [tools, add_generation_prompt, bos_token, eos_token] | tojson }}"
    assert json.loads(render_prompt(shown, TALK)) == [None, True, "", ""]
    given = {"eos_token": "</s>", "add_generation_prompt": False}
    assert json.loads(render_prompt(shown, TALK, (ToolSpec("f"),), given)) == [
        [ToolSpec("f").to_openai()], False, "", "</s>",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "\n{% for %}",
            "The chat template cannot be used (line 2): Expected an expression, got 'end of statement block'.",
        ),
        ("{{ 1 / 0 }}", "The chat template fails on this conversation: division by zero."),
    ],
)
def test_a_template_that_fails_is_told_to_be_checked(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as failed:
        render_prompt(text, TALK)
    assert (failed.value.message, failed.value.hint) == (message, "Check it.")


def test_lines_of_blocks_leave_nothing_and_json_is_no_html() -> None:
    text = "  {% if true %}\n{{ {'a': '<ü>'} | tojson }}|{{ {'a': 'ü'} | tojson(ensure_ascii=true) }}\n  {% endif %}\n"
    assert render_prompt(text, ()) == '{"a": "<ü>"}|{"a": "\\u00fc"}\n'

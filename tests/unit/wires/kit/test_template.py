"""Chat templates in their sandbox."""

from __future__ import annotations

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

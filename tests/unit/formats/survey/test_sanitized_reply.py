"""What a user sees holds no attempt that was lost, and all the words around it."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import TextRead
from workbench.formats import get_format
from workbench.formats.survey.sanitized_reply import sanitized_anew, sanitized_reply

SPECS = tuple(TOOLS.values())


def shown(text: str, form: str = "qwen_xml") -> str:
    parser = get_format(form).parser(SPECS)
    events = [*parser.feed(text), *parser.finish()]
    result = parser.result()
    once = sanitized_reply(result, text, [event for event in events if isinstance(event, TextRead)])
    assert sanitized_anew(result, text, get_format(form), SPECS, None) == once
    return once


@pytest.mark.parametrize(
    "call",
    [
        '<<get_weather city="Rome">>',
        "get_weather:\n  city: Rome",
        'get_weather", "arguments": {"city": "Rome"}}',
        "<zz:call>\n<zz:invoke name='get_weather'>\n<city>Rome</city>\n</zz:invoke>\n</zz:call>",
        "<zz:call>\n<zz:invoke name='get_weather'>\n<city>Rome\n\nand Milan</city>\n</zz:invoke>\n</zz:call>",
        '[[ ## next_tool ## ]]\nget_weather\n\n[[ ## next_args ## ]]\n{"city": "Rome"}',
        '|tool_call|\ncall:get_weather{"city": "Rome"}',
    ],
)
def test_a_lost_call_is_not_shown(call: str) -> None:
    assert shown(call).strip() == ""
    assert shown(f"I will look.\n\n{call}").strip() == "I will look."
    assert shown(f"I will look.\n{call}\n\nIt rains. {{x}}").split() == "I will look. It rains. {x}".split()


@pytest.mark.parametrize("form", ["qwen_xml", "react", "json_scaffold", "native_openai"])
def test_sentences_behind_a_lost_call_stay(form: str) -> None:
    text = "Now <<get_weather city='Rome'>> and then I will tell you.\nIt may take a while."
    spec = get_format(form)
    result = spec.read_native(text, (), SPECS, "stop") if spec.native else spec.parse(text, SPECS)
    assert result.lost
    assert sanitized_anew(result, text, spec, SPECS, None) == "Now  and then I will tell you.\nIt may take a while."


def test_a_mention_is_shown() -> None:
    text = "For example, `get_weather(city='Rome')` tells of Rome, and get_weather is free."
    assert shown(text) == text


def test_what_was_read_is_shown_sanitized() -> None:
    assert shown("One.<|im_end|>") == "One."


def test_a_text_that_another_format_left_is_shown_as_it_is() -> None:
    text = "<<get_weather city='Rome'>> is lost."
    result = get_format("qwen_xml").parse(text, SPECS)
    assert sanitized_reply(result, "another text", ()) == text


def test_an_attempt_that_is_never_closed_ends_with_its_paragraph() -> None:
    assert shown("<<get_weather city='Rome' {\n\nAll is said. {").strip() == "All is said. {"

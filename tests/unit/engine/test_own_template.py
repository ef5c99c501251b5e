from __future__ import annotations

from workbench.core.calls import ParsedCall
from workbench.core.tools import ToolResult, ToolSpec
from workbench.engine.own_template import OwnTemplate
from workbench.formats import get_format

TEXT = get_format("qwen_xml")
SAID = '<tool_call>\n{"name": "search", "arguments": {"q": "x"}}\n</tool_call>'
TOOLS = (ToolSpec("search", "", {"type": "object", "properties": {"q": {"type": "string"}}}),)


def call() -> ParsedCall:
    (found,) = OwnTemplate(TEXT).parse(SAID, TOOLS).calls
    return found


def test_replies_are_read_as_the_text_format_reads_them() -> None:
    form = OwnTemplate(TEXT)
    parser = form.parser(TOOLS)
    parser.feed(SAID)
    parser.finish("stop")
    assert parser.result() == form.parse(SAID, TOOLS, "stop") == TEXT.parse(SAID, TOOLS, "stop")
    assert form.argument_spans(SAID, call()) == TEXT.argument_spans(SAID, call())
    assert form.regions(SAID, TEXT.parse(SAID)) == TEXT.regions(SAID, TEXT.parse(SAID))
    assert form.read_native("x", (), TOOLS) == TEXT.read_native("x", (), TOOLS)
    assert (form.id, form.native, form.render_call(call())) == ("qwen_xml", False, TEXT.render_call(call()))


def test_turns_and_results_go_in_fields_and_nothing_is_taught() -> None:
    form = OwnTemplate(TEXT)
    turn = form.render_turn("I look.", [call()])
    (result,) = form.result_messages([(call(), ToolResult(True, "found"))])
    assert (form.prompt(TOOLS), form.stop_sequences) == ("", ())
    assert (turn.text, turn.tool_calls[0].name, turn.tool_calls[0].id) == ("I look.", "search", result.tool_call_id)
    assert (result.role, "found" in form.render_result(call(), ToolResult(True, "found"))) == ("tool", True)


def test_what_is_known_of_a_reply_reaches_the_text_format() -> None:
    """That it was cut off, and that it begins inside of a thought."""
    form = OwnTemplate(TEXT)
    cut = SAID.removesuffix("}\n</tool_call>")
    assert [call.name for call in form.parse(cut, TOOLS, "stop").calls] == ["search"]
    assert [problem.code for problem in form.parse(cut, TOOLS, "length").problems] == ["truncated"]
    for said, calls_in_reasoning, reasoning, calls in (
        (f"Hm.</think>{SAID}", False, "Hm.", 1),
        ("Hm.", False, "Hm.", 0),
        (f"Hm. {SAID} So.</think>", False, f"Hm. {SAID} So.", 0),
        (f"Hm. {SAID} So.</think>", True, "Hm. So.", 1),
    ):
        parser = form.parser(TOOLS, think_open=True, calls_in_reasoning=calls_in_reasoning)
        parser.feed(said)
        parser.finish("stop")
        assert (parser.result().reasoning, len(parser.result().calls)) == (reasoning, calls)

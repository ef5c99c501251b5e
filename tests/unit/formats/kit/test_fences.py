"""Which fenced calls are meant."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import CallRead, Outcome
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
CALL = '{"tool": "now", "arguments": {}}'
TAGGED = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'


@pytest.mark.parametrize(
    ("raw", "calls"),
    [
        (f"```json\n{CALL}\n```", 1),
        (f"I look.\n```json\n{CALL}\n```\nThen I answer.", 1),
        (f"I look.\n```\n{CALL}\n```", 1),
        (f"```\n{CALL}\n```\nThis is how.", 0),
        (f"Use:\n```python\n{CALL}\n```", 0),
        (f"For example:\n```json\n{CALL}\n```", 0),
        (f"~~~json\n{CALL}\n~~~", 1),
        (f"```json{CALL}```", 1),
        (f"  ```json\n  {CALL}\n  ```", 1),
    ],
)
def test_without_markers(raw: str, calls: int) -> None:
    result = get_format("json_scaffold").parse(raw, SPECS)
    assert len(result.calls) == calls
    if not calls:
        assert result.text == raw
        assert result.outcome is Outcome.IGNORED


@pytest.mark.parametrize(
    ("line", "calls"),
    [
        ("Je consulte la météo :", 1), ("Ich frage das Wetter ab:", 1), ("Voy a consultar el tiempo:", 1), ("我来查询一下天气：", 1),
        ("天気を調べます。", 1), ("Сейчас узнаю погоду:", 1), ("날씨를 확인하겠습니다.", 1), ("Vou consultar o tempo:", 1),
        ("Controllo subito il meteo:", 1), ("Sprawdzam pogodę:", 1), ("Certainly!", 1),
        ("Vous pourriez écrire ceci :", 0), ("Wenn du es selbst tun willst, schreib:", 0), ("Un ejemplo de llamada:", 0),
        ("你可以这样调用：", 0), ("呼び出しの例：", 0), ("Вы можете написать:", 0), ("이렇게 쓸 수 있습니다:", 0), ("Um exemplo de chamada:", 0),
        ("Se vuoi farlo tu, scrivi:", 0), ("Możesz napisać:", 0), ("A call has this form:", 0),
    ],
)  # fmt: skip
def test_the_last_fence_of_a_reply_is_meant_in_any_language_unless_it_is_offered(line: str, calls: int) -> None:
    result = get_format("qwen_xml").parse(f"{line}\n\n```\n{TAGGED}\n```", SPECS)
    assert len(result.calls) == calls
    assert [problem.code for problem in result.problems] == ["mentioned"] * (1 - calls)


def test_two_calls_in_one_fence() -> None:
    result = get_format("qwen_xml").parse(f"```\n{TAGGED}\n{TAGGED}\n```", SPECS)
    assert [call.repairs for call in result.calls] == [("fenced",), ("fenced",)]


def test_a_fence_inside_an_argument_is_data() -> None:
    body = '{"name": "write_file", "arguments": {"path": "a", "content": "```\\n```"}}'
    result = get_format("qwen_xml").parse(f"```\n<tool_call>{body}</tool_call>\n```", SPECS)
    assert result.calls[0].arguments["content"] == "```\n```"


def test_code_goes_on_after_the_fence() -> None:
    result = get_format("qwen_xml").parse(f"```py\nx = 1\n```\n{TAGGED}", SPECS)
    assert (len(result.calls), result.text) == (1, "```py\nx = 1\n```")


@pytest.mark.parametrize(
    ("form", "head", "end"),
    [
        ("harmony", "<|channel|>analysis<|message|>", "<|end|>"),
        ("beam", "<|channel|>analysis<|message|>", "<|end|>"),
        ("muse_glimmer", "<|channel|>analysis<|message|>", "<|end|>"),
        ("react", "Thought: ", "\nAction: "),
    ],
)
def test_a_fenced_thought_is_read_the_same_in_pieces(form: str, head: str, end: str) -> None:
    """What stands in a fence may be text after all: nothing of it is let go before that is known."""
    spec = get_format(form)
    for after in ("", "<", end, f"{end} x\n```", f"{end}\n```\nThat is it."):
        text = f"So:\n```{head}hm{after}"
        for cut in range(1, len(text)):
            pieces = spec.parser(None)
            pieces.feed(text[:cut])
            pieces.feed(text[cut:])
            pieces.finish()
            assert pieces.result() == spec.parse(text)


@pytest.mark.parametrize(
    ("opened", "closed", "calls"),
    [
        ("````", "````", 1), ("````", "`````", 1), ("~~~", "~~~", 1), ("````", "```", 0), ("~~~~", "~~~", 0), ("```", "``", 0),
        ("```", "~~~", 0),
    ],
)  # fmt: skip
def test_a_fence_is_closed_by_as_many_signs_as_opened_it(opened: str, closed: str, calls: int) -> None:
    raw = f"{opened}\n{TAGGED}\n{TAGGED}\n{closed}"
    spec = get_format("qwen_xml")
    found = spec.parse(raw, SPECS)
    assert [call.repairs for call in found.calls] == [("fenced",)] * 2 * calls
    parser = spec.parser(SPECS)
    for char in raw:
        parser.feed(char)
    parser.finish()
    assert parser.result() == found


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("pythonic", "stop", Drawn("```json\n```python\n[⟨get_weather(city='Rome')⟩]\n```\n```", [], ["ignored mentioned get_weather: This looks like a call but it stands in a code block."], "```json\n```python\n[get_weather(city='Rome')]\n```\n```")),
        ("qwen_xml", "stop", Drawn('```xml\n⟨<tool_call>{"name": "now", "arguments": {}}</tool_call>⟩\n``````xml\n⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧\n```', [("now", {}, "")], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```xml\n<tool_call>{"name": "now", "arguments": {}}</tool_call>\n``````xml\n```')),
        ("qwen_xml", "stop", Drawn('```xml\n⟨<tool_call>{"name": "now", "arguments": {}}⟩words</tool_call>\n```', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```xml\n<tool_call>{"name": "now", "arguments": {}}words</tool_call>\n```')),
        ("bare_json", "stop", Drawn('```json\n{⟨"NAME": "get_weather", "arguments": {"city": "Rome"}}\n```⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that bare_json does not know."], '```json\n{"NAME": "get_weather", "arguments": {"city": "Rome"}}\n```')),
        ("bare_json", "stop", Drawn('```\n⟦{"name": "‹now›", "arguments": «{}»}⟧\n```\n```\n⟦{"name": "‹now›", "arguments": «{}»}⟧\n```', [("now", {}, ""), ("now", {}, "")])),
    ],
)  # fmt: skip
def test_places_of_calls_in_and_behind_fences(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("gemma_tool_code", True, Drawn("```XML\n⟨```tool_code\n```⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
        ("functionary_v2", False, Drawn("```\n<|from|>assistantassistant\n⟨<|recipient|> a\n⟩```", [], ["ignored mentioned a: This looks like a call but it stands in a code block."], "```\n<|from|>assistantassistant\n<|recipient|> a\n```")),
        ("granite", True, Drawn('I look it up.\n\n**Tool :**\n```json\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧\n```\n', [("get_weather", {"city": "Rome"}, "missing_open_tag fenced")], [], "I look it up.\n\n**Tool :**")),
    ],
)  # fmt: skip
def test_calls_in_fences_of_other_labels(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```', [("now", {}, "fenced")])),
        ("qwen_xml", Drawn('```xml\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\n```\nok', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```xml\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n```\nok')),
        ("qwen_xml", Drawn('```python\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```', [("now", {}, "fenced")])),
        ("qwen_xml", Drawn('~~~\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n~~~', [("now", {}, "fenced")])),
        ("qwen_xml", Drawn('```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "fenced")])),
        ("qwen_xml", Drawn('Like this:\n```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```', [("now", {}, "fenced")], [], "Like this:")),
        ("qwen_xml", Drawn('For example:\n```\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\n```', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], 'For example:\n```\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n```')),
        ("qwen_xml", Drawn('```\nx = 1\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\n```', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```\nx = 1\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n```')),
        ("qwen_xml", Drawn('```\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\nx = 1\n```', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\nx = 1\n```')),
        ("qwen_xml", Drawn('```\nx\n```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "```\nx\n```")),
        ("qwen_xml", Drawn('```` \n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n````', [("now", {}, "fenced")])),
        ("qwen_xml", Drawn('text ```⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩``` text', [], ["ignored mentioned now: This looks like a call but it stands in inline code."], 'text ```<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>``` text')),
        ("qwen_xml", Drawn('```json\n⟦{"name": "‹now›", "arguments": «{}»}⟧\n```', [("now", {}, "missing_open_tag missing_close_tag fenced")])),
        ("qwen_xml", Drawn('I will call:\n```json\n⟦{"name": "‹now›", "arguments": «{}»}⟧\n```', [("now", {}, "missing_open_tag missing_close_tag fenced")], [], "I will call:")),
        ("qwen_xml", Drawn('``` \n```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "``` \n```")),
        ("qwen_xml", Drawn('```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```\n```\n⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧\n```', [("now", {}, "fenced"), ("get_weather", {"city": "Rome"}, "fenced")])),
    ],
)  # fmt: skip
def test_calls_and_code_in_fences(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('```xml\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\n```\n\n⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "")], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```xml\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n```')),
        ("qwen_xml", "stop", Drawn('```xml\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```\n\n', [("now", {}, "fenced")])),
        ("qwen_xml", "stop", Drawn('```xml\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```\n```xml\n⟨<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>⟩\n```\nok', [("now", {}, "fenced")], ["ignored mentioned get_weather: This looks like a call but it stands in a code block."], '```xml\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>\n```\nok')),
        ("qwen_xml", "stop", Drawn('Look:\n```xml\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\n```\nok', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], 'Look:\n```xml\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n```\nok')),
        ("qwen_xml", "stop", Drawn('```xml\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\nok\n```', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```xml\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\nok\n```')),
        ("qwen_xml", "stop", Drawn('```\nsay ⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\n```', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```\nsay <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n```')),
        ("qwen_xml", "stop", Drawn('~~~xml\n⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩\n~~~\nok', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '~~~xml\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n~~~\nok')),
        ("qwen_xml", "stop", Drawn('```\n`⟨<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>⟩`\n```', [], ["ignored mentioned now: This looks like a call but it stands in a code block."], '```\n`<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>`\n```')),
        ("qwen_xml", "stop", Drawn('I call:\n```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```\nThen:\n```\n⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧\n```', [("now", {}, "fenced"), ("get_weather", {"city": "Rome"}, "fenced")], [], "I call:\nThen:")),
        ("qwen_xml", "stop", Drawn('```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧```', [("now", {}, "fenced")])),
        ("qwen_xml", "stop", Drawn('```bash\nls\n```\nok\n```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n```', [("now", {}, "fenced")], [], "```bash\nls\n```\nok")),
        ("qwen_xml", "stop", Drawn('```json\n{⟨"name": "get_weather", "arguments": {"city": "Rome"}\n```⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that qwen_xml does not know."], '```json\n{"name": "get_weather", "arguments": {"city": "Rome"}\n```')),
        ("qwen_xml", "stop", Drawn('```json\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag missing_close_tag fenced")])),
        ("qwen_xml", "stop", Drawn('```json\n[⟦{"name": "‹now›", "arguments": «{}»}⟧, ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧]\n```', [("now", {}, "missing_open_tag missing_close_tag fenced"), ("get_weather", {"city": "Rome"}, "missing_open_tag missing_close_tag fenced")])),
        ("qwen_xml", "stop", Drawn('```json\n⟦{"name": "‹now›", "arguments": «{}»}⟧\n⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧\n```', [("now", {}, "missing_open_tag missing_close_tag fenced"), ("get_weather", {"city": "Rome"}, "missing_open_tag missing_close_tag fenced")])),
        ("qwen_xml", "stop", Drawn('```json\n{"a": 1}\n```', [], [], '```json\n{"a": 1}\n```')),
        ("qwen_xml", "length", Drawn('```\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "fenced")])),
        ("gemma_tool_code", "stop", Drawn("⟦```tool_code\n‹now›(«»)⟧\n```", [("now", {}, "")])),
        ("gemma_tool_code", "stop", Drawn("⟦```tool_code\nprint(‹now›(«»))⟧\n```\nok", [("now", {}, "wrapper_arg")], [], "ok")),
        ("gemma_tool_code", "stop", Drawn("⟦```tool_code\n‹now›(«»)⟧", [("now", {}, "")])),
        ("gemma_tool_code", "stop", Drawn("⟦```tool_code\n‹now›(«»)⟧\n⟦‹get_weather›(«city='Rome'»)⟧\n```", [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("gemma_tool_code", "stop", Drawn("```python\n⟨now()\n```⟩", [], ["reported unknown_format now: A call of 'now' in a form that gemma_tool_code does not know."], "```python\nnow()\n```")),
        ("gemma_tool_code", "stop", Drawn("⟨```tool_code\nx = 1\n```⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("gemma_tool_code", "stop", Drawn("⟨```tool_code\n```⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
    ],
)  # fmt: skip
def test_text_behind_a_fence_and_code_in_it(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    "before", ["", "I see.\n```python\nprint(1)\n```\n", "```\n<|tool_call_begin|>x<|tool_call_end|>\n```\n"]
)
def test_behind_a_fence_calls_are_given_out_as_soon_as_elsewhere(before: str) -> None:
    parser = get_format("kimi_k2").parser(SPECS)
    one = "<|tool_call_begin|>functions.now:{}<|tool_call_argument_begin|>{{}}<|tool_call_end|>"
    events = parser.feed(f"{before}<|tool_calls_section_begin|>{one.format(0)}<|tool_call_begin|>functions.n")
    assert [event.call.name for event in events if isinstance(event, CallRead)] == ["now"]

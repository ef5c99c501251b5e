"""No attempt at a call is lost in silence: what a grammar leaves as text is told, with a place and an outcome."""

from __future__ import annotations

from functools import partial

import pytest

from tests.kit.parser_contract import TOOLS, read_cut
from tests.kit.timing import growth
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome, ParseProblem
from workbench.core.tools import ToolSpec
from workbench.formats import get_format, list_formats
from workbench.formats.kit.unread import MOST, NET_CODES, without_net

SPECS = tuple(TOOLS.values())
TEXT_FORMATS = [spec.id for spec in list_formats() if not spec.native]
UNREADABLE = [
    ("mistral_args", "[TOOL_CALLS] not json"),
    ("mistral_json", "Sure.\n[TOOL_CALLS] nothing here"),
    ("deepseek_v31", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather\ncity: Rome<｜tool▁call▁end｜><｜tool▁calls▁end｜>"),
    ("minicpm5", '<function name="get_weather"><param>Rome</param></function>'),
    ("gemma4", "<|tool_call>call:get_weather(city is Rome)<tool_call|>"),
    ("kimi_k2", "<|tool_calls_section_begin|>nothing to call."),
    ("qwen_xml", "<tool_call>get the weather</tool_call>"),
    ("functiongemma", "<start_function_call>get the weather<end_function_call>"),
    ("apertus", "<|tools_prefix|>get_weather of Rome<|tools_suffix|>"),
    ("granite", "<|tool_call|> get_weather, Rome"),
    ("lfm2", "<|tool_call_start|>get the weather<|tool_call_end|>"),
    ("command_a", "<|START_ACTION|>get the weather<|END_ACTION|>"),
]  # fmt: skip
FOREIGN = [
    '<zz:calls><zz:invoke name="get_weather"><zz:parameter name="city">Rome</zz:parameter></zz:invoke></zz:calls>',
    'get_weather{"city": "Rome"}',
    'I shall look.\nget_weather(city="Rome")',
    '{"tool_to_use": {"name": "get_weather", "arguments": {"city": Rome}}}',
    "Tool: get_weather\nArguments: city is Rome",
    "1. Action: get_weather\n2. Action Input: of the city Rome",
    "**Action** : get_weather\n**Action Input** : Rome, please",
    "<get_weather>\n<city>Rome</city>\n</get_weather>",
    "call:get_weather Rome",
    "[tool_call: get_weather for the city of Rome]",
    "get_weather(city['Rome')",
    '"{\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"Rome\\"}}"',
    "name: get_weather\narguments:\n  city: Rome",
    "&lt;get_weather&gt;\nRome\n&lt;/get_weather&gt;",
    '**Tool call:** get_weather\n\n```json\n{"city": "Rome"}\n```',
    "```tool\nTOOL_NAME: get_weather\nBEGIN_ARG: city\nRome\nEND_ARG\n```",
    '***** Suggested tool call (call_1): get_weather *****\nArguments:\n{"city": "Rome"}',
    "->get_weather<|arg|>city<|arg|>Rome",
    "GET_WEATHER{'city': 'Rome'}",
    "get\\_weather{'city': 'Rome'}",
    '@get_weather(call-1): {"city": "Rome"}',
    '{"function": {"_name": "get_weather", "city": "Rome"}}',
    'I need it. Action: get_weather Action Input: {"city": "Rome"}',
    'Thought: so.\\nAction: get_weather\\nAction Input: {"city": "Rome"}',
    "{name: get_weather, arguments: {city: Rome}}",
    "Sure.\n<get_weather />",
    "<get_weather   city   =   'Rome'   />",
    '<get_weather\n    city = "Rome"\n/>',
    "<get_weather><city>Rome</city>",
    '[Calling tool get_weather with arguments {"city": "Rome"}]',
    '[Calling tool `get_weather` with arguments: {"city": "Rome"}]',
    'get_weather\nArguments: {"city": "Rome"}',
    '**get_weather**\nParameters:\n{"city": "Rome"}',
    '\\get_weather\n{"city": "Rome"}',
    "[\\get_weather(city='Rome')]",
    '<|from|>assistant\n<|recipient|>get_weather\n<|content|>{"city": "Rome"}',
    '[[ ## next_tool_name ## ]]\nget_weather\n\n[[ ## next_tool_args ## ]]\n{"city": "Rome"}',
    "<<<[TOOL_REQUEST]>>>\ntool_name:「始」get_weather「末」,\ncity:「始」Rome「末」\n<<<[END_TOOL_REQUEST]>>>",
    'get_weather ব্যক{"city": "Rome"}',
    "functools[ get_weather of Rome ]",
    '[get_weather]\n{"city": "Rome"}\n[END_TOOL_REQUEST]',
    "get_weather\nRome, in Italy",
    '{"content": "Looking.", "tool_code": "print(1)", "tool_name": "get_weather"} Looking.',
    '{"service": "get_weather", "city": Rome}',
    "{tool_name: get_weather, server: 0, tool_args: {city: Rome}}",
    "<tool>\n<request>get_weather</request>\n<city>Rome</city>\n</tool>",
    'I\'ll look it up.\n```tool get_weather\n{"city": "Rome"}\n```\nDone.',
    "get_weather(city=find(country='Italy'))",
    "Calling tool: 'get_weather' with arguments: {'city': 'Rome'}",
    '<zz:invoke na="get_weather">\n<parameter name="city">Rome</parameter>\n</zz:invoke>',
    '<zz:invoke name"get_weather">\n<zz:parameter name="city">Rome</zz:parameter>',
    '<zz:tool_call id="0" name="get_weather"><zz:tool_param name="city">Rome</zz:tool_param></zz:tool_call>',
    "<parameter=city>\nRome\n</parameter>",
    '<x:param name="city">Rome</x:param>',
    '< name="get_weather"><param name="city">Rome</param>',
    'function name="get_weather"><param name="city">Rome</param>',
    "<=get_weather>\n<parameter=city>\nRome",
    "<get_weather>\n<city>Rome</",
    "<get_weather>\n<city",
    '@get_weather(functions.get_weather:0): {"city": ',
    '{to => "get_weather", args => {}}',
    '[TOOL_CALLS]get_weather[AR]{"city": "Rome"}',
    '<|open|>call tool=get_weather" index="1"<|sep|>Rome',
    "<|python_tag|>get_weather.call(ci=",
    "Act: get_weather\nAction Input: of Rome",
    'Action: get_weather\nAction In: {"city": "Rome"}',
    "Action: get_weather\nAction ",
    "<tool_call>get_weather<arg_keycity</arg_key>",
]
ALONE = [
    *("- now()", "1. now()", "Answer: now()", "Function call: now()", "print(now())", "TOOL_NAME: now", "Action: now", "result = now()"),
    *("```tool\nTOOL_NAME now\n```", "```toolTOOL_NAME: now\n```", "@(functions.now:0): {}"),
    *("```tool\nTOOL_NAME: now\n```", "```tool_code\nresult = now()\n```", "now()<|tool_call_end|>"),
]  # fmt: skip
ORDINARY = [
    "It is sunny in Rome, 22 degrees.",
    "I have a tool called get_weather, which tells the weather of a city.",
    "The function get_weather(city, days) needs a city (and days).",
    "```python\nresult = now()\n```",
    "Tool name: get_weather\nIt takes a city.",
    "if x <= now: pass",
    "Function: now\nReturns the time.",
    "I would use <b>get_weather</b> for that.",
    "I need the city first: then I can call get_weather(city=...) for you.",
    "Now is the time: 12:30 (noon), and now {this} is <b>bold</b>.",
    "Action: we should go.\nActions speak louder.",
    'Here is JSON: {"name": "Ada", "age": 36}',
    "The tool get_weather: it needs a city.",
    "The signature is get_weather(city=str, days=int).",
    "get_weather\nArguments: the city, in words",
    "The city is all that get_weather\nArguments: {city} takes.",
    "If you name the city, I will call get_weather(city='Rome').",
    'The result of get_weather: {"city": "Rome", "degrees": 22}',
    'I looked it up. get_weather says: mock: echo, tool: get_weather, arguments: {"city": "Rome"}',
    '| tool | arguments |\n|---|---|\n| get_weather | {"city": "Rome"} |',
]


def told(text: str, name: str) -> list[ParseProblem]:
    result = get_format(name).parse(text, SPECS, "stop")
    assert not result.calls, result.calls
    return [problem for problem in result.problems if problem.outcome is not None]


@pytest.mark.parametrize(("name", "text"), UNREADABLE)
def test_own_marker_without_a_call_is_reported(name: str, text: str) -> None:
    found = told(text, name)
    assert found
    assert found[0].outcome is Outcome.REPORTED
    assert 0 <= found[0].span.start < found[0].span.end <= len(text)


@pytest.mark.parametrize("text", FOREIGN)
def test_declared_name_in_call_shape_is_reported_by_every_format(text: str) -> None:
    for name in TEXT_FORMATS:
        result = get_format(name).parse(text, SPECS, "stop")
        reported = [problem for problem in result.problems if problem.outcome is Outcome.REPORTED]
        assert result.calls or reported, (name, text)
        assert all(problem.span.end > problem.span.start for problem in reported)


@pytest.mark.parametrize("text", ALONE)
def test_a_call_without_arguments_is_told_where_it_stands_alone(text: str) -> None:
    assert [problem.name for problem in get_format("qwen_xml").parse(text, SPECS, "stop").problems] == ["now"]


MARKERS = sorted(
    {marker for name in TEXT_FORMATS for marker, kind in get_format(name).grammar.literals().items()
     if kind in ("call", "tag", "block", "near", "token") and not marker[-1].isalnum()}
)  # fmt: skip
READERS = ("qwen_xml", "react", "bare_json", "gemma4", "llama3_json", "tool_tags", "harmony")


@pytest.mark.parametrize("behind", ["get_weather", "\nget_weather\n", " get_weather"])
@pytest.mark.parametrize("name", READERS)
def test_another_familys_marker_with_a_tools_name_behind_it_is_told(name: str, behind: str) -> None:
    assert len(MARKERS) > 80
    for marker in MARKERS:
        found = [problem for problem in told(marker + behind, name) if problem.outcome is Outcome.REPORTED]
        assert found, marker


@pytest.mark.parametrize(
    "text",
    [
        '<think>\nHm.\n<think>\n\n<function_call> {"name": "get_weather", "arguments": {"city": Rome}}',
        '<think>\nHm.\n\n<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Rome"}}]',
        '<think>\n\n<|start|>assistant<|channel|>commentary to=functions.get_weather<|message|>{"city": "Rome"}<|call|>',
    ],
)
def test_a_marked_call_at_the_end_of_open_reasoning_is_told(text: str) -> None:
    for name in ("react", "mistral_args", "qwen_xml"):
        assert [one.outcome for one in told(text, name)] == [Outcome.REPORTED]


@pytest.mark.parametrize("text", ["<tool_call>now<", "<tool_call>now</tool_call", "[TOOL_CALLS]now["])
def test_a_name_behind_a_tag_that_was_taken_out_is_told(text: str) -> None:
    (problem,) = told(text, "react")
    assert (problem.code, problem.name, problem.outcome) == ("unknown_format", "now", Outcome.REPORTED)
    assert not told("<tool_call>now is the time", "react")


@pytest.mark.parametrize("text", ORDINARY)
@pytest.mark.parametrize("name", ["qwen_xml", "react", "gemma4", "deepseek_v3", "harmony"])
def test_ordinary_text_is_no_attempt(name: str, text: str) -> None:
    assert not [problem for problem in told(text, name) if problem.outcome is Outcome.REPORTED]


@pytest.mark.parametrize(
    "text",
    [
        'Write `get_weather{"city": "Rome"}` to call it.',
        'Some text.\n```\nget_weather{"city": "Rome"}\n```\nThat was it.',
        'For example, get_weather{"city": "Rome"}',
        '> get_weather{"city": "Rome"}',
        'One writes `so: get_weather{"city": "Rome"}` there.',
        "One writes ``a ` <tool_call>`` there.",
        "The <tool_call> tag wraps JSON.",
    ],
)
def test_a_mention_is_ignored(text: str) -> None:
    found = told(text, "qwen_xml")
    assert [problem.code for problem in found] == ["mentioned"]
    assert found[0].outcome is Outcome.IGNORED


def test_what_is_left_of_an_opener_before_a_name_tells_what_the_end_marker_ends() -> None:
    (problem,) = told("Sure.\n<>now</tool_call>", "qwen_xml")
    assert (problem.code, problem.name) == ("unread_call", "now")


def test_orphan_end_marker_is_reported() -> None:
    found = told("Here you are.</tool_call>", "qwen_xml")
    assert [(problem.code, tuple(problem.span[:2])) for problem in found] == [("unread_call", (13, 25))]
    good = '<tool_call>{"name": "now", "arguments": {}}</tool_call></tool_call>'
    assert not get_format("qwen_xml").parse(good, SPECS).problems


def test_spans_point_into_the_reply() -> None:
    text = "<think>Hm.</think>\n\nOne moment. [TOOL_CALLS] get the weather"
    (found,) = told(text, "mistral_args")
    assert text[found.span.start : found.span.end] == "[TOOL_CALLS] get the weather"


def test_a_lost_call_beside_a_good_one_is_reported() -> None:
    good = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
    result = get_format("qwen_xml").parse(f'{good}\n\nget_weather{{"city": "Rome"}}', SPECS)
    assert len(result.calls) == 1
    assert [problem.code for problem in result.lost] == ["unknown_format"]
    assert result.lost[0].name == "get_weather"


def test_many_attempts_are_told_up_to_a_limit() -> None:
    text = "\n\n".join(['get_weather{"city": "Rome"}'] * (MOST * 3))
    assert len(told(text, "qwen_xml")) == MOST


def test_without_search_grammar_problems_stay() -> None:
    result = get_format("qwen_xml").parse('<tool_call>{"name": "nope"}</tool_call>\n\nget_weather{"city": 1', SPECS)
    codes = {problem.code for problem in result.problems}
    assert codes & NET_CODES
    assert {problem.code for problem in without_net(result.problems)} == codes - NET_CODES


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("functionary_v32", '>>><think>get_weather\n{"city": "x"}'),
        ("functionary_v32", '- first\n\n>>><think>get_weather\n\n{city": "x"}'),
        ("functiongemma", "<<think>start_function_callcall:get_weather{city:<escape>x<escape>}"),
        ("olmo3", "<think>\nget_weather(city"),
        ("apertus", '[<think>{"get_weather": {"city": "Rome", "days": 3}}]|tools_suffix|>'),
        ("apertus", '|tools_prefix|>[{"get_weather": {city'),
        ("apertus", '[{"get_weather": {<think>"city": "x"}}]<|tools_suffix|>'),
        ("pythonic", "[<think>get_weather(city='Rome',```\n days=3)]"),
        ("pythonic", "[get_weather{(city"),
        ("glm4_legacy", '<think>The city is known.\nget_weather\n{"city": '),
        ("glm4_legacy", '<think>get_weather\n{"city"'),
        ("glm4_legacy", 'get_weather\n}{"/think>city": "Rome", "days": 3}'),
        ("functionary_v32", '->get_weather\n{</tool_call>"city": "Rome"}'),
        ("gemma_tool_code", "```\n\nget_weather(>city='x')\n```\n```"),
        ("pythonic", "```xml\n```json\n[get_weather(city\n```\n```"),
        ("gemma_tool_code", "```xml\n```tool_code\n```"),
        ("qwen_xml", "```xml\n<tool_call></tool_call>\n```"),
    ],
)
def test_damaged_call_in_open_reasoning_is_told_in_any_cut(name: str, text: str) -> None:
    read = partial(read_cut, name, SPECS)

    whole = read(text)
    assert not whole.calls
    (problem,) = whole.problems
    assert problem.outcome is Outcome.REPORTED
    assert text[problem.span.start : problem.span.end].strip()
    assert read(*text) == whole
    assert all(read(text[:cut], text[cut:]) == whole for cut in range(1, len(text)))


@pytest.mark.parametrize(
    "text",
    [
        '<think>I could use get_weather{"city": "Rome"} for that',
        '<think>\n- get_weather{"city": "Rome"}',
        '<think>get_weather{"city": "Rome"}\n\nBut what for? I know it',
        '<think>get_weather{"city": "Rome"}</think>It rains.',
    ],
)
def test_words_about_a_call_in_reasoning_are_no_attempt(text: str) -> None:
    assert not told(text, "glm4_legacy")


@pytest.mark.parametrize(
    "words", ["I call the tool via <tool_call>:", "This uses <tool_call> syntax:", "What is <tool_call>?"]
)
def test_a_marker_at_the_end_of_a_sentence_is_only_mentioned(words: str) -> None:
    call = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
    found = get_format("qwen_xml").parse(f"{words}\n{call}", SPECS)
    assert [one.name for one in found.calls] == ["now"]
    assert [(problem.code, problem.outcome) for problem in found.problems] == [("mentioned", Outcome.IGNORED)]


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("glm4_legacy", 'get_weather\n\\{"\n\ncity": "Rome", "days": 3}'),
        ("glm4_legacy", 'get_weather\\\n{"\\city": "Rome"}'),
        ("pythonic", "get_weather(}city='"),
        ("pythonic", "[get_weather{(=<'x')]"),
        ("llama31_function", 'function=write_file>{"path>": "a/b.py"'),
        ("gemma_tool_code", "``tool_code\nwrite_file(```\npath='a', content='x"),
    ],
)
def test_arguments_behind_damage_are_told(name: str, raw: str) -> None:
    found = get_format(name).parse(raw, SPECS)
    assert not found.calls
    assert [problem.outcome for problem in found.problems] == [Outcome.REPORTED]


def test_many_tags_that_are_never_closed_are_looked_through_in_time() -> None:
    def read(size: int) -> None:
        get_format("qwen_xml").parse("<get_weather>\n<city>x</city>\n" * size, SPECS, "stop")

    assert growth(read, 2_000) < 8


@pytest.mark.parametrize("begin", ['call:get_weather({"c', "get_weather"])
def test_line_breaks_in_an_attempt_are_looked_through_in_linear_time(begin: str) -> None:
    def read(size: int) -> None:
        get_format("gemma4").parse(begin + "\n" * size, SPECS, "stop")

    assert growth(read, 4_000) < 8


def test_a_name_of_three_letters_before_a_parameter_is_a_word() -> None:
    for name, told in (("get", 0), ("find", 1)):
        tool = ToolSpec(name, "", {"type": "object", "properties": {"city": {"type": "string"}}})
        found = get_format("pythonic").parse(f"{name}city='Rome')", [tool])
        assert (len(found.calls), len(found.problems)) == (0, told)


@pytest.mark.parametrize(
    ("before", "attempt"),
    [
        ("", 'get_weather{"city": "Rome"}'),
        ("I shall look.\n", 'get_weather(city="Rome")'),
        ("<zz:calls>", '<zz:invoke name="get_weather"><zz:parameter name="city">Rome'),
        ('{"tool_to_use": {', '"name": "get_weather", "arguments": {"city": Rome}}}'),
        ("", "1. Action: get_weather\n2. Action Input: of the city Rome"),
        ("", "<get_weather>\n<city>Rome</city>\n</get_weather>"),
        ("", "&lt;get_weather&gt;\nRome\n&lt;/get_weather&gt;"),
        ("", "name: get_weather\narguments:\n  city: Rome"),
        ("Look: ", '{"tool": "get_weather"}'),
        ("Sure ", '{"x": 1, "action": "get_weather"'),
        ('I do it. {"function": ', '{"name": "get_weather"}}'),
        ("Answer: ", "now()"),
    ],
)
def test_an_attempt_is_told_from_its_first_character(before: str, attempt: str) -> None:
    text = f"A word before. Then\n{before}{attempt}"
    (problem,) = get_format("qwen_xml").parse(text, SPECS).problems
    assert text[problem.span.start :].startswith(attempt)


@pytest.mark.parametrize(
    ("form", "raw", "names"),
    [
        ("functionary_v32", '>>>get_weather\n{"city": "Rome"}, "day": 3}', [""]),
        ("gptme", '@get_weather(call-1): {"city": "Rome"}, "day": 3}', [""]),
        ("qwen_agent", '✿FUNCTION✿: get_weather\n✿ARGS✿: {"city": "Rome"}, "day": 3}', [""]),
        ("mistral_args", '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}, "day": 3}', [""]),
        ("bare_json", '{"name": "get_weather", "arguments": {"city": "Rome"}}, "day": 3}', [""]),
        ("lfm2", "<|tool_call_start|>[get_weather(city='Rome'), now)]<|tool_call_end|>", ["now"]),
        ("olmo3", "<function_calls>[get_weather(city='Rome'), now]</function_calls>", ["now"]),
        ("gemma_tool_code", "```tool_code\n[get_weather(city='Rome'), write_file path='a')]\n```", ["write_file"]),
        ("pythonic", "[get_weather(city='Rome'), now)]", ["now"]),
        ("pythonic", "[get_weather(city='Rome')], now it rains [1]", []),
        ("pythonic", "[get_weather(city='Rome')], nobody knows]", []),
        ("gptme", '@get_weather(call-1): {"city": "Rome"}, as I said', []),
    ],
)
def test_what_goes_on_directly_behind_a_call_is_told(form: str, raw: str, names: list[str]) -> None:
    found = get_format(form).parse(raw, tuple(TOOLS.values()), "stop")
    assert [call.arguments for call in found.calls] == [{"city": "Rome"}]
    assert [(problem.code, problem.name) for problem in found.problems] == [("unread_call", name) for name in names]


@pytest.mark.parametrize(
    ("form", "text"), [("glm4_legacy", "get_weather\n"), ("gptme", "@get_weather"), ("pythonic", "[get_weather"), ("tool_tags", "<get_weather")]
)  # fmt: skip
def test_a_name_that_is_all_of_a_reply_is_a_call_that_was_begun(form: str, text: str) -> None:
    (problem,) = told(text, form)
    assert (problem.code, problem.outcome, problem.name) == ("unread_call", Outcome.REPORTED, "get_weather")
    assert not told("The tool is get_weather", form)


@pytest.mark.parametrize(
    ("before", "label", "outcome"),
    [
        ("I look it up.\n\n**Tool Call:**\n", "json", Outcome.REPORTED),
        ("I will look it up.\n", "json", Outcome.REPORTED),
        ("Tool call:\n", "", Outcome.REPORTED),
        ("<think>So it is.</think>", "json", Outcome.REPORTED),
        ("Let me write a test.\n", "js", Outcome.IGNORED),
        ("The object is this\n", "json", Outcome.IGNORED),
        ("A call could look so:\n", "json", Outcome.IGNORED),
    ],
)
def test_a_code_block_that_words_announce_is_an_attempt(before: str, label: str, outcome: Outcome) -> None:
    text = f'{before}\n```{label}\n{{"name": "get_weather", "arguments": {{"city": "Rome"}}}}\n```\n'
    for name in ("mistral_json", "glm45", "kimi_k2"):
        assert [problem.outcome for problem in told(text, name)] == [outcome]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("I will look it up.\n\n```yaml\n- name: get_weather\n  args:\n    city: Rome\n```", Outcome.REPORTED),
        (
            "I will look it up.\n\n```yaml\n- name: get_weather\n  args:\n    city: Rome\n```\nSo it is.",
            Outcome.IGNORED,
        ),
        ("```js\ncall('get_weather', { city: 'Rome' });\n```", Outcome.REPORTED),
        ("```js\ncall('get_weather', { city: 'Rome' });\n```\nThat is how a client does it.", Outcome.IGNORED),
    ],
)
def test_a_code_block_that_is_all_or_the_end_may_be_the_attempt(text: str, outcome: Outcome) -> None:
    assert [problem.outcome for problem in told(text, "qwen_xml")] == [outcome]


@pytest.mark.parametrize(
    ("text", "told_of"),
    [
        ('["get_weather", "Rome"]', True), ('["get_weather", {"x": 1}]', True), ('["get_weather", "now"]', False),
        ('{"get_weather": ["Rome"]}', True), ('{"get_weather": 12}', False),
        ("[get_weather] Rome", True), ("[now] Rome", False),
        ('get_weather "Rome"', True),
        ("/get_weather Rome", True), ("/get_weather", False),
        ("<get_weather> Rome, please", True), ("<now> Rome", False),
        ('call get_weather with city = "Rome"', True), ('I call get_weather with city = "Rome".', False),
        ("get_weather is here", False),
        ("now /tmp/a", False),
        ("Calling tool `get_weather` with `{'city': 1}`", True),
        ("""{"tool_calls": "get_weather(city='Rome')"}""", True),
        ("mcp__weather__get_weather(city='Rome')", True),
        ("get_weather.run(city='Rome')", True),
        ("Outil : get_weather\nEntrée : Rome", True),
        ("I write that calling `get_weather` with `{'city': 1}` fails.", False),
    ],
)  # fmt: skip
def test_a_short_reply_that_is_a_call_or_names_a_tool(text: str, told_of: bool) -> None:
    reported = [problem.name for problem in told(text, "qwen_xml") if problem.outcome is Outcome.REPORTED]
    assert reported == ["get_weather"] * told_of


@pytest.mark.parametrize(
    ("text", "told_of"),
    [
        ('[get_weather]\n{"city": "Rome"}', True),
        ('**get_weather**\n```json\n{"city": "Rome"}\n```', True),
        ('Calling tool: get_weather with arguments: {"city": "Rome"}', True),
        ('{"name": "get_weather", "city": "Rome"}', True),
        ('**get_weather**\n```json\n{"degrees": 21}\n```', False),
        ('I called get_weather with arguments {"city": "Rome"}.', False),
        ('{"name": "get_weather", "degrees": 21}', False),
    ],
)
def test_names_above_and_beside_their_arguments_are_told(text: str, told_of: bool) -> None:
    for name in ("kimi_k2", "harmony", "mistral_args"):
        found = [one.name for one in told(text, name) if one.outcome is Outcome.REPORTED]
        assert found == ["get_weather"] * told_of, name


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("glm4_legacy", 'get_weather\n{"city": "Rome"}\nnox\n{"zone": "CET"}'),
        ("glm4_legacy", 'nox\n{"zone": "CET"}\nget_weather\n{"city": "Rome"}'),
        ("glm4_legacy", 'g}et_weather\n{"city": "Oslo"}\nget_weather\n{"city": "Rome"}'),
        ("gptme", '@get_weather(call-1): {"city": "Rome"}\n@n"ow(call-2): {"zone": "CET"}'),
        ("functionary_v32", '>>>get_weather\n{"city": "Rome"}\n>>>n|w\n{"zone": "CET"}'),
    ],
)
def test_a_damaged_name_beside_a_call_is_told(form: str, raw: str) -> None:
    found = get_format(form).parse(raw, SPECS, "stop")
    assert [call.arguments for call in found.calls] == [{"city": "Rome"}]
    assert len(found.lost) == 1
    assert not get_format(form).parse(raw.replace('"zone"', '"time"').replace('"city": "Oslo"', '"x": 1'), SPECS).lost


def test_a_reply_that_is_a_call_without_its_name_is_told() -> None:
    text = '{"arguments": {"city": "Rome"}}'
    for name in ("bare_json", "qwen_xml", "harmony"):
        (problem,) = told(text, name)
        assert (problem.code, problem.outcome, problem.span.start) == ("unknown_format", Outcome.REPORTED, 0)
        assert not told(text.replace("city", "degrees"), name)


def test_a_call_in_open_reasoning_goes_on_below_a_blank_line_of_its_object() -> None:
    tools = (ToolSpec("write_file", "", {"type": "object", "properties": {"path": {}, "content": {}}}),)
    begun = '<think>\nwrite_file\n{"path": "a.py"'
    for rest, codes in (
        ('\n\n, "content": "x"}', ["unknown_format"]),
        (',\n\n"content": "x"}', ["unknown_format"]),
        ('}\n\n"No", I said.', []),
    ):
        assert [one.code for one in get_format("functionary_v32").parse(begun + rest, tools).problems] == codes


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("glm4_legacy", 'get_weather\n{"city": "Rome"}\nnow\n}'),
        ("olmo3", "<function_calls>\nget_weather(city='Rome')\nnow)\n</function_calls>"),
        ("lfm2", "<|tool_call_start|>[get_weather(city='Rome'), now)<|tool_call_end|>"),
    ],
)
def test_a_name_behind_a_call_that_is_closed_alone_is_told(form: str, raw: str) -> None:
    found = get_format(form).parse(raw, SPECS, "stop")
    assert [call.name for call in found.calls] == ["get_weather"]
    assert [(problem.code, problem.name) for problem in found.problems] == [("unread_call", "now")]


SHELL = ToolSpec("bash", "", {"type": "object", "properties": {"command": {"type": "string"}}})


@pytest.mark.parametrize(
    "raw",
    [
        "tool: bash\ncommand: ls -la", "I will list them.\n\n**Tool:** bash\n**Command:** ls", "- tool: bash\n  command: ls -la",
        "tool = bash\ncommand = ls -la", "bash:\n  command: ls -la", '[bash]\ncommand = "ls"', '(bash :command "ls")',
    ],
)  # fmt: skip
def test_a_tool_and_its_parameter_on_lines_below_each_other_are_told(raw: str) -> None:
    for form in TEXT_FORMATS:
        found = get_format(form).parse(raw, (SHELL,), "stop")
        told = [problem for problem in found.problems if problem.outcome is Outcome.REPORTED]
        assert found.calls or [problem.name for problem in told] == ["bash"], form


@pytest.mark.parametrize(
    "raw",
    [
        "tool: bash\ncommand: string", "Tool: bash\nVersion: 5.2", "We have a tool: bash\ncommand: ls lists files.",
        "In short.\n\nbash:\n  command: ls -la", "tool: zsh\ncommand: ls",
    ],
)  # fmt: skip
def test_what_describes_a_tool_is_not_told(raw: str) -> None:
    assert get_format("qwen_xml").parse(raw, (SHELL,), "stop").problems == ()


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("bare_json", "stop", Drawn('<think><function_calls>\n⟨<invoke name="now">\n</invoke>\n</function_calls>⟩</think>', [], ["ignored mentioned now: This looks like a call but it stands in a closed reasoning block."])),
    ],
)  # fmt: skip
def test_a_call_in_a_closed_thought_is_a_mention(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("bare_json", "stop", True, Drawn("⟨TOOL: now⟩", [], ["reported unknown_format now: A call of 'now' in a form that bare_json does not know."], "TOOL: now")),
        ("react", "stop", True, Drawn("⟨Function call: now⟩", [], ["reported unknown_format now: A call of 'now' in a form that react does not know."], "Function call: now")),
        ("react", "stop", True, Drawn("Tool: no tool", [], [], "Tool: no tool")),
        ("bare_json", "stop", True, Drawn("⟨get_weather: city: Rome, please⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that bare_json does not know."], "get_weather: city: Rome, please")),
        ("bare_json", "stop", True, Drawn("⟨now: zone = CET⟩", [], ["reported unknown_format now: A call of 'now' in a form that bare_json does not know."], "now: zone = CET")),
        ("bare_json", "stop", True, Drawn("now: the time: 12", [], [], "now: the time: 12")),
        ("bare_json", "stop", True, Drawn("I look.\nnow: zone: CET", [], [], "I look.\nnow: zone: CET")),
        ("hy_v3", "stop", True, Drawn("<tool_calls>⟦<tool_call>‹now›«»<tool_sep></tool_call>⟧⟨<tool_callnow<tool_sep>⟩</tool_call></tool_calls>", [("now", {}, "")], ["reported unread_call now: A call of 'now' begins here and cannot be read."], "<tool_callnow<tool_sep>")),
        ("solar_open2", "stop", True, Drawn("⟦<|tool_call:start|>‹now›«»<|tool_call:end|>⟧\n⟨|tool_call:start|>now⟩", [("now", {}, "")], ["reported unread_call now: A call of 'now' begins here and cannot be read."], "|tool_call:start|>now")),
        ("minicpm5", "stop", True, Drawn('⟦<function name="‹now›«»"></function>⟧\n⟨function name="now">⟩</function>', [("now", {}, "")], ["reported unread_call now: A call of 'now' begins here and cannot be read."], 'function name="now">')),
        ("minicpm5", "stop", True, Drawn('⟦<function name="‹now›«»"></function>⟧\nThe function now is run.', [("now", {}, "")], [], "The function now is run.")),
        ("lfm2", "stop", True, Drawn("⟨<|python_tag|>⟩now.call()", [], ["reported unknown_format : A call in a form that lfm2 does not know."], "now.call()")),
        ("lfm2", "stop", False, Drawn("⟨<|python_tag|>⟩now.call()", [], ["reported unknown_format : A call in a form that lfm2 does not know."], "now.call()")),
        ("olmo3", "stop", False, Drawn('⟨<|python_tag|>⟩get_weather(city="Rome")', [], ["reported unknown_format : A call in a form that olmo3 does not know."], 'get_weather(city="Rome")')),
        ("gemma_tool_code", "stop", False, Drawn("⟨<|python_start|>⟩import math", [], ["reported unknown_format : A call in a form that gemma_tool_code does not know."], "import math")),
        ("pythonic", "stop", False, Drawn("<|python_tag|>[⟦‹now›(«»)⟧]", [("now", {}, "")])),
    ],
)  # fmt: skip
def test_labels_and_half_openers_that_were_silent(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("qwen_xml", "stop", True, Drawn('{⟨"n\\u0061me": "get_weather", "argum\\u0065nts": {"c\\u0069ty": "Rome"}}⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that qwen_xml does not know."], '{"n\\u0061me": "get_weather", "argum\\u0065nts": {"c\\u0069ty": "Rome"}}')),
        ("kimi_k2", "stop", True, Drawn('functions.⟨get_weather:0                                                                      {"city": "Rome"}⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that kimi_k2 does not know."], 'functions.get_weather:0                                                                      {"city": "Rome"}')),
        ("kimi_k2", "stop", True, Drawn('functions.⟨get_weather:1111111111111111111111111{"city": "Rome"}⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that kimi_k2 does not know."], 'functions.get_weather:1111111111111111111111111{"city": "Rome"}')),
    ],
)  # fmt: skip
def test_keys_with_escapes_and_long_ids_are_told(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("bare_json", "stop", True, Drawn('Let me look.\n{⟨"name": "now", "argumentsarguments": {}}⟩', [], ["reported unknown_format now: A call of 'now' in a form that bare_json does not know."], 'Let me look.\n{"name": "now", "argumentsarguments": {}}')),
        ("gemma_tool_code", "stop", True, Drawn("⟨``tool_code\nresult = now()\n```⟩", [], ["reported unknown_format now: A call of 'now' in a form that gemma_tool_code does not know."], "``tool_code\nresult = now()\n```")),
        ("gemma_tool_code", "stop", True, Drawn("``now``", [], [], "``now``")),
    ],
)  # fmt: skip
def test_doubled_keys_and_short_fences_are_told(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn("I run ⟨get_weather{'city': 'Rome'}⟩⟨</tool_call>⟩\n\nmore", [], ['reported unread_call : A marker ends a call here that was never begun.', "reported unknown_format get_weather: A call of 'get_weather' in a form that qwen_xml does not know."], "I run get_weather{'city': 'Rome'}\n\nmore")),
    ],
)  # fmt: skip
def test_an_attempt_ends_before_what_was_taken_out_behind_it(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


def test_a_marker_where_the_longest_attempt_ends_is_one_of_its_own() -> None:
    text = f"<tool_call>{'x' * 3989}<tool_call> y"
    problems = get_format("qwen_xml").parse(text, SPECS).problems
    assert [(problem.code, problem.span[:2]) for problem in problems] == [
        ("unread_call", (0, 4000)),
        ("unread_call", (4000, 4013)),
    ]


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn('Hm `⟨<tool_call>{"name": "now", "arguments": {}}</tool_call>⟩` is one.', [], ['ignored mentioned now: This looks like a call but it stands in inline code.'], 'Hm `<tool_call>{"name": "now", "arguments": {}}</tool_call>` is one.')),
        ('bare_json', Drawn('For example: ⟨{"name": "get_weather", "arguments": {"city": "Rome"}}⟩', [], ['ignored mentioned get_weather: This looks like a call but it follows “for example”.'], 'For example: {"name": "get_weather", "arguments": {"city": "Rome"}}')),
        ('pythonic', Drawn('For example: [⟨get_weather(city="Rome")⟩]', [], ['ignored mentioned get_weather: This looks like a call but it follows “for example”.'], 'For example: [get_weather(city="Rome")]')),
    ],
)  # fmt: skip
def test_what_a_grammar_told_is_not_told_once_more(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole

"""What a user may see: the polite sentence and nothing else, in every format, whole and streamed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.formats import get_format, list_formats
from workbench.formats.sanitize import StreamSanitizer, examine, leaked_markers, neutralise, sanitize, warm_up
from workbench.formats.sanitizer.marker_table import matcher

DATA = Path(__file__).parents[2] / "data" / "sanitize"
LITERALS: dict[str, Any] = json.loads((DATA / "literals.json").read_text(encoding="utf-8"))
NASTY: list[dict[str, str]] = json.loads((DATA / "nasty.json").read_text(encoding="utf-8"))["cases"]
SENTENCE: str = LITERALS["sentence"]
FORMATS: list[tuple[str, str]] = [(row["format"], row["raw"]) for row in LITERALS["literals"]]


def streamed(text: str, step: int = 1) -> str:
    stream = StreamSanitizer()
    return "".join(stream.feed(text[at : at + step]) for at in range(0, len(text), step)) + stream.finish()


def test_the_failing_turn_leaves_the_polite_sentence() -> None:
    turn = """Done. Next I'm going to delete...
    <tool_call>
    {"name":"delete_user_attribute","arguments":{"query":"qwen"}}
    </tool_call>"""
    assert sanitize(turn) == "Done. Next I'm going to delete..."
    assert streamed(turn) == "Done. Next I'm going to delete..."


@pytest.mark.parametrize(("name", "raw"), FORMATS, ids=[name for name, _ in FORMATS])
@pytest.mark.parametrize("before", ["\n", "\n\n    "])
def test_every_format_leaves_the_polite_sentence(name: str, raw: str, before: str) -> None:
    text = SENTENCE + before + raw
    assert sanitize(text) == SENTENCE
    assert streamed(text) == SENTENCE
    assert sanitize(text + "\n\nBye.") == SENTENCE + "\n\nBye."


@pytest.mark.parametrize(("name", "raw"), FORMATS, ids=[name for name, _ in FORMATS])
def test_every_cut_of_every_format_leaves_no_marker(name: str, raw: str) -> None:
    for end in range(len(raw)):
        kept = sanitize(f"{SENTENCE}\n{raw[:end]}")
        assert kept.startswith(SENTENCE)
        assert not leaked_markers(kept)


@pytest.mark.parametrize("case", NASTY, ids=[case["what"] for case in NASTY])
def test_nasty_texts(case: dict[str, str]) -> None:
    assert sanitize(case["raw"]) == case["kept"]
    assert sanitize(case["kept"]) == case["kept"]
    assert [streamed(case["raw"], step) for step in (1, 2, 7)] == [case["kept"]] * 3


@pytest.mark.parametrize(
    "raw",
    [
        "{'name': 'f', 'arguments': {'a': 'it's'}}",
        "{‘name’: ‘f’, ‘arguments’: {‘a’: ‘x’}}",
        '{"name": "f", # the tool\'s }\n "arguments": {"a": 1}}',
        '[f(a="x", # [ c\n b=2)]',
    ],
)
def test_strings_and_comments_end_where_the_parsers_end_them(raw: str) -> None:
    assert any(known.parse(raw, None).calls for known in list_formats() if not known.native)
    assert sanitize(f"Text\n{raw}") == "Text"


@pytest.mark.parametrize("count", [1, 11, 12, 13, 200, 5000])
@pytest.mark.parametrize("label", ["Action:", "**Action:", "\n*Action:"])
def test_half_a_label_goes_from_a_reply_however_far_it_is_indented(count: int, label: str) -> None:
    text = " " * count + label
    assert sanitize(text) == streamed(text) == streamed(text, count)
    assert not sanitize(text).strip()


@pytest.mark.parametrize("count", [1, 62, 63, 64, 65, 66, 90, 3000])
@pytest.mark.parametrize("space", [" ", "\n"])
def test_a_key_of_white_space_is_the_same_key_in_pieces(count: int, space: str) -> None:
    text = f'{{"{space * count}":true"name":"""arguments":'
    assert sanitize(text) == streamed(text) == streamed(text, 70)


@pytest.mark.parametrize(("opener", "closer"), [("<tool_call>", "</tool_call>"), ("<think>", "</think>")])
def test_prose_between_mentioned_tags_stays_as_the_parser_reads_it(opener: str, closer: str) -> None:
    text = f"`{opener}` opens the block, and `{closer}` ends it."
    read = get_format("qwen_xml").parse(text, ())
    assert (read.calls, read.text, read.reasoning) == ((), text, "")
    assert sanitize(text) == "`` opens the block, and `` ends it."


def test_nothing_is_taken_back_and_nothing_plain_is_kept_back() -> None:
    stream = StreamSanitizer()
    assert [stream.feed(piece) for piece in ("Hello", " wor", "ld ", "and")] == ["Hello", " wor", "ld", " and"]
    assert stream.finish() == ""


def test_text_after_an_orphan_opener_flows_in_the_end() -> None:
    assert streamed("Use <tool_call> like this. " + "More. " * 20).endswith("More. ")


def test_warming_up_compiles_the_table() -> None:
    matcher.cache_clear()
    warm_up()
    assert matcher.cache_info().misses == 1
    assert sanitize("a<tool_call>") == "a"
    assert matcher.cache_info().misses == 1


@pytest.mark.parametrize(
    "text",
    [
        "", "plain", "a < b > c", '{"a": [1, 2]}', "x[0] & y", "```py\nf(x)\n```\n", "  \n",
        "a < b && c > d; x << 3; y >> 2; List<Invoke> Map<String, List<Function>> <a@b.c> <https://x.y/z?a=1&lt=2>",
        "<p>Hello <b>world</b></p> <!-- no --> <![CDATA[x]]> <tooltip> <tool-bar> <parameters> vim: <C-w> <Esc> <leader>f",
        "Math: $a<b$, $\\{x \\mid x<3\\}$, \\[ f(x) = [g(y)] \\], A[i][j], f(x)=[g(y=1)]",
        "[link](http://a.b) [ref][1] ![img](x.png)\n- [ ] todo\n- [x] done [tool use](http://x) [function call](y)",
        ">>> import os\n>>> os.getcwd()\n'/x'\n> quote\n>> nested\n>>> deep\ntext",
        "C++: std::vector<Function> f; template <class T> void g(T&& t); #include <functional>\n## Return values\n# Title",
        "To call it, write `{\"name\": \"now\", \"arguments\": {}}` or\n\n```json\n{\"name\": \"now\", \"arguments\": {}}\n// no key\n```",
        '{"name": "Ada", "age": 36, "parameters": "none"} {"action": "click", "input": "x"} {"type": "function", "function": {"name": "f"}}',
        "Next: Action items\n- Action: call Bob\nactions: [a]\nfunctools.partial, a function call<int>(3)",
        "curl x </dev/null >out 2>&1 | cat <<EOF\nhi\nEOF",
        "def f(a: list[int], *, b: dict[str, int]) -> None: ...\n[f(a=1) for x in y]",
    ],
)  # fmt: skip
def test_ordinary_text_is_untouched(text: str) -> None:
    assert sanitize(text) == text
    assert streamed(text) == text
    assert leaked_markers(text) == ()
    assert neutralise(text) == text


def test_leaked_markers_point_at_their_characters() -> None:
    text = 'Hi <tool_call> and {"tool": "f", "args": {}}\nAction: x <'
    assert [text[span.start : span.end] for span in leaked_markers(text)] == [
        "<tool_call>", '{"tool": "f", "args": {}}', "Action:", "<",
    ]  # fmt: skip


def test_neutralised_markers_stay_visible_and_do_nothing() -> None:
    text = "A <tool_call>{}</tool_call>\nAction: x"
    shown = neutralise(text)
    assert shown == "A <\u2060tool_call>{}<\u2060/tool_call>\nA\u2060ction: x"
    assert sanitize(shown) == shown
    assert leaked_markers(shown) == ()


def test_deeply_nested_calls_are_neutralised() -> None:
    text = '{"tool": "f", "arguments": ' * 40 + "{}" + "}" * 40
    assert sanitize(neutralise(text)) == neutralise(text)


@pytest.mark.parametrize(
    ("text", "calls", "results", "thoughts", "markers"),
    [
        ("Plain. a < b", 0, 0, 0, 0),
        ('<think>hm</think>A <tool_call>{"name": "f", "arguments": {}}</tool_call> B', 1, 0, 1, 0),
        ('A <tool_call>{"name": "f", "argu', 1, 0, 0, 0),
        ('A <tool_call>{"name": "f", "arguments": {"x": 1} and I go on.', 1, 0, 0, 0),
        ("The tag <tool_call> starts a call.", 0, 0, 0, 1),
        ('{"tool": "f", "arguments": {}} and {"tool": "f", "arguments": {}}', 2, 0, 0, 0),
        ('```json\n{"tool": "f", "arguments": {}}\n```', 1, 0, 0, 0),
        ('Thought: x\nAction: f\nAction Input: {"a": 1}\nObservation: 3\nFinal Answer: 4', 1, 1, 0, 2),
        (
            "<|channel|>analysis<|message|>hm<|end|><|channel|>commentary to=functions.f<|message|>{}<|call|>",
            1,
            0,
            1,
            0,
        ),
        ("<tool_response>3</tool_response>Done.</tool_call><|im_end|>", 0, 1, 0, 2),
    ],
)
def test_removed_text_is_reported(text: str, calls: int, results: int, thoughts: int, markers: int) -> None:
    kept = sanitize(text)
    assert examine(text) == (kept, calls, results, thoughts, markers)
    stream = StreamSanitizer()
    assert "".join(map(stream.feed, text)) + stream.finish() == kept
    assert stream.taken == ("", calls, results, thoughts, markers)


@pytest.mark.parametrize("lead", ["1. ", "2) ", "- ", "* ", "+ ", "• ", "# ", "### "])
def test_labels_of_a_list_or_under_headings_go_as_a_pair(lead: str) -> None:
    text = f'Hi.\n{lead}Action: read_file\n{lead}Action Input: {{"a": 1}}'
    assert sanitize(text) == streamed(text) == "Hi."
    alone = f"Hi.\n{lead}Action: call John\n{lead}Observation: it rains"
    assert sanitize(alone) == alone


@pytest.mark.parametrize(
    "call",
    [
        '[Calling tool: get_weather]\n{"city": "Rome"}', '[Called function get_weather] {"city": "Rome"}', '[Tool Use: get_weather (ID: a1)] {"city": "Rome"}',
        'Tool: get_weather\nArguments: {"city": "Rome"}', '[Tool Use: get_weather]{"city": "Rome"}', '[Tool Use: get_weather({"city": "Rome"})]',
        '[Calling tool get_weather with arguments {"city": "Rome"}]', '[Called function `get_weather` with input: {"city": "Rome"}]',
        '***** Suggested tool call (call_1): get_weather *****\nArguments:\n{"city": "Rome"}\n***********', '@get_weather(call-1): {"city": "Rome"}',
        'Function Call: get_weather\nInput: {"city": "Rome"}', 'Tool Name: get_weather\r\nArgs: {"city": "Rome"}',
    ],
)  # fmt: skip
def test_calls_below_the_labels_of_other_programs_go_with_their_objects(call: str) -> None:
    assert sanitize(call) == streamed(call) == ""
    text = f"Hi.\n{call}\nBye."
    assert sanitize(text) == streamed(text) == "Hi.\nBye."


@pytest.mark.parametrize(
    "text", ["[Calling tool: get_weather] done", "Tool: hammer\nArguments: none", "[x] is {}"]
)  # fmt: skip
def test_such_labels_without_an_object_are_text(text: str) -> None:
    assert sanitize(text) == streamed(text) == text


def test_labels_in_small_letters_or_with_wide_colons() -> None:
    assert sanitize('Hi.\naction: read_file\naction input: {"a": 1}') == "Hi."
    assert sanitize('Hi.\nAction： read_file\nAction Input： {"a": 1}') == "Hi."
    assert sanitize("on: push\naction: deploy\nrun: x") == "on: push\naction: deploy\nrun: x"


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("Hi <｜DSML｜…", "Hi …"),
        ('Hi <｜DSML｜ invoke name="f">x</｜DSML｜ invoke>', "Hi"),
        ("Hi <｜DSML｜foo bar>x", "Hi x"),
        ("Hi <｜DSML function_calls>x</DSML｜function_calls> Bye", "Hi Bye"),
        ("Hi <｜DSML｜inv", "Hi"),
    ],
)
def test_damaged_tags_of_deepseek(raw: str, kept: str) -> None:
    assert sanitize(raw) == streamed(raw) == kept


@pytest.mark.parametrize("space", ["\r", "\x0b", "\u00a0", "\u2028", "\n \r"])
@pytest.mark.parametrize("label", ["Action", "Thought", "Action Input"])
def test_a_label_behind_odd_white_space_is_the_same_in_pieces(label: str, space: str) -> None:
    text = f'</think>{space}{label}{{"tool":"""parameter":'
    assert sanitize(text) == streamed(text) == streamed(text, 8 + len(space))

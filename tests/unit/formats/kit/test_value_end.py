"""Where a value ends that holds tags of its own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, Told, drawn, told
from workbench.core.calls import CallRead
from workbench.formats import get_format
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.value_end import bare_value, unindented

SPECS = tuple(TOOLS.values())
CALL = '<minimax:tool_call><invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">{}</parameter></invoke></minimax:tool_call>'


@pytest.mark.parametrize(
    "inside",
    [
        "a</parameter></invoke> b",
        "a</parameter></invoke> b</parameter></invoke> c",
        '<invoke name="now"></invoke>',
        '<invoke name="now"><parameter name="zone">x</parameter></invoke> and </parameter> too',
        '<minimax:tool_call><invoke name="now"></invoke></minimax:tool_call>',
        '<parameter name="path">b</parameter> c',
        'a</parameter><parameter name="mode">b</parameter> c',
        'a</invoke> as <invoke name="now"><b>this</b> shows',
        'a</invoke> as <invoke name="now">',
    ],
)
def test_tags_in_a_value_are_data(inside: str) -> None:
    (call,) = get_format("minimax_m2").parse(CALL.format(inside), SPECS).calls
    assert (call.arguments, call.repairs) == ({"path": "a", "content": inside}, ())


@pytest.mark.parametrize("inside", ['say <invoke name="now">', "a <minimax:tool_call> b"])
def test_mentioned_tag_ends_no_value(inside: str) -> None:
    (call,) = get_format("minimax_m2").parse(CALL.format(inside) + " Done.", SPECS).calls
    assert call.arguments == {"path": "a", "content": inside}


def test_text_inside_the_block_does_not_join_the_value() -> None:
    raw = CALL.format("x").replace("</minimax", " more </minimax")
    (call,) = get_format("minimax_m2").parse(raw, SPECS).calls
    assert call.arguments == {"path": "a", "content": "x"}


def test_a_cut_reply_completes_nothing() -> None:
    raw = CALL.format("a</parameter></invoke> b").partition(" b")[0] + " b"
    assert not get_format("minimax_m2").parse(raw, SPECS, "length").calls
    assert get_format("minimax_m2").parse(raw, SPECS).calls


def test_call_is_emitted_when_the_next_begins() -> None:
    parser = get_format("minimax_m2").parser(SPECS)
    one = '<invoke name="now"><parameter name="zone">CET</parameter></invoke>'
    events = parser.feed(f'<minimax:tool_call>{one}<invoke name="')
    assert [event.call.name for event in events if isinstance(event, CallRead)] == ["now"]
    parser.feed('now"></invoke></minimax:tool_call>')
    parser.finish()
    assert len(parser.result().calls) == 2


def test_a_parameter_without_its_key_is_not_taken_into_the_value_before() -> None:
    found = get_format("minimax_m2").parse(CALL.format("b</parameter>\n<parameter>5"), SPECS)
    assert not found.calls
    (problem,) = found.problems
    assert (problem.code, problem.name) == ("bad_json", "write_file")


def test_a_value_may_hold_such_tags_as_its_own() -> None:
    inside = "<all><parameter>1</parameter>\n<parameter>2</parameter></all>"
    (call,) = get_format("minimax_m2").parse(CALL.format(inside), SPECS).calls
    assert call.arguments["content"] == inside


def test_a_value_loses_the_blanks_of_its_tags_line() -> None:
    assert unindented("\n  a\n    b\n\n  c\n  ", "  ") == "a\n  b\n\nc"
    assert unindented("\n    a\n  ", "  ") == "a"
    assert unindented("\na\n  ", "  ") is None
    assert unindented("\n  a\n b\n  ", "  ") is None
    assert unindented("\n  a\n", "  ") is None
    assert unindented("\n  a\n", "") is None


def test_newlines_of_windows_are_layout_at_both_sides_alone() -> None:
    assert bare_value("\r\na\r\n") == "a"
    assert bare_value("\r\na") == "\r\na"
    assert bare_value("\na\r\n") == "a\r"


def test_tags_are_weighed_until_too_much_was_walked_in_vain() -> None:
    inside = "a</parameter></invoke> b"
    raw = CALL.format(inside)
    limit = 65_536 + 4 * raw.index(inside)
    for wasted, read in ((limit, inside), (limit + 1, "a")):
        parser = get_format("minimax_m2").parser(SPECS)
        assert isinstance(parser, Scanner)
        parser.wasted = wasted
        parser.feed(raw)
        parser.finish()
        (call,) = parser.result().calls
        assert call.arguments["content"] == read


def test_unclosed_value_before_a_second_call_that_is_cut_off() -> None:
    raw = CALL.format('see</invoke> as <invoke name="now">').partition("</parameter></invoke></minimax")[0]
    calls = get_format("minimax_m2").parse(raw, SPECS).calls
    assert [(call.name, call.arguments) for call in calls] == [
        ("write_file", {"path": "a", "content": "see"}),
        ("now", {}),
    ]


TAG = "<tool_call>\n"
A = "<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n"
Z = "\n</parameter>\n</function>\n</tool_call>"
INVOKE = '<minimax:tool_call><invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">'
E = "</parameter></invoke></minimax:tool_call>"


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("qwen3_coder_xml", f"{TAG}{A}x{Z}", Told([("write_file", {"path": "a", "content": "x"}, "", f"{TAG}{A}x{Z}")])),
        ("qwen3_coder_xml", f"{TAG}{A}  x\n y{Z}", Told([("write_file", {"path": "a", "content": "  x\n y"}, "", f"{TAG}{A}  x\n y{Z}")])),
        ("qwen3_coder_xml", f"{TAG}{A}x</parameter>y{Z}", Told([("write_file", {"path": "a", "content": "x</parameter>y"}, "", f"{TAG}{A}x</parameter>y{Z}")])),
        ("qwen3_coder_xml", f"{TAG}{A}<b>x</b>{Z}", Told([("write_file", {"path": "a", "content": "<b>x</b>"}, "", f"{TAG}{A}<b>x</b>{Z}")])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n</function>\n</tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value", f"{TAG}{A}x\n</function>\n</tool_call>")])),
        ("qwen3_coder_xml", f"{TAG}{A}x</tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value", f"{TAG}{A}x</tool_call>")])),
        ("qwen3_coder_xml", f"{TAG}{A}x", Told([], "", [("truncated", "write_file", "The call of 'write_file' is cut off.")])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n</parameter>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag", f"{TAG}{A}x\n</parameter>")])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n</parameter>\n</function>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag", f"{TAG}{A}x\n</parameter>\n</function>")])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n<parameter=path>\nb{Z}", Told([("write_file", {"path": "a", "content": "x\n<parameter=path>\nb"}, "", f"{TAG}{A}x\n<parameter=path>\nb{Z}")])),
        ("qwen3_coder_xml", f'{TAG}{A}x\n</parameter>\n<parameter=tags>\n["a"]{Z}', Told([("write_file", {"path": "a", "content": "x", "tags": ["a"]}, "", f'{TAG}{A}x\n</parameter>\n<parameter=tags>\n["a"]{Z}')])),
        ("qwen3_coder_xml", f"{TAG}{A}a <function=now> b{Z}", Told([("write_file", {"path": "a", "content": "a <function=now> b"}, "", f"{TAG}{A}a <function=now> b{Z}")])),
        ("qwen3_coder_xml", f"{TAG}{A}{TAG}<function=now>\n</function>\n</tool_call>{Z}", Told([("write_file", {"path": "a", "content": f"{TAG}<function=now>\n</function>\n</tool_call>"}, "", f"{TAG}{A}{TAG}<function=now>\n</function>\n</tool_call>{Z}")])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n</param>\n</function>\n</tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value near_miss_tag", f"{TAG}{A}x\n</param>\n</function>\n</tool_call>")])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n</Parameter>\n</function>\n</tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "", f"{TAG}{A}x\n</Parameter>\n</function>\n</tool_call>")])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n</parameter\n</function>\n</tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value near_miss_tag", f"{TAG}{A}x\n</parameter\n</function>\n</tool_call>")])),
        ("qwen3_coder_xml", f'{TAG}{A}{{"a": "</parameter>"}}{Z}', Told([("write_file", {"path": "a", "content": '{"a": "</parameter>"}'}, "", f'{TAG}{A}{{"a": "</parameter>"}}{Z}')])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n</parameter>\nloose words\n</function>\n</tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "text_around", f"{TAG}{A}x\n</parameter>\nloose words\n</function>\n</tool_call>")])),
        ("qwen3_coder_xml", f"{TAG}{A}{Z}", Told([("write_file", {"path": "a", "content": ""}, "", f"{TAG}{A}{Z}")])),
        ("qwen3_coder_xml", f"{TAG}{A}x\n</parameter></function></tool_call> Done.", Told([("write_file", {"path": "a", "content": "x"}, "", f"{TAG}{A}x\n</parameter></function></tool_call>")], "Done.")),
        ("minimax_m2", f"{INVOKE}x{E}", Told([("write_file", {"path": "a", "content": "x"}, "", f"{INVOKE}x{E}")])),
        ("minimax_m2", f"{INVOKE}x</parameter></invoke>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag", f"{INVOKE}x</parameter></invoke>")])),
        ("minimax_m2", f"{INVOKE}x</parameter>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag", f"{INVOKE}x</parameter>")])),
        ("minimax_m2", f"{INVOKE}x", Told([], "", [("truncated", "write_file", "The call of 'write_file' is cut off.")])),
        ("minimax_m2", f"{INVOKE}x</invoke></minimax:tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value", f"{INVOKE}x</invoke></minimax:tool_call>")])),
        ("minimax_m2", f"{INVOKE}x</minimax:tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value", f"{INVOKE}x</minimax:tool_call>")])),
        ("minimax_m2", f"{INVOKE}x</parameter> y{E}", Told([("write_file", {"path": "a", "content": "x</parameter> y"}, "", f"{INVOKE}x</parameter> y{E}")])),
        ("minimax_m2", f"{INVOKE}x</parameter></invoke> y{E}", Told([("write_file", {"path": "a", "content": "x</parameter></invoke> y"}, "", f"{INVOKE}x</parameter></invoke> y{E}")])),
        ("minimax_m2", f'{INVOKE}<invoke name="now"></invoke>{E}', Told([("write_file", {"path": "a", "content": '<invoke name="now"></invoke>'}, "", f'{INVOKE}<invoke name="now"></invoke>{E}')])),
        ("minimax_m2", f'{INVOKE}x</parameter><parameter name="tags">["t"]{E}', Told([("write_file", {"path": "a", "content": "x", "tags": ["t"]}, "", f'{INVOKE}x</parameter><parameter name="tags">["t"]{E}')])),
        ("minimax_m2", f'{INVOKE}x<parameter name="tags">["t"]{E}', Told([("write_file", {"path": "a", "content": "x", "tags": ["t"]}, "missing_close_tag open_value", f'{INVOKE}x<parameter name="tags">["t"]{E}')])),
        ("minimax_m2", f'{INVOKE}x</parameter><parameter name="of_nobody">1{E}', Told([("write_file", {"path": "a", "content": "x", "of_nobody": "1"}, "", f'{INVOKE}x</parameter><parameter name="of_nobody">1{E}')])),
        ("minimax_m2", f"{INVOKE}x</param></invoke></minimax:tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value near_miss_tag", f"{INVOKE}x</param></invoke></minimax:tool_call>")])),
        ("minimax_m2", f"{INVOKE}  x  {E}", Told([("write_file", {"path": "a", "content": "  x  "}, "", f"{INVOKE}  x  {E}")])),
        ("minimax_m2", f'{INVOKE}{{"k": 1}}{E}', Told([("write_file", {"path": "a", "content": '{"k": 1}'}, "", f'{INVOKE}{{"k": 1}}{E}')])),
        ("minimax_m2", f"{INVOKE}x&lt;y{E}", Told([("write_file", {"path": "a", "content": "x&lt;y"}, "", f"{INVOKE}x&lt;y{E}")])),
        ("minimax_m2", f'{INVOKE}x</parameter></invoke><invoke name="now"></invoke></minimax:tool_call>', Told([("write_file", {"path": "a", "content": "x"}, "", f"{INVOKE}x</parameter></invoke>"), ("now", {}, "", '<invoke name="now"></invoke></minimax:tool_call>')])),
        ("minimax_m2", f"{INVOKE}x{E} and </parameter> more", Told([("write_file", {"path": "a", "content": "x"}, "", f"{INVOKE}x{E}")], "and more")),
    ],
)  # fmt: skip
def test_where_a_value_ends_and_what_is_said_of_it(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


NESTED = '<invoke name="now"><parameter name="zone">x</parameter></invoke>'


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("minimax_m2", f"{INVOKE}{NESTED}{E}", Told([("write_file", {"path": "a", "content": NESTED}, "", f"{INVOKE}{NESTED}{E}")])),
        ("minimax_m2", f"{INVOKE}\n{NESTED}{E}", Told([("write_file", {"path": "a", "content": f"\n{NESTED}"}, "", f"{INVOKE}\n{NESTED}{E}")])),
        ("minimax_m2", f"{INVOKE}x\n{NESTED}\n{E}", Told([("write_file", {"path": "a", "content": f"x\n{NESTED}\n"}, "", f"{INVOKE}x\n{NESTED}\n{E}")])),
        ("minimax_m2", f"{INVOKE}<minimax:tool_call>{NESTED}</minimax:tool_call>{E}", Told([("write_file", {"path": "a", "content": f"<minimax:tool_call>{NESTED}</minimax:tool_call>"}, "", f"{INVOKE}<minimax:tool_call>{NESTED}</minimax:tool_call>{E}")])),
        ("minimax_m2", f"{INVOKE}<minimax:tool_call>{NESTED}{E}", Told([("write_file", {"path": "a", "content": f"<minimax:tool_call>{NESTED}"}, "", f"{INVOKE}<minimax:tool_call>{NESTED}{E}")])),
        ("minimax_m2", f"{INVOKE}\n{NESTED}</minimax:tool_call>", Told([("write_file", {"path": "a", "content": ""}, "missing_close_tag open_value", f"{INVOKE}\n"), ("now", {"zone": "x"}, "", f"{NESTED}</minimax:tool_call>")])),
        ("minimax_m2", f"{INVOKE}x{E}<minimax:tool_call>{NESTED}</minimax:tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "", f"{INVOKE}x{E}"), ("now", {"zone": "x"}, "", f"<minimax:tool_call>{NESTED}</minimax:tool_call>")])),
        ("minimax_m2", f"{INVOKE}x</parameter></invoke>{NESTED}</minimax:tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "", f"{INVOKE}x</parameter></invoke>"), ("now", {"zone": "x"}, "", f"{NESTED}</minimax:tool_call>")])),
        ("minimax_m2", f"{INVOKE}x</parameter></invok></minimax:tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "near_miss_tag", f"{INVOKE}x</parameter></invok></minimax:tool_call>")])),
        ("minimax_m2", f"{INVOKE}x</parameter></invoke_></minimax:tool_call>", Told([("write_file", {"path": "a", "content": "x"}, "near_miss_tag", f"{INVOKE}x</parameter></invoke_></minimax:tool_call>")])),
        ("minimax_m2", f"{INVOKE}x</parameter></zzz></minimax:tool_call>", Told([("write_file", {"path": "a", "content": "x</parameter></zzz>"}, "missing_close_tag open_value", f"{INVOKE}x</parameter></zzz></minimax:tool_call>")], "", [("absorbed_parameter", "write_file", "The argument 'content' of 'write_file' swallowed its own closing tag.")])),
        ("minimax_m2", f"{INVOKE}x</parameter>\n</invoke>\n</minimax:tool_call>\nDone.", Told([("write_file", {"path": "a", "content": "x"}, "", f"{INVOKE}x</parameter>\n</invoke>\n</minimax:tool_call>")], "Done.")),
        ("minimax_m2", f"{INVOKE}x</parameter></invoke> </minimax:tool_", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag", f"{INVOKE}x</parameter></invoke> </minimax:tool_")])),
        ("minimax_m2", f"{INVOKE}x</parameter></inv", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag", f"{INVOKE}x</parameter></inv")])),
        ("minimax_m2", f"{INVOKE}x</param", Told([("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value", f"{INVOKE}x</param")])),
        ("minimax_m2", f"{INVOKE}x</", Told([], "", [("truncated", "write_file", "The call of 'write_file' is cut off.")])),
        ("minimax_m2", f"{INVOKE}x <", Told([], "", [("truncated", "write_file", "The call of 'write_file' is cut off.")])),
        ("minimax_m2", f"{INVOKE}x</parameter>y</parameter>z{E}", Told([("write_file", {"path": "a", "content": "x</parameter>y</parameter>z"}, "", f"{INVOKE}x</parameter>y</parameter>z{E}")], "", [("absorbed_parameter", "write_file", "The argument 'content' of 'write_file' swallowed its own closing tag.")])),
        ("minimax_m2", f'{INVOKE}x</parameter><parameter name="odd">y{E}', Told([("write_file", {"path": "a", "content": "x", "odd": "y"}, "", f'{INVOKE}x</parameter><parameter name="odd">y{E}')])),
        ("minimax_m2", f'{INVOKE}x</parameter><parameter name="odd">y', Told([], "", [("truncated", "write_file", "The call of 'write_file' is cut off.")])),
        ("minimax_m2", f'{INVOKE}x</parameter> <parameter name="tags">["t"]</parameter> </invoke></minimax:tool_call>', Told([("write_file", {"path": "a", "content": "x", "tags": ["t"]}, "", f'{INVOKE}x</parameter> <parameter name="tags">["t"]</parameter> </invoke></minimax:tool_call>')])),
        ("minimax_m2", f'{INVOKE}x</parameter><tags>["t"]</tags></invoke></minimax:tool_call>', Told([("write_file", {"path": "a", "content": "x", "tags": ["t"]}, "near_miss_tag", f'{INVOKE}x</parameter><tags>["t"]</tags></invoke></minimax:tool_call>')])),
        ("minimax_m2", f'{INVOKE}<parameter name="tags">["t"]</parameter>{E}', Told([("write_file", {"path": "a", "content": "", "tags": ["t"]}, "missing_close_tag open_value near_miss_tag", f'{INVOKE}<parameter name="tags">["t"]</parameter>{E}')])),
        ("minimax_m2", f'{INVOKE}a <invoke name="now">\n b{E}', Told([("write_file", {"path": "a", "content": 'a <invoke name="now">\n b'}, "", f'{INVOKE}a <invoke name="now">\n b{E}')])),
        ("minimax_m2", f'{INVOKE}a <invoke name="now"> b</parameter></invoke> c{E}', Told([("write_file", {"path": "a", "content": 'a <invoke name="now"> b</parameter></invoke> c'}, "", f'{INVOKE}a <invoke name="now"> b</parameter></invoke> c{E}')])),
        ("minimax_m2", f"{INVOKE}a </invoke> b </invoke> c{E}", Told([("write_file", {"path": "a", "content": "a </invoke> b </invoke> c"}, "", f"{INVOKE}a </invoke> b </invoke> c{E}")])),
        ("minimax_m2", f"{INVOKE}a </minimax:tool_call> b{E}", Told([("write_file", {"path": "a", "content": "a </minimax:tool_call> b"}, "", f"{INVOKE}a </minimax:tool_call> b{E}")])),
    ],
)  # fmt: skip
def test_values_that_hold_calls_and_what_may_follow_them(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


@pytest.mark.parametrize(
    ("text", "lines", "value"),
    [
        ("a", False, "a"), ("\na\n", False, "a"), ("\na", False, "\na"), ("a\n", False, "a\n"), ("\n\na\n\n", False, "\na\n"),
        ("\r\na\r\n", False, "a"), ("\na", True, "a"), ("a\n", True, "a"), ("\r\na", True, "a"), ("a", True, "a"), ("", False, ""), ("\n", False, ""),
        ("\u200b\na\n\u200b", False, "a"), ("\u00a0\na\n\u00a0", False, "a"), ("\u200ba\u200b", False, "\u200ba\u200b"),
        ("\u00a0a", False, "\u00a0a"), ("<![CDATA[a]]>\u200b", False, "<![CDATA[a]]>"),
    ],
)  # fmt: skip
def test_which_newlines_are_layout(text: str, lines: bool, value: str) -> None:
    assert bare_value(text, lines=lines) == value


@pytest.mark.parametrize(
    ("text", "indent", "value"),
    [
        ("\n\ta\n\t", "\t", "a"), ("\n  a  \n  ", "  ", "a"), ("\n  a\n  b\n  ", "  ", "a\nb"),
        ("  a\n  ", "  ", None), ("\n  a", "  ", None), ("\n  a\n\n  ", "  ", "a\n"),
    ],
)  # fmt: skip
def test_blanks_that_the_tags_line_begins_with_are_layout(text: str, indent: str, value: str | None) -> None:
    assert unindented(text, indent) == value


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("seed_oss", "stop", Drawn("⟦<seed:tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome\n</parameter>\nparameter=days>3</parameter>»\n</function>\n</seed:tool_call>⟧", [("get_weather", {"city": "Rome\n", "days": 3}, "near_miss_tag")])),
    ],
)  # fmt: skip
def test_a_bent_tag_on_its_line_begins_the_next_value(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter>»</invoke></minimax:tool_call>⟧ ok', [("write_file", {"path": "a", "content": "x"}, "")], [], "ok")),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a</parameter> b</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "a</parameter> b"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a</parameter></invoke> b</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "a</parameter></invoke> b"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a</parameter>»</invoke></minimax:tool_call>⟧ b</parameter></invoke></minimax:tool_call>', [("write_file", {"path": "a", "content": "a"}, "")], [], "b")),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a</invoke> b</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "a</invoke> b"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a</minimax:tool_call> b</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "a</minimax:tool_call> b"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">\nx\n</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">\r\nx\r\n</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x\n</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x\n"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content"><parameter name="zone">b</parameter> c</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": '<parameter name="zone">b</parameter> c'}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a <invoke name="now"> b</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": 'a <invoke name="now"> b'}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a <invoke name="now"></invoke> b</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": 'a <invoke name="now"></invoke> b'}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a\n<invoke name="now"></invoke>\nb</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": 'a\n<invoke name="now"></invoke>\nb'}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x»</minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter>»</invoke>⟧', [("write_file", {"path": "a", "content": "x"}, "missing_close_tag")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter>»⟧', [("write_file", {"path": "a", "content": "x"}, "missing_close_tag")])),
        ("minimax_m2", "stop", Drawn('⟨<minimax:tool_call><invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">x⟩', [], ["reported truncated write_file: The call of 'write_file' is cut off."])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x»</par⟧', [("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x»</invoke>⟧', [("write_file", {"path": "a", "content": "x"}, "missing_close_tag open_value")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter>»</invok></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, "near_miss_tag")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">⟨«<parameter name="path">a</parameter><parameter name="content">x</parameter></function>»⟩</minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x</parameter></function>"}, "missing_close_tag open_value")], ["- absorbed_parameter write_file: The argument 'content' of 'write_file' swallowed its own closing tag."])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter>»</invoke>⟧⟦<invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">y</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, ""), ("write_file", {"path": "a", "content": "y"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter>»⟧⟦<invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">y</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, "missing_close_tag"), ("write_file", {"path": "a", "content": "y"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter><parameter name="mode">z</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x", "mode": "z"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter><parameter name="mode">z»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x", "mode": "z"}, "missing_close_tag open_value")])),
        ("minimax_m2", "stop", Drawn('⟨<minimax:tool_call><invoke name="write_file"><parameter>a</parameter><parameter name="content">x</parameter></invoke></minimax:tool_call>⟩', [], ["reported bad_json write_file: The call of 'write_file' holds something else than parameters."])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">say <parameter> here</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "say <parameter> here"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">x</parameter>»</invoke></minimax:tool_call>⟧⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">y</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": "x"}, ""), ("write_file", {"path": "a", "content": "y"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹write_file›">«<parameter name="path">a</parameter><parameter name="content">a <minimax:tool_call><invoke name="now"></invoke></minimax:tool_call> b</parameter>»</invoke></minimax:tool_call>⟧', [("write_file", {"path": "a", "content": 'a <minimax:tool_call><invoke name="now"></invoke></minimax:tool_call> b'}, "")])),
        ("minimax_m2", "length", Drawn('⟨<minimax:tool_call><invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">x</parameter>⟩', [], ["reported truncated write_file: The call of 'write_file' is cut off."])),
        ("minimax_m2", "length", Drawn('⟨<minimax:tool_call><invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">a</parameter> b⟩', [], ["reported truncated write_file: The call of 'write_file' is cut off."])),
        ("minimax_m2", "stop", Drawn('⟨<minimax:tool_call><invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">a</parameter> b⟩', [], ["reported truncated write_file: The call of 'write_file' is cut off."])),
    ],
)  # fmt: skip
def test_values_that_hold_tags(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("text", "lines", "found"),
    [
        ("a", True, "a"),
        ("a", False, "a"),
        ("\na\n", True, "a"),
        ("\na\n", False, "a"),
        ("\na", True, "a"),
        ("\na", False, "\na"),
        ("a\n", True, "a"),
        ("a\n", False, "a\n"),
        ("\n\na\n\n", True, "\na\n"),
        ("\n\na\n\n", False, "\na\n"),
        ("\r\na\r\n", True, "a"),
        ("\r\na\r\n", False, "a"),
        ("\r\na\n", True, "a"),
        ("\r\na\n", False, "a"),
        ("\n", True, ""),
        ("\n", False, ""),
        ("", True, ""),
        ("", False, ""),
        ("\n\n", True, ""),
        ("\n\n", False, ""),
        ("\u00a0\na\n", True, "a"),
        ("\u00a0\na\n", False, "a"),
        ("\na\n\u200b", True, "a"),
        ("\na\n\u200b", False, "a"),
        ("\u00a0a", True, "\u00a0a"),
        ("\u00a0a", False, "\u00a0a"),
        ("a\u200b", True, "a\u200b"),
        ("a\u200b", False, "a\u200b"),
        ("<![CDATA[a]]>\u200b", True, "<![CDATA[a]]>"),
        ("<![CDATA[a]]>\u200b", False, "<![CDATA[a]]>"),
        ("\ufeff\r\na\r\n", True, "a"),
        ("\ufeff\r\na\r\n", False, "a"),
    ],
)  # fmt: skip
def test_values_without_their_layout(text: str, lines: bool, found: Any) -> None:
    assert repr(bare_value(text, lines=lines)) == repr(found)


@pytest.mark.parametrize(
    ("text", "indent", "found"),
    [
        ("\n  a\n  ", "  ", "a"),
        ("\n  a\n    b\n\n  c\n  ", "  ", "a\n  b\n\nc"),
        ("\n  a\n b\n  ", "  ", None),
        ("\n  a\n", "  ", None),
        ("a\n  ", "  ", None),
        ("\n  a\n  ", "", None),
        ("\n    a  \n  ", "  ", "a"),
        ("\n\ta\n\t", "\t", "a"),
        ("\n  \n  ", "  ", ""),
    ],
)  # fmt: skip
def test_values_without_the_blanks_of_their_line(text: str, indent: str, found: Any) -> None:
    assert repr(unindented(text, indent)) == repr(found)


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen3_coder_xml', Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>a <tool_call> b </tool_call> c</parameter>»\n</function>\n</tool_call>⟧', [('get_weather', {'city': 'a <tool_call> b </tool_call> c'}, '')])),
    ],
)  # fmt: skip
def test_blocks_that_end_and_begin_in_a_value(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


def test_a_block_that_ends_twice_before_the_next_one_begins_is_left() -> None:
    raw = "<tool_call>\n<function=get_weather>\n<parameter=city></tool_call><tool_call><function=now></parameter>\n</function>\n</tool_call>"
    first, second = get_format("qwen3_coder_xml").parse(raw, SPECS).calls
    assert (first.name, first.arguments, first.span[:2]) == (
        "get_weather",
        {"city": ""},
        (0, raw.rindex("<tool_call>")),
    )
    assert second.name == "now"


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen3_coder_xml', Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome»</function>⟧⟨<function=⟩</parameter>\n</function>\n</tool_call>', [('get_weather', {'city': 'Rome'}, 'missing_close_tag open_value')], ['reported unread_call : A call begins here and cannot be read.'], '<function=')),
    ],
)  # fmt: skip
def test_a_tag_of_a_call_that_breaks_off_begins_one(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole

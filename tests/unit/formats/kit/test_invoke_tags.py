from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.kit.parser_contract import read_cut
from tests.kit.whole_reading import Drawn, Told, drawn, told
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats import get_format
from workbench.formats.kit.invoke_tags import Objects, as_text, flagged_writer, invoke_shape, with_short_closes, writer

CALL = ParsedCall("now", {"zone": "CET", "n": 3}, "", Outcome.STRICT, (), Span(0, 0), Span(0, 0), Span(0, 0), "x")


def test_words_before_the_first_call_of_a_block_are_a_repair() -> None:
    block = '<minimax:tool_call>{}<invoke name="now"></invoke></minimax:tool_call>'
    for said, repairs in (("", ()), ("\n", ()), ("I look it up.\n", ("text_around",))):
        result = get_format("minimax_m2").parse(block.format(said), None)
        assert [(call.name, call.repairs) for call in result.calls] == [("now", repairs)]
        assert (result.text, result.problems) == ("", ())


def test_values_as_they_stand_between_tags() -> None:
    assert (as_text("a"), as_text(3), as_text(None), as_text(["ü"])) == ("a", "3", "null", '["ü"]')


def test_writers() -> None:
    text = writer("<b>", "</b>", "ns:", "")([CALL])
    assert text == (
        '<b><ns:invoke name="now"><ns:parameter name="zone">CET</ns:parameter>'
        '<ns:parameter name="n">3</ns:parameter></ns:invoke></b>'
    )
    flagged = flagged_writer("calls", "x")([CALL])
    assert '<xparameter name="zone" string="true">CET' in flagged
    assert '<xparameter name="n" string="false">3' in flagged


def test_a_shape_takes_its_own_and_lost_namespaces() -> None:
    shape = invoke_shape("ns:", ("",), {"<b>": "</b>"})
    assert shape.call_open.match('<invoke name="now">')
    assert shape.call_exact.match('<ns:invoke name="now">')
    assert not shape.call_exact.match('<invoke name="now">')


@pytest.mark.parametrize("name", ["anthropic_xml", "minimax_m2", "deepseek_dsml", "gigachat35", "muse_glimmer"])
def test_a_tag_that_closes_itself_is_a_call(name: str) -> None:
    opener, closer = get_format(name).render_call(CALL).split("\n", 1)[0], ""
    space = get_format(name).grammar.shape.call_starts[0].removesuffix("invoke ").removeprefix("<")  # type: ignore[attr-defined]
    (call,) = get_format(name).parse(f'{opener}<{space}invoke name="now"/>{closer}').calls
    assert (call.name, call.arguments, call.outcome) == ("now", {}, Outcome.RECOVERED)


TAGGED = ("anthropic_xml", "minimax_m2", "deepseek_dsml", "gigachat35", "muse_glimmer", "step3", "minicpm5", "dots")


@pytest.mark.parametrize("name", TAGGED)
@pytest.mark.parametrize("key", ["x>y", "x<y", "a>b>c", "it's", "a > b"])
def test_an_attribute_ends_at_its_quote_wherever_the_reply_is_cut(name: str, key: str) -> None:
    spec = get_format(name)
    raw = spec.render_call(CALL._replace(arguments={key: "1", "z": "2"}))

    read = partial(read_cut, name, None)

    whole = read(raw)
    assert [(call.name, call.arguments, call.outcome) for call in whole.calls] == [
        ("now", {key: "1", "z": "2"}, Outcome.STRICT)
    ]
    assert read(*raw) == whole
    assert all(read(raw[:cut], raw[cut:]) == whole for cut in range(1, len(raw)))


@pytest.mark.parametrize("name", TAGGED)
@pytest.mark.parametrize(("old", "new"), [('"z">', '"z>'), ('"z">', 'z">'), ('"z"', '"z"y"')])
def test_an_attribute_whose_quote_is_lost_is_never_strict(name: str, old: str, new: str) -> None:
    spec = get_format(name)
    raw = spec.render_call(CALL._replace(arguments={"z": "2"})).replace(' string="true"', "")
    assert old in raw
    (call,) = spec.parse(raw.replace(old, new), None, "stop").calls
    assert (call.arguments, call.outcome) == ({"z": "2"}, Outcome.RECOVERED)


@pytest.mark.parametrize("name", ["qwen3_coder_xml", "seed_oss"])
def test_a_parameter_in_quotes_and_one_whose_tag_cannot_be_read(name: str) -> None:
    spec = get_format(name)
    raw = spec.render_call(CALL._replace(arguments={"zone": "1"}))
    (call,) = spec.parse(raw.replace("=zone>", '="x>y">'), None, "stop").calls
    assert call.arguments == {"x>y": "1"}
    broken = spec.parse(raw.replace("=zone>", "=it's>"), None, "stop")
    assert not broken.calls
    assert [problem.code for problem in broken.problems] == ["bad_json"]


@pytest.mark.parametrize("closer", ["</invoke>", "</parameter>", "</function_calls>"])
def test_a_closing_tag_without_an_opening_one_is_no_text_for_people(closer: str) -> None:
    found = get_format("anthropic_xml").parse(f"Hi {closer} there")
    assert (found.text, found.calls) == ("Hi there", ())


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("anthropic_xml", '<function_calls>\n<invoke name="now">\n</invoke>\n</function_calls>', Told([("now", {}, "", '<function_calls>\n<invoke name="now">\n</invoke>\n</function_calls>')])),
        ("anthropic_xml", '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Rome</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</function_calls> Done.', Told([("get_weather", {"city": "Rome", "days": 3}, "", '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Rome</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</function_calls>')], "Done.")),
        ("anthropic_xml", '<invoke name="now">\n</invoke>', Told([("now", {}, "missing_open_tag", '<invoke name="now">\n</invoke>')])),
        ("anthropic_xml", '<function_calls><invoke name="now"></invoke><invoke name="now"></invoke></function_calls>', Told([("now", {}, "", '<function_calls><invoke name="now"></invoke>'), ("now", {}, "", '<invoke name="now"></invoke></function_calls>')])),
        ("anthropic_xml", '<function_calls><invoke name="now">', Told([("now", {}, "missing_close_tag", '<function_calls><invoke name="now">')])),
        ("anthropic_xml", '<function_calls><invoke name="now"></invoke>', Told([("now", {}, "", '<function_calls><invoke name="now"></invoke>')])),
        ("anthropic_xml", '<function_calls><invoke name="now"></invoke></function_', Told([("now", {}, "", '<function_calls><invoke name="now"></invoke>')])),
        ("anthropic_xml", "<function_calls></function_calls>", Told([], "", [("unread_call", "", "A call begins here and cannot be read.")])),
        ("anthropic_xml", "<function_calls>", Told([], "", [("truncated", "", "The reply ends where a call begins.")])),
        ("anthropic_xml", "</function_calls>", Told([], "", [("unread_call", "", "A marker ends a call here that was never begun.")])),
        ("anthropic_xml", '<function_calls><invoke name="other"></invoke></function_calls>', Told([], "", [("unknown_tool", "other", "No tool 'other' is declared.")])),
        ("anthropic_xml", "<function_calls><invoke name=now></invoke></function_calls>", Told([("now", {}, "near_miss_tag", "<function_calls><invoke name=now></invoke></function_calls>")])),
        ("anthropic_xml", "<function_calls><invoke name='now'></invoke></function_calls>", Told([("now", {}, "near_miss_tag", "<function_calls><invoke name='now'></invoke></function_calls>")])),
        ("anthropic_xml", '<function_calls><invoke tool="now"></invoke></function_calls>', Told([("now", {}, "near_miss_tag", '<function_calls><invoke tool="now"></invoke></function_calls>')])),
        ("anthropic_xml", "<function_calls><invoke>now</invoke></function_calls>", Told([], "", [("bad_name", "", "A call bears no name.")])),
        ("anthropic_xml", '<function_calls><invoke name="now"/></function_calls>', Told([("now", {}, "near_miss_tag", '<function_calls><invoke name="now"/></function_calls>')])),
        ("anthropic_xml", '<function_calls><invoke name="get_weather"><parameter name="city">Rome</invoke></function_calls>', Told([("get_weather", {"city": "Rome"}, "missing_close_tag open_value", '<function_calls><invoke name="get_weather"><parameter name="city">Rome</invoke></function_calls>')])),
        ("anthropic_xml", '<function_calls><invoke name="get_weather"><parameter name="city">Rome</parameter></function_calls>', Told([("get_weather", {"city": "Rome"}, "missing_close_tag", '<function_calls><invoke name="get_weather"><parameter name="city">Rome</parameter></function_calls>')])),
        ("anthropic_xml", '<function_calls><invoke name="get_weather"><parameter>Rome</parameter></invoke></function_calls>', Told([], "", [("bad_json", "get_weather", "The call of 'get_weather' holds something else than parameters.")])),
        ("anthropic_xml", '<function_calls><invoke name="get_weather"><city>Rome</city></invoke></function_calls>', Told([("get_weather", {"city": "Rome"}, "near_miss_tag", '<function_calls><invoke name="get_weather"><city>Rome</city></invoke></function_calls>')])),
        ("anthropic_xml", '<function_calls><invoke name="get_weather">{"city": "Rome"}</invoke></function_calls>', Told([("get_weather", {"city": "Rome"}, "wrapper_arg", '<function_calls><invoke name="get_weather">{"city": "Rome"}</invoke></function_calls>')])),
        ("anthropic_xml", '<function_calls>words<invoke name="now"></invoke></function_calls>', Told([("now", {}, "text_around", '<function_calls>words<invoke name="now"></invoke></function_calls>')])),
        ("anthropic_xml", '<function_calls><invoke name="now"></invoke>words</function_calls>', Told([("now", {}, "missing_close_tag", '<function_calls><invoke name="now"></invoke>')], "words")),
        ("anthropic_xml", '<function_calls><invoke name="now"></invoke></function_calls>', Told([("now", {}, "", '<function_calls><invoke name="now"></invoke></function_calls>')])),
        ("anthropic_xml", '<function_calls><invoke name="write_file"><parameter name="path">a</parameter><parameter name="content"><b>x</b></parameter><parameter name="tags">["a"]</parameter></invoke></function_calls>', Told([("write_file", {"path": "a", "content": "<b>x</b>", "tags": ["a"]}, "", '<function_calls><invoke name="write_file"><parameter name="path">a</parameter><parameter name="content"><b>x</b></parameter><parameter name="tags">["a"]</parameter></invoke></function_calls>')])),
        ("anthropic_xml", 'Write <invoke name="now"> to call.', Told([], 'Write <invoke name="now"> to call.', [("mentioned", "now", "This looks like a call but it stands in a sentence.")])),
        ("anthropic_xml", '`<invoke name="now"></invoke>`', Told([], '`<invoke name="now"></invoke>`', [("mentioned", "now", "This looks like a call but it stands in inline code.")])),
        ("anthropic_xml", '<invoke name="get_weather"><parameter name="city">Rome</parameter><parameter name="city">Oslo</parameter></invoke>', Told([], "", [("ambiguous", "get_weather", "'city' is given to 'get_weather' twice, or its text holds a parameter's tags.")])),
    ],
)  # fmt: skip
def test_all_that_is_said_of_invoke_tags(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


def test_a_call_without_its_tag_is_told_and_a_closer_written_twice_is_not() -> None:
    first = '<invoke name="now">\n<parameter name="zone">CET</parameter>\n</invoke>\n'
    block = f"<function_calls>\n{first}{{}}</function_calls>"
    for more, problems in (("\n</invoke>\n", ["bad_name"]), ("</invoke>\n", []), ("", [])):
        found = told("anthropic_xml", block.format(more))
        assert [call[:2] for call in found.calls] == [("now", {"zone": "CET"})]
        assert [problem[0] for problem in found.problems] == problems


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("anthropic_xml", True, Drawn('⟨<function_calls>\n\n\n{"city": "Rome"\n</invoke>\n</function_calls>⟩', [], ["reported bad_json : '<' stands where a key belongs."])),
        ("deepseek_dsml", False, Drawn('⟦<｜DSML｜INVOKE NAME="‹NOW›«»">\n</｜DSML｜invoke>⟧\n</｜DSML｜tool_calls>', [("NOW", {}, "missing_open_tag wrong_width_pipe")])),
        ("muse_glimmer", True, Drawn("⟨<atem:function_calls>\n\n</atem:invoke>\n</atem:function_calls>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
    ],
)  # fmt: skip
def test_blocks_without_an_invocation(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>\n</function_calls>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧⟦\n<invoke name="‹now›«»"></invoke>\n</function_calls>⟧ ok', [("get_weather", {"city": "Rome"}, ""), ("now", {}, "")], [], "ok")),
        ("anthropic_xml", "stop", Drawn("⟨<function_calls>\n\n</function_calls>⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
        ("anthropic_xml", "stop", Drawn("⟨<function_calls>\nwords\n</function_calls>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\nwords <invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>\n</function_calls>⟧', [("get_weather", {"city": "Rome"}, "text_around")])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\nwords\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧\nmore\n</function_calls>', [("get_weather", {"city": "Rome"}, "text_around missing_close_tag")], [], "more")),
        ("anthropic_xml", "stop", Drawn('⟦<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("anthropic_xml", "stop", Drawn('⟦<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧ ok', [("get_weather", {"city": "Rome"}, "missing_open_tag")], [], "ok")),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧\n</function', [("get_weather", {"city": "Rome"}, "")])),
        ("anthropic_xml", "stop", Drawn("⟨<function_calls>\n<inv⟩", [], ["reported truncated : The reply ends where a call begins."])),
        ("anthropic_xml", "stop", Drawn("⟨<function_calls>⟩", [], ["reported truncated : The reply ends where a call begins."])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧</invoke>\n</function_calls>', [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧\nx</invoke>\n</function_calls>', [("get_weather", {"city": "Rome"}, "missing_close_tag")], [], "x")),
        ("anthropic_xml", "stop", Drawn("⟦<function_calls>\n<invoke>\n<name>‹get_weather›</name>«\n<city>Rome</city>\n»</invoke>\n</function_calls>⟧", [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("anthropic_xml", "stop", Drawn('⟨<function_calls>\n<invoke>\nx</invoke>⟩⟦\n<invoke name="‹now›«»"></invoke>\n</function_calls>⟧', [("now", {}, "")], ["reported bad_name : A call bears no name."])),
        ("anthropic_xml", "stop", Drawn('⟨<function_calls>\n<invoke><parameter name="city">Rome</parameter>\n</function_calls>⟩', [], ["reported bad_name : A call bears no name."])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n{"name": "‹now›", "arguments": «{}»}\n</function_calls>⟧', [("now", {}, "wrong_family")])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n[{"name": "‹now›", "arguments": «{}»}]\n</function_calls>⟧', [("now", {}, "wrong_family")])),
        ("anthropic_xml", "stop", Drawn("⟦<function_calls>\n<name>‹now›</name>«\n»</function_calls>⟧", [("now", {}, "wrong_family")])),
        ("anthropic_xml", "stop", Drawn("⟦<function_calls>\n<tool_name>‹get_weather›</tool_name>«<parameters><city>Rome</city></parameters>\n»</function_calls>⟧", [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("anthropic_xml", "stop", Drawn('⟨<function_calls>\n<invoke name="get_weather"/>\n</function_calls>⟩', [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke name="‹now›«»"/>\n</function_calls>⟧', [("now", {}, "near_miss_tag")])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke tool="‹now›«»" id="1"></invoke>\n</function_calls>⟧', [("now", {}, "near_miss_tag")])),
        ("anthropic_xml", "stop", Drawn("⟦<function_calls>\n<invoke name='‹now›«»'></invoke>\n</function_calls>⟧", [("now", {}, "near_miss_tag")])),
        ("anthropic_xml", "stop", Drawn("⟦<function_calls>\n<invoke name=‹now›«»></invoke>\n</function_calls>⟧", [("now", {}, "near_miss_tag")])),
        ("anthropic_xml", "stop", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<param name="city">Rome</param>»</invoke>\n</function_calls>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("anthropic_xml", "stop", Drawn('⟦<FUNCTION_CALLS>\n<INVOKE NAME="‹GET_WEATHER›">«<PARAMETER NAME="CITY">ROME</PARAMETER>»</INVOKE>\n</FUNCTION_CALLS>⟧', [("get_weather", {"CITY": "ROME"}, "near_miss_tag name_prefix")])),
        ("anthropic_xml", "stop", Drawn("⟨</function_calls>⟩ x", [], ["reported unread_call : A marker ends a call here that was never begun."], "x")),
        ("anthropic_xml", "stop", Drawn("a ⟨</invoke>⟩ b", [], ["reported unread_call : A marker ends a call here that was never begun."], "a b")),
        ("anthropic_xml", "length", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>\n</function_calls>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("anthropic_xml", "length", Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("anthropic_xml", "length", Drawn('⟨<function_calls>\n<invoke name="get_weather"><parameter name="city">Rome</paramet⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>\n</minimax:tool_call>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call><invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧', [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("minimax_m2", "stop", Drawn('⟦<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧</minimax:tool_call>', [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("minimax_m2", "stop", Drawn('<tool_call>\n⟦<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧\n</tool_call>', [("get_weather", {"city": "Rome"}, "missing_open_tag")], [], "<tool_call>\n</tool_call>")),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧⟦<invoke name="‹now›«»"></invoke>\n</minimax:tool_call>⟧', [("get_weather", {"city": "Rome"}, ""), ("now", {}, "")])),
        ("minimax_m2", "stop", Drawn('⟦<minimax:tool_call>\n<invoke name="‹get_weather›">«<parameter name="days">3</parameter><parameter name="city">Rome</parameter>»</invoke>\n</minimax:tool_call>⟧', [("get_weather", {"days": 3, "city": "Rome"}, "")])),
    ],
)  # fmt: skip
def test_blocks_and_tags_without_one(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


def test_the_tags_of_a_family_with_a_namespace() -> None:
    shape = invoke_shape(
        "X:",
        ("", "y:"),
        {"<X:calls>": "</X:calls>", "<CALLS>": "</X:calls>"},
        cdata=True,
        between=("-",),
        inner=("<in>",),
        also=("z:call",),
    )
    assert shape.call_starts == ("<x:invoke ", "<invoke ", "<y:invoke ", "<z:call ")
    closes = ("</x:invoke", "</invoke", "</y:invoke", "</z:call")
    assert shape.call_closes == (*(f"{close}>" for close in closes), *(f"{close} >" for close in closes))
    assert shape.param_starts == ("<x:parameter ", "<parameter ", "<y:parameter ")
    assert shape.param_closes == ("</x:parameter>", "</parameter>", "</y:parameter>")
    assert (shape.param_exact, shape.cdata, shape.between, shape.inner) == (("<x:parameter ",), True, ("-",), ("<in>",))
    assert (shape.wrapper_opens, shape.wrapper_closes) == (("<x:calls>", "<calls>"), ("</x:calls>",))
    assert shape.unnamed == ("<x:invoke>", "<invoke>", "<y:invoke>", "<z:call>")
    short = with_short_closes(shape, ("</inv>",))
    assert (short.call_closes, short.short_closes) == ((*shape.call_closes, "</inv>"), ("</inv>",))
    plain = invoke_shape("", (), {})
    assert (plain.cdata, plain.between, plain.inner, plain.call_starts, plain.wrapper_closes) == (
        False,
        (),
        (),
        ("<invoke ",),
        (),
    )
    assert invoke_shape("a｜", (), {}).param_exact == ("<a｜parameter ", "<a｜ parameter ")
    assert invoke_shape("", (), {}, heads=(" ", "")).call_starts == ("<invoke ", "<invoke")
    other = invoke_shape("", (), {}, call="do", param="arg")
    assert (other.call_starts, other.param_closes) == (("<do ",), ("</arg>",))


@pytest.mark.parametrize(
    ("tag", "name", "exact"),
    [
        ('invoke name="f"', "f", True), ("invoke name='f'", "f", False), ("invoke name=f", "f", False), ('INVOKE NAME="f"', "f", False), ('invoke  name = "f" ', "f", False),
        ('invoke tool="f"', "f", False), ('invoke rname="f"', "f", False), ('invoke id="1" name="f"', "f", False), ('invoke name="f"/', "f", False), ('invoke  name="f" ', "f", True),
        ('x:invoke name="f"', "f", False), ("invoke", None, False), ('invoke name=""', None, False), ('invoke name="f" id="1"', "f", False), ('invoke name="f" id', None, False), ('invokes name="f"', None, False),
        ('y:invoke name="f"', None, False), (f'invoke name="{"f" * 200}"', "f" * 200, True), ('invoke name="a>b"', "a>b", False),
    ],
)  # fmt: skip
def test_spellings_of_a_calls_tag(tag: str, name: str | None, exact: bool) -> None:
    shape = invoke_shape("", ("x:",), {})
    found = shape.call_open.fullmatch(f"<{tag}>")
    assert (found and found["name"].strip("\"' ")) == name
    assert (shape.call_exact.fullmatch(f"<{tag}>") is not None) is exact
    if found is not None:
        assert bool(found["closed"]) is tag.endswith("/")


@pytest.mark.parametrize(
    ("tag", "key", "string"),
    [
        ('parameter name="k"', "k", None), ('parameter name="k" string="true"', "k", "true"), ("parameter name='k' string=false", "k", "false"), ('parameter name="k" type="x"', "k", None),
        ('PARAMETER NAME="k"', "k", None), ("parameter", None, None), ('param name="k"', None, None), ('x:parameter name="k"', "k", None),
    ],
)  # fmt: skip
def test_spellings_of_a_parameters_tag(tag: str, key: str | None, string: str | None) -> None:
    found = invoke_shape("", ("x:",), {}).param_open.fullmatch(f"<{tag}>")
    assert (found and found["key"].strip("\"' ")) == key
    assert (found and found["string"]) == string


def test_calls_are_written_as_one_block() -> None:
    call = get_format("bare_json").parse('{"name": "f", "arguments": {"a": "x", "b": [1, "ü"]}}').calls[0]
    block = writer("<o>", "</o>", "s:")([call, call])
    one = '<s:invoke name="f">\n<s:parameter name="a">x</s:parameter>\n<s:parameter name="b">[1, "ü"]</s:parameter>\n</s:invoke>\n'
    assert block == f"<o>\n{one}{one}</o>"
    assert writer("<o>", "</o>", gap="")([call]) == "<o>" + one.replace("s:", "").replace("\n", "") + "</o>"
    flagged = flagged_writer("calls", "s:")([call])
    assert (
        flagged
        == "<s:calls>\n"
        + one.replace('"a">', '"a" string="true">').replace('"b">', '"b" string="false">')
        + "</s:calls>"
    )


def test_what_each_marker_of_a_block_is() -> None:
    grammar: Any = get_format("minimax_m2").grammar  # type: ignore[attr-defined]
    assert grammar.literals() == {
        "</invoke>": "orphan", "</minimax:invoke>": "orphan", "</parameter>": "orphan", "</minimax:parameter>": "orphan",
        "</minimax:tool_call>": "orphan", "</minimax:tool_calls>": "orphan", "<invoke ": "bare", "<minimax:invoke ": "bare",
        "<minimax:tool_call>": "block", "<minimax:tool_calls>": "block", "</invoke >": "orphan", "</minimax:invoke >": "orphan",
    }  # fmt: skip
    assert grammar.inside() == ("<parameter ", "<minimax:parameter ")
    objects = Objects("x", ("<o>",), ("</o>",))
    assert (objects.format, objects.opens, objects.closes, objects.lists, objects.lines) == (
        "x",
        ("<o>",),
        ("</o>",),
        True,
        True,
    )


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("anthropic_xml", True, Drawn('⟨<invoke name="later"><parameter name="city">Rome⟩</parameter></invoke>', [], ["reported unread_call : A call begins here and cannot be read."], '<invoke name="later"><parameter name="city">Rome')),
        ("anthropic_xml", True, Drawn('⟨<function_calls>\nwords {} <invoke name="get_weather"><parameter name="city">Rome</parameter></invoke>\n</function_calls>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("anthropic_xml", True, Drawn('⟨<function_calls>\nwords [1] <invoke name="get_weather"><parameter name="city">Rome</parameter></invoke>\n</function_calls>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("anthropic_xml", True, Drawn('⟨<function_calls>\nwords <b> <invoke name="get_weather"><parameter name="city">Rome</parameter></invoke>\n</function_calls>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("anthropic_xml", True, Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">«<parameter name="city">Rome</parameter>»</invoke>⟧\nwords ⟦<invoke name="‹now›«»"></invoke>⟧\n</function_calls>', [("get_weather", {"city": "Rome"}, "missing_close_tag"), ("now", {}, "missing_open_tag")], [], "words")),
        ("deepseek_dsml", False, Drawn('⟦<｜DSML｜invoke name="‹later›«»"></｜DSML｜invoke>⟧', [("later", {}, "missing_open_tag")])),
        ("minimax_m2", False, Drawn('⟨<invoke name="later"><parameter name="city">Rome⟩</parameter></invoke>', [], ["reported unread_call : A call begins here and cannot be read."], '<invoke name="later"><parameter name="city">Rome')),
    ],
)  # fmt: skip
def test_tags_of_unknown_calls_and_words_before_one(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('anthropic_xml', Drawn('⟦<function_calls>\n<invoke name="‹now›«»">\n</invoke>⟧⟨\n\n  </invoke>⟩⟦\n<invoke name="‹now›«»">\n</invoke>\n</function_calls>⟧', [('now', {}, ''), ('now', {}, '')], ['reported bad_name : A call has lost the tag that names it.'])),
        ('anthropic_xml', Drawn('⟦<function_calls>\n<invoke name="‹now›«»">\n</invoke>⟧⟨\n\n\n</invoke>⟩⟨\n<invoke name="get_weather">\n</invoke>\n</function_calls>⟩', [('now', {}, '')], ['reported bad_name : A call has lost the tag that names it.', "reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
    ],
)  # fmt: skip
def test_calls_behind_one_that_lost_its_tag_begin_where_that_ends(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize("said", ["word " * 300, "word " * 300 + "<", "<b>" * 400])
def test_a_block_that_holds_no_call_for_long_is_none(said: str) -> None:
    result = get_format("anthropic_xml").parse(f"<function_calls>\n{said}")
    assert (result.calls, result.text) == ((), f"<function_calls>\n{said}")

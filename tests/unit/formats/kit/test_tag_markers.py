"""The spellings of the markers around a JSON body, and the closing one."""

from __future__ import annotations

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.formats import get_format
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.tag_markers import FOREIGN_TAGS, NEAR_MISSES, TagMarkers
from workbench.formats.kit.toolset import ToolSet


class Kitty(TagMarkers):
    format = "kitty"
    opens = ("<kitty>",)
    closes = ("</kitty>",)


def test_own_markers_near_misses_and_escapes() -> None:
    found = Kitty().literals()
    assert (found["<kitty>"], found["</kitty>"], found["&lt;kitty&gt;"]) == ("call", "orphan", "html")
    assert (found["<tool_call>"], found["</tool_call>"]) == ("near", "orphan")
    assert set(NEAR_MISSES) < set(FOREIGN_TAGS)
    assert {"<kitty>", "</kitty>"} <= set(Kitty().boundaries)
    assert Kitty().closers[0] == "</kitty>"


@pytest.mark.parametrize(
    ("behind", "end", "repairs"),
    [
        (" </kitty> x", 9, ()),
        ("</tool_call>", 12, ("near_miss_tag",)),
        (" <kitty> ", 9, ("near_miss_tag",)),
        ("}</kitty>", 9, ("extra_brace",)),
        (", {", 2, ("again",)),
        ("; {", 2, ("again",)),
        (" x", 0, ("missing_close_tag",)),
        ("```", 3, ("missing_close_tag",)),
        ("```\n</kitty>", 12, ()),
        ("``` x", 0, ("missing_close_tag",)),
    ],
)
def test_the_closing_marker_is_found(behind: str, end: int, repairs: tuple[str, ...]) -> None:
    scan = Scanner(Kitty(), ToolSet(None))
    scan.text, scan.closed = behind, True
    with pytest.raises(StopIteration) as done:
        next(Kitty().close(scan, 0))
    assert done.value.value == (end, repairs)


@pytest.mark.parametrize(("words", "code"), [(1_500, "bad_json"), (2_500, "unread_call")])
def test_what_stands_between_markers_far_apart_is_text(words: int, code: str) -> None:
    text = f"<tool_call>{'x ' * words}</tool_call>"
    result = get_format("qwen_xml").parse(text, None)
    assert [problem.code for problem in result.problems] == [code]
    assert (result.text == "") is (code == "bad_json")


@pytest.mark.parametrize("before", ["`", "``"])
def test_a_fence_behind_a_call_in_inline_code_is_no_part_of_it(before: str) -> None:
    call = '<tool_call>{"name": "f", "arguments": {}}'
    found = get_format("qwen_xml").parse(f"{before}{call}```\n")
    assert [(one.code, one.span[:2]) for one in found.problems] == [("mentioned", (len(before), len(before + call)))]


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn("⟨<tool_call>plain</tool_call>⟩⟨<tool_call>plain</tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call.", "reported bad_json : What stands between the markers is no call."])),
        ("internlm", "stop", Drawn('⟦<|action_start|><|plugin|>{"name": "‹now›", "arguments": «{}»}<|ACTION_END|>⟧', [("now", {}, "args_key")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}}</tool_call>⟧', [("now", {}, "extra_brace")])),
        ("granite", "stop", Drawn('⟦<|tool_call|>{"name": "‹now›", "arguments": «{}»}]⟧', [("now", {}, "extra_brace")])),
        ("qwen_xml", "stop", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}⟧;{"name": "now", "arguments": {}}</tool_call>', [("now", {}, "name_dup")])),
        ("internlm", "stop", Drawn('⟦<|action_start|><|plugin|>{"name": "‹now›", "arguments": «{}»}<|action_end|⟧', [("now", {}, "missing_close_tag args_key")])),
    ],
)  # fmt: skip
def test_what_may_stand_where_a_call_ends(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "kinds"),
    [
        ("qwen_xml", {"<tool_call>": "call", "</tool_call>": "orphan", "<toolcall>": "near", "</toolcall>": "orphan", "&lt;tool_call&gt;": "html", "<tool_call ": "attributed"}),
        ("granite", {"<|tool_call|>": "call", "<tool_call>": "call", "<toolcall>": "near", "&lt;|tool_call|&gt;": "html", "[tool_call]": "near", "[/tool_call]": "orphan"}),
        ("qwen3_coder_xml", {"<function=": "bare", "<function ": "bare", "</function>": "orphan", "<parameter=": "parameter", "</parameter>": "orphan", "<tool_call>": "call"}),
        ("mistral_json", {"[TOOL_CALLS]": "call"}),
    ],
)  # fmt: skip
def test_what_each_marker_is(form: str, kinds: dict[str, str]) -> None:
    found = get_format(form).grammar.literals()  # type: ignore[attr-defined]
    assert {marker: found.get(marker) for marker in kinds} == kinds
    assert "&lt;TOOL_CALLS&gt;" not in found
    assert not [marker for marker in found if marker.startswith("[") and found[marker] == "html"]


def test_patterns_of_bodies_without_an_opener() -> None:
    def bodies(form: str) -> list[str]:
        return [kind for kind, _, _ in get_format(form).grammar.patterns()]  # type: ignore[attr-defined]

    assert [
        form for form in ("qwen_xml", "granite", "glm45", "apertus", "mistral_json") if "unopened" in bodies(form)
    ] == ["qwen_xml", "granite", "glm45"]
    assert [form for form in ("qwen_xml", "glm45", "hy_v3") if "named" in bodies(form)] == ["glm45", "hy_v3"]
    assert get_format("glm45").grammar.inside() == ("<arg_key>", "<arg_value>")  # type: ignore[attr-defined]
    assert get_format("qwen_xml").grammar.inside() == ()  # type: ignore[attr-defined]
    assert get_format("qwen3_coder_xml").grammar.inside() == ("<parameter=", "<parameter ")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}}⟧ more', [("now", {}, "extra_brace missing_close_tag")], [], "more")),
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}}⟧', [("now", {}, "extra_brace missing_close_tag")])),
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}]⟧]', [("now", {}, "extra_brace missing_close_tag")], [], "]")),
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}} </tool_call>⟧', [("now", {}, "extra_brace")])),
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}\n<tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}⟧\n⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("now", {}, "missing_close_tag"), ("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}⟧; ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}</tool_call>⟧', [("now", {}, "extra_calls"), ("get_weather", {"city": "Rome"}, "extra_calls")])),
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}```</tool_call>⟧', [("now", {}, "")])),
        ("qwen_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}```⟧', [("now", {}, "missing_close_tag")])),
    ],
)  # fmt: skip
def test_brackets_behind_a_call_without_a_closer(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(("size", "told"), [(10, True), (3980, True), (4020, False)])
@pytest.mark.parametrize("before", ["", "So. " * 750])
def test_no_call_between_markers_is_told_where_they_are_not_far_apart(before: str, size: int, told: bool) -> None:
    result = get_format("qwen_xml").parse(f"{before}<tool_call>no call {'x' * (size - 8)}</tool_call>", None)
    assert (result.calls, "bad_json" in [problem.code for problem in result.problems]) == ((), told)

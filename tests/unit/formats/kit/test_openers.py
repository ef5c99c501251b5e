"""The search for markers and the tail that is held back."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from tests.kit.parser_contract import cases
from tests.kit.timing import growth
from tests.kit.whole_reading import Drawn, drawn
from workbench.formats import get_format, list_formats
from workbench.formats.kit.openers import Openers, finder, growing, prefix_regex
from workbench.formats.registry import TABLE


def test_hold_is_the_longest_possible_prefix() -> None:
    openers = Openers({"<tool_call>": "call", "[TOOL_CALLS]": "call"})
    assert openers.hold("text <tool", 0) == 5
    assert openers.hold("text <Tool_Cal", 0) == 5
    assert openers.hold("text <tool x", 0) == 12
    assert openers.hold("a[TOOL_CALLS", 0) == 1
    assert openers.hold("", 0) == 0


def test_kinds_fold_case() -> None:
    openers = Openers({"<tool_call>": "call"}, [("label", r"^Action:", "")])
    match = openers.search("x <TOOL_CALL>")
    assert match is not None
    assert openers.kind(match) == "call"
    match = openers.search("a\naction: x")
    assert match is not None
    assert openers.kind(match) == "label"


def test_an_opener_is_looked_for_where_the_text_begins_or_where_it_is_said() -> None:
    openers = Openers({"<tool_call>": "call"})
    assert openers.match("<tool_call>") is not None
    assert openers.match(" <tool_call>") is None
    assert openers.match(" <tool_call>", 1) is not None


def test_non_ascii_case_variants_do_not_match() -> None:
    openers = Openers({"<think>": "think"})
    match = openers.search("<thin\u212a>")
    assert match is None or openers.kind(match) == "think"


def test_prefix_regex_and_finder() -> None:
    pattern = re.compile(f"(?:{prefix_regex(['abc', 'abd'])})\\Z")
    assert [bool(pattern.fullmatch(text)) for text in ("a", "ab", "abc", "x")] == [True, True, False, False]
    search, _, reach = finder("</a>", "</abc>")
    assert reach == 6
    assert search.search("x </ABC>") is not None
    assert finder()[0].search("anything") is None


@pytest.mark.parametrize("name", list(TABLE))
def test_openers_fit_the_held_back_tail(name: str) -> None:
    grammar: Any = get_format(name).grammar  # type: ignore[attr-defined]
    width = import_module("re._parser").parse
    for openers in (grammar.openers, grammar.nested):
        for pattern in (openers._search, openers._hold):
            assert width(pattern.pattern, pattern.flags & ~re.UNICODE).getwidth()[1] <= max(openers.reach, 64), pattern


@pytest.mark.parametrize("form", [spec.id for spec in list_formats() if not spec.native])
def test_spots_pass_over_no_opener(form: str) -> None:
    """What is searched with a quick look first is found exactly as without it."""
    for openers in (get_format(form).grammar.openers, get_format(form).grammar.nested):  # type: ignore[attr-defined]
        for case in cases():
            at = 0
            while (plain := openers._search.search(case.raw, at)) is not None:
                quick = openers.search(case.raw, at)
                assert quick is not None
                assert quick.span() == plain.span(), case.raw
                at = max(plain.end(), plain.start() + 1)
            assert openers.search(case.raw, at) is None


@pytest.mark.parametrize(
    "unit", ["\nAction: a\nAction Input: ", "[ a b c ", "Some words and no more. ", "\nA line. [x] "]
)
def test_many_openers_of_one_kind_take_linear_time(unit: str) -> None:
    """Neither sign may be looked for up to the text's end for each of the other."""
    openers = get_format("react").grammar.openers  # type: ignore[attr-defined]

    def search(size: int) -> None:
        text, at = unit * (size // len(unit)), 0
        while (found := openers.search(text, at)) is not None:
            at = max(found.end(), found.start() + 1)

    assert growth(search, 40_000) < 6


def test_a_pattern_of_several_shapes_is_bound_to_a_line_by_its_own_sign_alone() -> None:
    openers = Openers({}, [("label", r"^Action:|@@", "")])
    assert [bool(openers.search(text)) for text in ("Action:", "x Action:", "x @@")] == [True, False, True]


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("deepseek_v3", "stop", Drawn('⟨<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>get_weather\n```json\n{\\"city\\": \\"Rome\\"}\n```<|tool_call_end|><|tool_calls_end|>⟩', [], ["reported bad_json get_weather: '\\\\' stands where a key belongs. ('get_weather')"])),
        ("minimax_m2", "stop", Drawn('```json\n⟦<minimax:tool_call>\n<invoke>\n<name>‹get_weather›</name>«\n<arguments>{"city": "Rome"}</arguments>\n»</invoke>\n</minimax:tool_call>⟧\n```', [("get_weather", {"city": "Rome"}, "wrong_family fenced")])),
        ("granite", "stop", Drawn('```json\n⟦[{"name": "‹now›", "arguments": «{}»}]⟧\n```', [("now", {}, "missing_open_tag fenced")])),
    ],
)  # fmt: skip
def test_places_of_calls_in_fences_and_of_a_broken_one(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("react", Drawn("Action: ⟨None⟩\nFinal Answer: x", [], ["- declined : The model says by 'None' that it calls no tool."], "x")),
    ],
)  # fmt: skip
def test_an_action_that_is_none(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("x Action:", -1), ("a\nAction:", 2), ("Action:", 0), ("a\n  Action:", 2), ("a\n@@", 2), ("x @@", 2), ("<a>", 0), ("x <A>", 2), ("<b>", -1),
        (f"{'x' * 3000}\nAction:", 3001), (f"{'x' * 3000}@@", 3000), (f"{'x' * 1023}<a>", 1023), ("\n" * 5 + "Action:", 5), ("", -1),
    ],
)  # fmt: skip
def test_openers_of_lines_and_of_signs_are_found(text: str, begins: int) -> None:
    patterns = [("label", r"^[ \t]{0,4}action:", ""), ("sign", "@@", "@")]
    openers = Openers({"<a>": "tag"}, patterns, spots="@", line=r"[ \t]{0,4}a")
    found = openers.search(text)
    assert (found.start() if found else -1) == begins
    again = openers.search(text, begins + 1) if begins >= 0 else None
    assert again is None
    if begins > 0:
        assert openers.search(text, 0, begins) is None
        assert openers.match(text, begins) is not None
    plain = Openers({"<a>": "tag"}, patterns)
    assert (found and found.span()) == ((other := plain.search(text)) and other.span())


def test_kinds_of_patterns_and_literals() -> None:
    openers = Openers({"<a>": "short", "<a>b": "long"}, [("x1", "^x", ""), ("y1", "^y|z", ""), ("w1", "w", "")])
    for text, kind in (
        ("<A>", "short"),
        ("<a>B", "long"),
        ("x", "x1"),
        ("y", "y1"),
        ("az", "y1"),
        ("aw", "w1"),
        ("\nx", "x1"),
    ):
        found = openers.search(text)
        assert found is not None
        assert openers.kind(found) == kind
    assert openers.search("ax") is None
    assert openers.search("ay") is None
    assert openers.literals == {"<a>": "short", "<a>b": "long"}


@pytest.mark.parametrize(
    ("openers", "text", "at", "held"),
    [
        (Openers({"<abc>": "a"}), "x<ab", 0, 1), (Openers({"<abc>": "a"}), "x<ab", 2, 4), (Openers({"<abc>": "a"}), "x<abc>", 0, 6), (Openers({"<ABC>": "a"}), "<aB", 0, 0),
        (Openers({"<abc>": "a"}), "<", 0, 0), (Openers({}), "<a", 0, 2), (Openers({}, [("p", "^q+!", "q+")]), "a qq", 0, 2), (Openers({}, [("p", "^q", "")]), "a\n   ", 0, 2),
        (Openers({}, [("p", "^q", "")]), "a   ", 0, 4), (Openers({}, [("p", "^q", "")], reach=2), "a\n   ", 0, 5), (Openers({"<abc>": "a"}), "<\u212abc", 0, 4),
    ],
)  # fmt: skip
def test_the_tail_that_is_held_back(openers: Openers, text: str, at: int, held: int) -> None:
    assert openers.hold(text, at) == held


def test_how_much_is_held_back() -> None:
    assert Openers({"<ab>": "a", "<abcd>": "b"}).reach == 6
    assert Openers({"<ab>": "a"}, [("p", "x", "")]).reach == 64
    assert Openers({"<ab>": "a"}, [("p", "x", "")], reach=9).reach == 9
    assert Openers({}).reach == 0


def test_literals_that_may_grow() -> None:
    assert growing("<a>", "<A>b", "<c>") == {"<a>"}
    assert growing("ab", "ab") == frozenset()
    search, hold, reach = finder("<a>", "<A>b")
    assert reach == 4
    found = search.search("x<a>B")
    assert found is not None
    assert found.group() == "<a>B"
    assert [bool(hold.search(text)) for text in ("x<A", "x<a>", "<a>b", "x", "<b")] == [True, True, False, False, False]
    assert search.search("<\u212a>") is None
    assert finder()[1].search("<") is None
    assert finder()[2] == 0


@pytest.mark.parametrize(
    ("pattern", "texts", "others"),
    [
        (r"^(?:a|b)", ["a", "\nb"], ["xa", "xb"]), (r"^[|]x", ["|x"], ["a|x"]), (r"^\|x|y", ["|x", "ay"], ["a|x"]), (r"^[\]|]z", ["]z", "|z"], ["a|z"]),
        (r"^a(b|c)", ["ab", "ac"], ["xac"]), (r"^\(a|c", ["(a", "xc"], ["x(a"]),
    ],
)  # fmt: skip
def test_what_is_bound_to_the_beginning_of_a_line(pattern: str, texts: list[str], others: list[str]) -> None:
    openers = Openers({}, [("p", pattern, "")])
    assert all(openers.search(text) for text in texts)
    assert not any(openers.search(text) for text in others)


@pytest.mark.parametrize("regex", [r"^a(b)|cd", r"^a[(]|cd", r"^a\(|cd", r"^(?:a|b)c|cd", r"^a[)b]|cd", r"^a(b(c))|cd"])
def test_only_the_first_of_two_patterns_is_bound_to_a_lines_beginning(regex: str) -> None:
    openers = Openers({}, [("one", regex, "")])
    found = openers.search("xx cd")
    assert found is not None
    assert found.group() == "cd"


@pytest.mark.parametrize("regex", [r"^(?:a|cd)", r"^[a|]cd", r"^a\|cd", r"^(a(b|c)|cd)"])
def test_a_pattern_in_brackets_is_bound_to_a_lines_beginning(regex: str) -> None:
    assert Openers({}, [("one", regex, "")]).search("xx cd |cd") is None


@pytest.mark.parametrize("far", [0, 200, 255, 256, 600, 1500, 5000])
@pytest.mark.parametrize("before", ["", "so\n", f"{'so it is ' * 300}\n"])
def test_a_line_is_found_before_a_sign_however_far_behind_it_is(before: str, far: int) -> None:
    openers = Openers({}, [("line", "^label:", ""), ("sign", r"\{x", "")], spots="{", line="label")
    text = f"{before}label: {'y' * far}{{x"
    for at, kind, place in ((0, "line", len(before)), (len(before) + 1, "sign", len(text) - 2)):
        found = openers.search(text, at)
        assert found is not None
        assert (openers.kind(found), found.start()) == (kind, place)

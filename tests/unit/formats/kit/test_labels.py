"""Labels in all spellings, whole and begun."""

from __future__ import annotations

import re

import pytest

from workbench.formats.kit.labels import (
    LEAD,
    any_label,
    both_widths,
    label_begun,
    label_end,
    label_line,
    label_pair,
    label_words,
    plain_label,
)
from workbench.formats.kit.prefix_patterns import Pattern

SPELLINGS = [
    "Action: ", "1. Action: ", "2) Action: ", "(3) Action: ", "- Action: ", "• Action: ", "– Action: ", "### Action: ", "> Action: ",
    "**Action:** ", "**Action**: ", "__Action__: ", "*Action*: ", "`Action`: ", "[Action]: ", "Action 1: ", "action: ", "ACTION : ", "Action： ",
    "Ａｃｔｉｏｎ：", "Action -> ", "Action = ", "Action → ", "Step 2: Action: ", "🔧 Action: ", "> 1. **Action:** ", "## 2. Action: ",
]  # fmt: skip


def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@pytest.mark.parametrize("text", SPELLINGS)
def test_label_in_every_spelling(text: str) -> None:
    full, partial = map(_compiled, label_line("Action"))
    assert full.match(text)
    end = full.match(text).end()  # type: ignore[union-attr]
    assert all(partial.match(text[:at]) for at in range(1, end + 1))


@pytest.mark.parametrize("text", ["Actions: ", "Action plan: ", "The Action: ", "In Action: ", "Action", "Reaction: "])
def test_other_words_are_no_label(text: str) -> None:
    assert _compiled(label_line("Action").full).match(text) is None


def test_bare_label_ends_with_its_line() -> None:
    full = _compiled(label_line("Action", bare=True).full)
    assert full.match("### Action\n")
    assert full.match("### Action plan\n") is None


@pytest.mark.parametrize("lead", SPELLINGS)
def test_pair_of_labels(lead: str) -> None:
    full, partial = map(_compiled, label_pair("Action"))
    text = f"{lead}f\n{lead.replace('ction', 'ction Input').replace('CTION', 'CTION INPUT').replace('ｎ', 'ｎ Ｉｎｐｕｔ')}"
    found = full.match(text)
    assert found, text
    assert all(partial.match(text[:at]) for at in range(1, found.end() + 1))
    assert full.match(f"{lead}f\nand so on") is None


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Tool: f\nTool Input: {", True),
        ("**Function:** f\n**Arguments:**\n{", True),
        ("Function: f\nParameters: city, days", False),
        ("### Action\nf\n### Action Input\n{", True),
        ("Action: f\n\nAction-Input: {", True),
    ],
)
def test_pairs_of_other_words(text: str, pair: bool) -> None:
    assert (_compiled(label_pair(text.strip("*# ").split()[0].strip(":*")).full).match(text) is not None) is pair


@pytest.mark.parametrize(
    ("pattern", "texts", "others"),
    [
        (label_words("a b"), ["ab", "a b", "a_-b", "a\u3000b", "ａ ｂ", "a   b"], ["a    b", "a.b", "ba"]),
        (plain_label(label_words("go")), ["go:", "**go:**", "go：", "***go*** \t :***"], ["go", "****go:", "go    :", "go::", "go:****", "`go`:"]),
        (label_end(), [":", " 12 :", "]**: ".rstrip(), "->", "–>", "→", "=", ":```", f"{'*' * 10}:"], ["", "\n", "1234:", "-", f"{'*' * 11}:", ":````"]),
        (label_end(bare=True), [":", "->"], ["-"]),
        (LEAD, ["", "## ", "step 1. ", "STEP12)) - ", "1: > "], ["123. ", "step . ", "1.... ", f"{'#' * 13}"]),
    ],
)  # fmt: skip
def test_parts_of_labels(pattern: Pattern, texts: list[str], others: list[str]) -> None:
    full, partial = _compiled(pattern.full), _compiled(pattern.partial)
    for text in texts:
        assert full.fullmatch(text), text
        assert all(partial.fullmatch(text[:end]) for end in range(len(text) + 1)), text
    for text in others:
        assert full.fullmatch(text) is None, text


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Tool Name: f\nArgs: {", True), ("Tool call: f\nParameters:\n  {", True), ("Tool_Name: f\nFunction Input: {", True),
        ("Tool: f\nTool_Arguments :    \n    {", True), ("Tool: f\n\n\nInput: {", False), ("Tool:\n f\nInput: {", True),
        ("Tool Title: f\nInput: {", False), ("Tool: f\nInput: [", False), ("Tool: f\nInputs: {", False), ("Tool: f\nInput:\n\n{", False),
        (f"Tool: {'f' * 119}\nInput: {{", True), (f"Tool: {'f' * 121}\nInput: {{", False), ("Tool: f\n     \nInput: {", False),
        ("Tool: f\n    \nInput: {", True), ("Tool Names: f\nInput: {", False), ("Tool: f\nFunction   Args: {", True), ("Tool: f\nFunction    Args: {", False),
    ],
)  # fmt: skip
def test_pair_of_a_tool_and_an_object(text: str, pair: bool) -> None:
    full, partial = map(_compiled, label_pair("Tool"))
    found = full.match(text)
    assert (found is not None) is pair
    if found is not None:
        assert all(partial.match(text[:end]) for end in range(found.end() + 1))


def test_labels_in_words_and_begun() -> None:
    words = _compiled(any_label("Action Input", "Go"))
    assert [bool(words.fullmatch(text)) for text in ("action_input", "ＧＯ", "go|", "action")] == [
        True,
        True,
        False,
        False,
    ]
    begun = _compiled(label_begun("Action"))
    assert [bool(begun.match(text)) for text in ("**Act", "1. ａｃｔ", "ac", "Atc")] == [True, True, False, False]
    assert begun.match("Action")
    assert both_widths("A") == "AＡ"

"""Labels in all spellings, whole and begun."""

from __future__ import annotations

import re

import pytest

from workbench.formats.kit.labels import label_line, label_pair

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

"""A pattern that can match holds one of the texts that are looked for first."""

from __future__ import annotations

import random
import re

import pytest

from tests.kit.parser_contract import cases
from workbench.formats import list_formats
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.survey.needed_text import needed


@pytest.mark.parametrize(
    ("regex", "texts"),
    [
        (r"a{0,3}name(?=<arg_key>)", {"<arg_key>"}),
        (r"(?:to|at)=xy", {"=xy"}),
        (r"(?:left|right)", {"left", "right"}),
        (r"(?:left|)right?", {"righ"}),
        (r"left|\w+", set()),
        (r"(?<=before)x*", set()),
        (r"(?!not)(?:Yes){1,2}", {"yes"}),
        (r"(?>ab)c", {"ab"}),
        (r"[ab]+", set()),
    ],
)
def test_the_longest_text_that_every_match_needs(regex: str, texts: set[str]) -> None:
    assert needed(re.compile(regex)) == texts


def test_openers_of_all_formats_are_where_their_texts_are() -> None:
    patterns = [
        re.compile(regex, re.IGNORECASE | re.MULTILINE)
        for spec in list_formats()
        if isinstance(spec, FormatSpec) and not spec.native
        for _, regex, _ in spec.grammar.patterns()
    ]
    for case in random.Random(3).sample(cases(), 80):
        for pattern in patterns:
            texts = needed(pattern)
            if texts and pattern.search(case.raw):
                assert any(text in case.raw.lower() for text in texts), (pattern.pattern, case.raw)

"""A pattern that is made of a table finds what each of its lines does."""

from __future__ import annotations

import re

from workbench.formats.kit.wordings import Wording, any_wording


def test_alternatives_do_not_run_into_each_other() -> None:
    pattern = re.compile(any_wording((Wording("a|b", "a"), Wording("c$", "c"))) + "|d")
    assert [bool(pattern.fullmatch(text)) for text in ("a", "b", "c", "d", "ad")] == [True] * 4 + [False]

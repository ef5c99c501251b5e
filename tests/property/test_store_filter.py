"""A filter finds or complains; it never fails in another way, and never reaches the database as SQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import runs
from workbench.core.errors import InvalidInput
from workbench.store import Store
from workbench.store.filter import FIELDS, parse_filter

PIECES = st.one_of(
    st.sampled_from(
        [*(f"{name}:" for name in FIELDS), "-", " ", '"', ",", "*", "?", ">", "<=", "3", "7d", "fail", ":"]
    ),
    st.sampled_from(
        ["' OR 1=1 --", "NEAR(a b)", "a AND", "NOT", "{raw} :", "^", "%", "_", "\0", "\ud800", "天", "🙂", "%)"]
    ),
    st.text(max_size=5),
)
FILTERS = st.lists(PIECES, max_size=8).map("".join)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("filters")
    opened = Store.open(folder / "workbench.db")
    opened.record("0198aaaa", runs.make_run("0198aaaa"))
    yield opened
    opened.close()


@given(text=FILTERS)
@settings(max_examples=300)
def test_a_filter_finds_or_complains(store: Store, text: str) -> None:
    try:
        found = store.list_runs(text)
    except InvalidInput:
        return
    assert len(found) == store.count(text)


@given(text=FILTERS)
@settings(max_examples=200)
def test_reparse_gives_the_same_reading(text: str) -> None:
    try:
        parsed = parse_filter(text)
    except InvalidInput:
        return
    again = parse_filter(str(parsed))
    assert [term[:3] for term in again.terms] == [term[:3] for term in parsed.terms]

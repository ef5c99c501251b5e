from __future__ import annotations

from workbench.core.hash_chain import START, Break, ChainWalk, link_hash, short


def chain(*records: str) -> list[tuple[int, str, str, str]]:
    made, head = [], START
    for number, record in enumerate(records, 1):
        previous, head = head, link_hash(number, head, record)
        made.append((number, previous, record, head))
    return made


def breaks(links: list[tuple[int, str, str, str]]) -> list[Break | None]:
    walk = ChainWalk()
    return [walk.take(*link) for link in links]


def test_a_whole_chain_has_no_break() -> None:
    assert breaks(chain("a", "b", "c")) == [None, None, None]


def test_an_altered_record_is_found_once() -> None:
    links = chain("a", "b", "c")
    number, previous, _, claimed = links[1]
    links[1] = (number, previous, "B", claimed)
    assert breaks(links) == [None, Break.ALTERED, None]


def test_a_record_hashed_anew_breaks_the_chain_behind_it() -> None:
    links = chain("a", "b", "c")
    number, previous, _, _ = links[1]
    links[1] = (number, previous, "B", link_hash(number, previous, "B"))
    assert breaks(links) == [None, None, Break.NO_FOLLOWER]


def test_a_link_taken_out_is_found_at_the_next() -> None:
    first, _, third = chain("a", "b", "c")
    assert breaks([first, third]) == [None, Break.OUT_OF_PLACE]


def test_a_digest_is_shortened_for_people() -> None:
    assert short("7c419e02ff") == "7c41 9e02"

from __future__ import annotations

from dataclasses import replace

from tests.kit.exports import events
from tests.kit.fakes import Reply
from workbench.core.events import ChunkReceived, RunStarted
from workbench.core.masking import Secrets
from workbench.core.messages import Message
from workbench.core.run_summary import summarize
from workbench.export.masked import masked

KEY = "staging-secret-0123"


def test_key_in_prompt_reply_and_body_becomes_stars_of_its_length() -> None:
    run = events(Reply(f"It is {KEY}."))
    first = run[0]
    assert isinstance(first, RunStarted)
    clean, changed = masked([replace(first, messages=(Message("user", KEY),)), *run[1:]], Secrets([KEY]))
    found = summarize(clean)
    stars = "*" * len(KEY)
    assert found.prompt == stars
    assert found.answer == f"It is {stars}."
    assert changed > 2
    assert KEY not in repr(clean)


def test_key_over_several_pieces_is_found_in_the_whole_body() -> None:
    pieces = (b'data: "stag', b"ing-secret", b'-0123"')
    chunks = [ChunkReceived(0, 0, at, data, at) for at, data in enumerate(pieces)]
    clean, changed = masked(chunks, Secrets([KEY]))
    data = [event.data for event in clean if isinstance(event, ChunkReceived)]
    assert data == [b'data: "****', b"**********", b'*****"']
    assert changed == 3


def test_run_without_keys_stays_as_it_is() -> None:
    run = events(Reply("Hello."))
    clean, changed = masked(run, Secrets([KEY], foreign=True))
    assert (clean, changed) == (run, 0)

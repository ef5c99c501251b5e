"""Texts put together from the tokens of a llama.cpp log."""

from __future__ import annotations

import pytest

from workbench.scan.readers.llama_tokens import Generated, LlamaTokens


def token(text: str, task: int = 7, word: str = "gen") -> str:
    return f"0.27.547.577 D slot process_toke: id  1 | task {task} | n_{word} = 14, n_remaining = 0, next token:    32 '{text}'"


def stopped(how: str, task: int = 7) -> str:
    return f"0.27.547.564 D slot process_toke: id  1 | task {task} | stopped by {how}, n_gen = 14"


def followed(*records: str) -> Generated | None:
    made = LlamaTokens()
    for record in records:
        made.stopped(record) if "stopped by" in record else made.token(record)
    return made.take()


@pytest.mark.parametrize("word", ["gen", "decoded"])
def test_the_pieces_of_one_task_are_its_text(word: str) -> None:
    pieces = ["<tool_call>", "\n", "{", "'", ""]
    records = [token(piece, word=word) for piece in pieces]
    assert followed(*records, stopped("EOS")) == Generated("<tool_call>\n{'", 5, "stop")


@pytest.mark.parametrize(("how", "finish"), [("limit", "length"), ("EOS", "stop"), ("word", "stop")])
def test_how_a_task_ended(how: str, finish: str) -> None:
    assert followed(stopped(how), token("a")) == Generated("a", 1, finish)


def test_tasks_that_end_together_are_not_told_apart() -> None:
    records = [token("a", 1), token("b", 2), stopped("EOS", 1), stopped("EOS", 2)]
    assert followed(*records) is None
    made = LlamaTokens()
    for text, task in (("a", 1), ("b", 2)):
        made.token(token(text, task))
        made.stopped(stopped("EOS", task))
        assert made.take() == Generated(text, 1, "stop")
    assert made.take() is None


def test_other_records_tell_nothing() -> None:
    assert followed("srv  update_slots: all slots are idle", "next token: of nothing", stopped("EOS")) is None
    assert LlamaTokens().take() is None


def test_memory_is_bounded() -> None:
    made = LlamaTokens()
    for task in range(1000):
        made.token(token("a", task))
    made.stopped(stopped("EOS", 0))
    assert made.take() is None
    made.stopped(stopped("EOS", 999))
    assert made.take() == Generated("a", 1, "stop")

"""What cells say: blocks for every kind of step."""

from __future__ import annotations

from dataclasses import replace

from tests.kit import events as kit
from workbench.core.calls import CallGrew, CallOpened, ParseProblem, Span
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import ChunkReceived, FellBack
from workbench.core.exchange import NoticeDelta
from workbench.core.tools import ToolMode, ToolResult
from workbench.ui.run.loop.blocks import Block
from workbench.ui.run.loop.content import (
    LONGEST_VALUE,
    FieldLink,
    ResultLink,
    failed_blocks,
    parsed_blocks,
    sanitized_note,
    sent_blocks,
    value_text,
    value_voice,
)
from workbench.ui.run.run_fold import RunFold, fold
from workbench.ui.run.run_view import RunView, StepView


def _words(blocks: list[Block]) -> list[str]:
    return [block.plain for block in blocks]


def _step(run: RunView, number: int) -> tuple[RunView, StepView]:
    return run, run.steps[number]


def test_sent_column_lists_news() -> None:
    run = fold(kit.story())
    assert _words(sent_blocks(run.steps[1], 0, narrow=False)) == [
        "Planner 1,004 tok", "wrapper, loop 1", "+ 1 failed attempt",
    ]  # fmt: skip
    assert _words(sent_blocks(run.steps[1], 0, narrow=True)) == ["", "1,004"]


def test_a_fallback_is_visibly_marked() -> None:
    folder = RunFold()
    folder.apply(kit.running())
    folder.apply([FellBack(0, ErrorInfo(ErrorKind.TIMEOUT, "too slow"), 5)])
    assert "fallback: the planner could not be asked" in _words(sent_blocks(folder.view.steps[0], 0, narrow=False))


def test_a_call_is_a_row_with_links() -> None:
    run, step = _step(fold(kit.story()), 4)
    blocks = parsed_blocks(run, step, 0)
    assert _words(blocks)[0] == 'list_directory(path = "config")'
    assert _words(blocks)[1] == "3 entries, 67 B 2 ms"
    links = [one.link for one in blocks[0].runs if one.link is not None]
    assert FieldLink(0, ("path",)) in links
    assert blocks[1].runs[0].link == ResultLink(0)


def test_what_the_reader_noticed_stands_below_once() -> None:
    folder, price = RunFold(), NoticeDelta("price", "The reply cost 2 coins.")
    folder.apply(kit.running())
    number = next(iter(folder.view.steps))
    changes = folder.apply([ChunkReceived(number, 0, 0, b"", 9, (price, price, NoticeDelta("send_back", "x")))])
    assert number in changes.parsed
    assert _words(parsed_blocks(*_step(folder.view, number), 9))[1:] == ["The reply cost 2 coins."]


def test_tool_result_texts() -> None:
    run, step = _step(fold(kit.story()), 4)
    view = step.calls[0]
    view.result = None
    assert "running" in _words(parsed_blocks(run, step, 0))[1]
    view.mode = ToolMode.ASK
    assert "waits for you, below" in _words(parsed_blocks(run, step, 0))[1]
    view.result = ToolResult(True, None, None, ToolMode.RECORD)
    assert "recorded, not run" in _words(parsed_blocks(run, step, 0))[1]
    view.result = ToolResult(
        False, None, "gone", ToolMode.RUN, trace="log\nlast words\n", notes=("The tool has changed.",)
    )
    assert _words(parsed_blocks(run, step, 0))[2:4] == ["The tool has changed.", "last words"]
    view.problems = (ParseProblem("wrong_type", Span(0, 1), "path: 3 is not of type 'string'"),)
    assert _words(parsed_blocks(run, step, 0))[1:3] == [
        "not run: the arguments do not fit", "path: 3 is not of type 'string'",
    ]  # fmt: skip


def test_a_call_of_another_format_is_marked() -> None:
    run, step = _step(fold(kit.story()), 4)
    step.calls[0].call = step.calls[0].call._replace(format="mistral_json")
    assert "written as mistral_json, not qwen_xml" in _words(parsed_blocks(run, step, 0))


def test_a_growing_call_is_a_tree() -> None:
    folder = RunFold()
    folder.apply(kit.running("<tool_call>"))
    grown = '{"path": "notes.md", "content": "# Sum'
    folder.apply([ChunkReceived(0, 0, 9, b"", 1, (), (CallOpened(0, "write_file", Span(0, 3)), CallGrew(0, grown)))])
    blocks = parsed_blocks(folder.view, folder.view.steps[0], 1)
    assert _words(blocks) == ["write_file  building", 'path     "notes.md"', 'content  "# Sum']
    assert [block.tree for block in blocks] == ["", "├", "└"]
    assert blocks[2].runs[1].voice == "open", "an unfinished leaf is dashed"


def test_a_failed_step_has_three_lines() -> None:
    step = fold(kit.failed()).steps[0]
    assert _words(failed_blocks(step)) == [
        "The provider is overloaded",
        "529 overloaded_error · POST http://127.0.0.1:41883/v1/chat/completions · attempt 3 · 2.1 s",
        "Wait a moment, then press Retry.",
    ]


def test_the_best_reply_there_was_is_shown_to_the_user() -> None:
    run, step = _step(fold(kit.story()), 0)
    assert sanitized_note(run, step, 0) == "nothing for the user"
    assert step.reply is not None
    assert run.finished is not None
    step.reply = replace(step.reply, sanitized="Sure!")
    run.summary.finished = replace(run.finished, answer="Sure!")
    step.shown.append("text", "Sure!")
    assert sanitized_note(run, step, 0) == ""


def test_long_values_are_cut() -> None:
    text = value_text("x" * 5_000)
    assert len(text) < LONGEST_VALUE + 40
    assert "5,002 characters" in text
    assert [value_voice(value) for value in ("a", 1, None, True, [1])] == [
        "string", "number", "number", "number", "text",
    ]  # fmt: skip

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS, cases
from tests.kit.scanning import LEAK
from workbench.core.calls import Outcome, ParseResult, Span
from workbench.formats import get_format
from workbench.formats.survey import crossread
from workbench.formats.survey.crossread import best_reading, read_all
from workbench.formats.survey.forensics import GENERAL
from workbench.grading.incidents import in_markers
from workbench.scan import best_reader
from workbench.scan.best_reader import BestReader
from workbench.scan.reply import FoundReply

DECLARED = tuple(TOOLS.values())


def told(result: ParseResult) -> list[tuple[str, object, Outcome, Span]]:
    """Formats that share a shape differ in name and ids alone."""
    return [(call.name, call.arguments, call.outcome, call.span) for call in result.calls]


def test_readings_are_those_of_all_formats_whatever_was_read_before() -> None:
    reader = BestReader()
    texts = [case.raw for case in cases() if not get_format(case.format).native]
    read = {raw: best_reading(raw, DECLARED) for raw in texts}
    for _ in range(2):
        for raw in texts:
            got, wanted = reader.best(raw, FoundReply("1", tools=DECLARED)), read[raw]
            assert (told(got), got.problems) == (told(wanted), wanted.problems), raw


def test_no_call_in_markers_is_lost_where_nobody_says_what_was_offered() -> None:
    reader = BestReader()
    for raw in [case.raw for case in cases() if not get_format(case.format).native][::3]:
        got, wanted = reader.best(raw, FoundReply("1")), best_reading(raw, None)
        for one, told_by in ((got, wanted), (wanted, got)):
            missed = [call for call in told(one) if call not in told(told_by) and in_markers(raw, call[3])]
            assert missed == [], raw


def test_alike_leaks_are_read_by_one_format(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = BestReader()
    reader.best(LEAK, FoundReply("1"))
    monkeypatch.setattr(best_reader, "best_of", None)
    again = reader.best(LEAK.replace("Rome", "Oslo"), FoundReply("2"))
    assert [call.arguments for call in again.calls] == [{"city": "Oslo"}]


def test_another_call_behind_it_is_not_missed() -> None:
    reader = BestReader()
    reader.best(LEAK, FoundReply("1"))
    other = LEAK + '\n[TOOL_CALLS][{"name": "now", "arguments": {}}]'
    assert reader.best(other, FoundReply("2")) == best_reading(other, None)


def test_all_formats_read_a_text_but_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "I look.\n<tool_call>search<arg_key>path</arg_key><arg_value>a.txt</arg_value></tool_call>"
    asked: list[str] = []

    def read(text: str, *args: Any, **flags: bool) -> tuple[ParseResult, ...]:
        asked.append(text)
        return read_all(text, *args, **flags)

    assert best_reading(text, None).format in GENERAL
    monkeypatch.setattr(best_reader, "read_all", read)
    monkeypatch.setattr(crossread, "read_all", None)
    assert BestReader().best(text, FoundReply("1")).format == "glm45"
    assert asked == [text]


def test_a_call_is_named_by_the_format_that_writes_such_calls() -> None:
    written = "<tool_call>search<arg_key>path</arg_key><arg_value>a.txt</arg_value></tool_call>"
    for text, form in ((f"I look.\n{written}", "glm45"), (f"Now.\n{written}", "glm45")):
        best = BestReader().best(text, FoundReply("1"))
        assert best.format == form
        assert best.calls[0].arguments == {"path": "a.txt"}


def test_calls_that_the_end_of_the_text_cut_off_are_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = 'I look.\n<tool_call>\n{"name": "search", "arguments": {"path": "a.txt"'
    reader = BestReader()
    first = reader.best(cut, FoundReply("1"))
    again = cut.replace("a.txt", "b.txt")
    wanted = best_reading(again, None)
    monkeypatch.setattr(best_reader, "best_of", None)
    assert told(reader.best(again, FoundReply("2"))) == told(wanted)
    assert [call.outcome for call in first.calls] == [call.outcome for call in wanted.calls]


def test_calls_that_code_mentions_are_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = (
        f"Qwen writes a call as `<tool_call>` with JSON inside:\n```\n{LEAK}\n```\nThe parser cuts at the closing tag."
    )
    reader = BestReader()
    reader.best(shown, FoundReply("1"))
    again = shown.replace("Rome", "Oslo")
    wanted = best_reading(again, None)
    both = f"{again}\n{LEAK}"
    assert told(reader.best(both, FoundReply("2"))) == told(best_reading(both, None))
    monkeypatch.setattr(best_reader, "best_of", None)
    got = reader.best(again, FoundReply("3"))
    assert (got.calls, got.problems) == ((), wanted.problems)
    assert {one.code for one in got.problems} == {"mentioned"}

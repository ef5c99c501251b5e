"""A run becomes a case from the dialog."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit import events
from tests.kit.gui import open_window, settle
from tests.kit.waiting import until
from workbench.cases.files import load_suite
from workbench.core.calls import Outcome, ParseProblem, ParseResult, Span
from workbench.core.events import RunEvent, StepFinished, ToolFinished, ToolStarted, VerdictGiven
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.ui.run.case.keep import keep_case, tags_of, tags_text
from workbench.ui.run.case.keep_dialog import NO_CALL, NONE, PROPOSED

if TYPE_CHECKING:
    from pathlib import Path

KEY = "zk-proj-7Qm2xV9nL4pT8wR1sY6bC3dF0gH5jK"


def click(widget: Any) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def lost() -> list[RunEvent]:
    """The story with every call lost by its parser, and judged so."""
    told: list[RunEvent] = []
    for event in events.story():
        if isinstance(event, ToolStarted | ToolFinished | VerdictGiven):
            continue
        if isinstance(event, StepFinished) and event.reply.result.calls:
            spans = [call.span for call in event.reply.result.calls]
            problems = tuple(
                ParseProblem("bad_json", Span(*span), "It cannot be read.", Outcome.REPORTED) for span in spans
            )
            event = replace(event, reply=replace(event.reply, result=ParseResult(problems=problems)))
        told.append(event)
    return [*told, VerdictGiven(Verdict(VerdictState.FAIL, Basis.INTRINSIC, "A call was lost.", ("parse.bad_json",)))]


def test_made_calls_become_an_editable_expectation(run_async, theme, home: Path, monkeypatch, leak_check) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    async def body() -> None:
        async with open_window(theme, home) as session:
            kept: list[tuple[str, str]] = []
            shell = session.window.page("start").shell
            dialog = (await keep_case(shell, events.story(), lambda suite, case: kept.append((suite, case)))).dialog
            assert not dialog.guess.isVisible()
            assert not dialog.kind.button(PROPOSED).isVisible()
            assert dialog.text.toPlainText().startswith("expect:\n  calls:\n  - name: ")
            good = dialog.text.toPlainText()
            dialog.text.set_text(good.replace("name:", "nam:", 1))
            assert "expectation line 3" in dialog.status.text()
            assert not dialog.keep.isEnabled()
            click(dialog.kind.button(NONE))
            assert "no rate" in dialog.status.text()
            click(dialog.kind.button(NO_CALL))
            assert dialog.text.toPlainText() == "expect: no_call\n"
            dialog.text.set_text(good)
            dialog.title.setText("Weather: twice")
            dialog.tags.setText("easy  easy rome")
            dialog.notes.setText(f"As it was, with {KEY}.")
            dialog.suite.picked.emit("New one")
            click(dialog.keep)
            await until(lambda: kept)
            assert kept == [("new-one", "weather-twice")]

    run_async(body())
    found = load_suite(str(home / "suites" / "new-one")).cases[0]
    assert (found.title, bool(found.source_run)) == ("Weather: twice", True)
    assert (found.tags, found.notes) == (("easy", "rome"), f"As it was, with {'*' * len(KEY)}.")
    assert found.expectation is not None
    assert found.expectation.calls


def test_a_cancel_while_the_case_is_written_changes_nothing(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            kept: list[tuple[str, str]] = []
            crashed: list[object] = []
            session.tasks.crashed.connect(crashed.append)
            shell = session.window.page("start").shell
            dialog = (await keep_case(shell, events.story(), lambda suite, case: kept.append((suite, case)))).dialog
            click(dialog.keep)
            dialog.reject()
            settle()
            await until(lambda: kept or crashed)
            assert crashed == []

    run_async(body())
    assert len(list((home / "suites").rglob("*.yaml"))) == 1


def test_lost_calls_are_proposed_as_a_guess_and_corrected_in_the_form(run_async, theme, home: Path, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            kept: list[tuple[str, str]] = []
            shell = session.window.page("start").shell
            dialog = (await keep_case(shell, lost(), lambda suite, case: kept.append((suite, case)))).dialog
            assert dialog.guess.isVisible()
            assert dialog.kind.value == PROPOSED
            assert "inferred" in dialog.why.text
            assert "<tool_call>" in dialog.evidence.raw
            assert "confirms" in dialog.status.text()
            count = len(dialog.form.calls)
            assert count
            row = dialog.form.rows[0][0]
            row.value.clear()
            QTest.keyClicks(row.value, "other.toml")
            assert "other.toml" in dialog.text.toPlainText()
            assert dialog.form.rows[0][0] is row, "the form under edit stays"
            row.rule.setCurrentIndex(row.rule.findData("anything"))
            row.rule.activated.emit(row.rule.currentIndex())
            assert "any: true" in dialog.text.toPlainText()
            click(dialog.form.add)
            assert len(dialog.form.calls) == count + 1
            click(dialog.form.removes[-1])
            assert len(dialog.form.calls) == count
            click(dialog.keep)
            await until(lambda: kept)

    run_async(body())
    found = load_suite(str(home / "suites" / "my-cases")).cases[0]
    assert found.expectation is not None
    assert not found.expectation.no_call
    assert "guess" not in found.tags


def test_tags_of_several_words_stay_whole() -> None:
    for tags in ((), ("easy",), ("hostile content",), ("hostile content", "any value")):
        assert tags_of(tags_text(tags)) == tags
    assert tags_of("easy  easy rome") == ("easy", "rome")

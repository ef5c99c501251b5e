from __future__ import annotations

import pytest

from workbench.core.tools import ToolMode, ToolResult, ToolSetup, ToolSpec
from workbench.ui.tools.sample_pane import SamplePane

SETUP = ToolSetup(ToolSpec("f", "", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}))


@pytest.fixture
def pane(theme, qtbot) -> SamplePane:
    made = SamplePane()
    qtbot.addWidget(made)
    made.show()
    made.show_tool(SETUP, "")
    return made


def test_what_cannot_be_read_is_not_called(pane: SamplePane) -> None:
    asked: list[dict] = []
    pane.call_asked.connect(asked.append)
    pane.form.fields["n"].setText("{")
    pane.ask()
    assert asked == []
    assert pane.fault.isVisible()
    pane.form.fields["n"].setText("4")
    pane.ask()
    assert asked == [{"n": 4}]
    assert not pane.fault.isVisible()


def test_a_tool_that_cannot_be_called_says_why(pane: SamplePane) -> None:
    pane.show_tool(SETUP, "Nothing executes it.")
    assert not pane.call.isEnabled()
    assert pane.why.isVisible()


@pytest.mark.parametrize(
    ("result", "state"), [(ToolResult(True, "ok"), "pass"), (ToolResult(False, None, "no", ToolMode.RUN), "error")]
)
def test_results(pane: SamplePane, result: ToolResult, state: str) -> None:
    pane.show_running()
    assert pane.stop.isVisible()
    assert not pane.call.isVisible()
    pane.show_idle()
    pane.show_result(result, "3 ms", editable=False)
    assert (pane.mark.state, pane.took.text()) == (state, "3 ms")
    assert pane.call.isVisible()
    assert not pane.stop.isVisible()
    assert not pane.mock.isVisible()


def test_a_huge_result_says_how_much_of_it_a_model_gets(pane: SamplePane) -> None:
    pane.show_result(ToolResult(True, "x" * 300_000), "3 ms", editable=False)
    assert pane.outcome.text().endswith("kB, of it 200,000 characters to the model")


def test_facts_tell_what_is_kept_apart(pane: SamplePane) -> None:
    pane.show_facts([(True, "Files only inside", "No way up."), (False, "Servers are not fenced", "They run.")], "/w")
    pane.show_facts([(True, "Files only inside", "No way up.")], "")
    assert not pane.grab().isNull()

from __future__ import annotations

from tests.kit.verifying import virtual_verification
from workbench.ui.compare.verify.panel import ShownReply, VerifyPanel
from workbench.ui.compare.verify.policy_words import policy_lines
from workbench.ui.compare.verify.table_model import VerifyModel


def _panel(qtbot) -> tuple[VerifyPanel, VerifyModel]:
    found, panel = virtual_verification(("main-70b+template", "main-70b"), 40), VerifyPanel()
    model = VerifyModel(panel)
    qtbot.addWidget(panel)
    panel.resize(395, 720)
    panel.show()
    model.show(found, found.judged(), running=False)
    panel.policy.show_policy(found, policy_lines(found.policy))
    return panel, model


def _show(panel: VerifyPanel, model: VerifyModel, metric: str, candidate: int) -> None:
    index = model.place_of(metric, candidate)
    result = model.result(index)
    assert result is not None
    assert model.found is not None
    panel.show_cell(model.found, model.row(index.row()), result)


def test_a_cell_in_a_sentence_with_its_pairs(theme, qtbot) -> None:
    panel, model = _panel(qtbot)
    assert not panel.keep.isEnabled()
    _show(panel, model, "prompt_tokens", 0)
    assert panel.cell.title.text() == "Prompt tokens"
    assert panel.cell.who.text() == "Candidate A"
    assert not panel.cell.cause.isHidden()
    panel.tabs.choose("evidence")
    assert panel.evidence.pairs.isVisible()
    panel.evidence.show_reply(ShownReply("Pair 001, Candidate A", "get_weather {}", "in tool_calls"))
    assert panel.evidence.title.text() == "Pair 001, Candidate A"
    assert panel.keep.isEnabled()


def test_without_a_faulty_pair_it_says_so(theme, qtbot) -> None:
    panel, model = _panel(qtbot)
    _show(panel, model, "leaked_as_text", 1)
    panel.tabs.choose("evidence")
    assert not panel.evidence.pairs.isVisible()
    assert not panel.keep.isEnabled()
    panel.tabs.choose("policy")
    assert panel.policy.isVisible()
    panel.clear()
    assert panel.policy.isVisible()

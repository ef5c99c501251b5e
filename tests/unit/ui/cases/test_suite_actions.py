from __future__ import annotations

from workbench.ui.cases.suite_actions import SuiteActions
from workbench.ui.cases.view import CasesView


def test_without_a_suite_or_its_cases_nothing_is_done(theme, qtbot) -> None:
    page = CasesView()
    qtbot.addWidget(page)
    done: list[tuple[str, ...]] = []
    doing = SuiteActions(page, lambda suite: done.append((suite,)), lambda *what: done.append(what))
    doing.run()
    doing.replay()
    doing.set_enabled(False)
    assert not any(button.isEnabled() for button in doing.buttons)
    assert done == []

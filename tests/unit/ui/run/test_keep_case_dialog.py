from __future__ import annotations

from tests.kit.batches import case
from workbench.ui.run.keep_case_dialog import KeepCaseDialog
from workbench.ui.widgets.json_check import fault_at


def test_only_valid_expectations_are_saved(theme, qtbot) -> None:
    dialog = KeepCaseDialog("Weather", ["mine"])
    qtbot.addWidget(dialog)
    dialog.show_expectation("expect: no_call\n")
    dialog.show_check(case("weather"), None, "A run passes when nothing is called.")
    assert (dialog.keep.isEnabled(), dialog.status.text()) == (True, "A run passes when nothing is called.")
    dialog.show_check(None, fault_at("expect: no_call\n", 8, "unknown word"))
    assert not dialog.keep.isEnabled()
    assert dialog.status.text() == "expectation line 1, column 9: unknown word"
    dialog.reject()

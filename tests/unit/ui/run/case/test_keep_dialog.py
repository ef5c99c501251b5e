from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QApplication, QWidget

from tests.kit.batches import case
from tests.kit.gui import settle
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall
from workbench.ui.run.case.keep_dialog import KeepCaseDialog
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


def test_form_goes_with_the_dialog(theme, qtbot) -> None:
    """One that is not shown at the end would stay, a window of its own."""
    settle()
    before = len(QApplication.allWidgets())
    dialog = KeepCaseDialog("Weather", ["mine"])
    calls = replace(case("weather"), expectation=Expectation((ExpectedCall("get_weather"),)))
    for read in (calls, replace(calls, expectation=None)):
        dialog.show_check(read, None)
    form = dialog.form
    dialog.deleteLater()
    settle()
    assert len(QApplication.allWidgets()) == before
    assert form.calls == calls.expectation.calls  # somebody still holds it


def test_tab_goes_through_the_calls_before_cancel_and_keep(theme, qtbot) -> None:
    dialog = KeepCaseDialog("Weather", ["mine"])
    qtbot.addWidget(dialog)
    call = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",)), "days": ExpectedArgument()})
    dialog.show_check(replace(case("weather"), expectation=Expectation((call,))), None)
    dialog.show()
    city, days = dialog.form.rows[0]
    wanted = (
        dialog.text,
        dialog.form.names[0],
        city.rule,
        city.value,
        days.rule,
        dialog.form.add,
        dialog.cancel,
        dialog.keep,
    )
    chain: list[QWidget] = [dialog.text]
    while (following := chain[-1].nextInFocusChain()) is not dialog.text:
        chain.append(following)
    places = [chain.index(one) for one in wanted]
    assert places == sorted(places)

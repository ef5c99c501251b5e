"""Choosing which tools of a source go into which set, by mouse and by keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from workbench.core.tools import ToolSetup, ToolSpec
from workbench.ui.tools.import_dialog import ImportDialog, OfferedTool, OfferModel

SETUPS = [ToolSetup(ToolSpec(name, f"Does {name}.")) for name in ("list_orders", "cancel_order", "refund")]


def names(dialog: ImportDialog) -> list[str]:
    return [setup.spec.name for setup in dialog.offer.chosen()]


def test_the_model(qtmodeltester) -> None:
    model = OfferModel()
    model.show_lines([OfferedTool(SETUPS[0]), OfferedTool(SETUPS[1], taken=False)])
    qtmodeltester.check(model)
    told = [model.index(at, 0).data(Qt.ItemDataRole.AccessibleTextRole) for at in (0, 1)]
    assert told == ["list_orders, taken, Does list_orders.", "cancel_order, left out, Does cancel_order."]


def test_tools_are_turned_off_and_on_by_keys(theme, qtbot) -> None:
    dialog = ImportDialog(None, SETUPS, "orders.yaml", "orders")
    qtbot.addWidget(dialog)
    dialog.show()
    assert (names(dialog), dialog.accept_button.text()) == (["list_orders", "cancel_order", "refund"], "Import 3")
    dialog.list.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Space):
        QTest.keyClick(dialog.list, key)
    assert (names(dialog), dialog.accept_button.text()) == (["list_orders", "refund"], "Import 2")
    assert not dialog.grab().isNull()
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert len(names(dialog)) == 3
    QTest.keyClick(dialog.into, Qt.Key.Key_Return)
    assert dialog.result() == dialog.DialogCode.Accepted


def test_nothing_chosen_and_no_name_cannot_be_imported(theme, qtbot) -> None:
    dialog = ImportDialog(None, SETUPS, "orders.yaml", "orders")
    qtbot.addWidget(dialog)
    dialog.show()
    QTest.mouseClick(dialog.none, Qt.MouseButton.LeftButton)
    assert (names(dialog), dialog.accept_button.isEnabled()) == ([], False)
    QTest.mouseClick(dialog.all, Qt.MouseButton.LeftButton)
    dialog.into.setText(" ")
    assert not dialog.accept_button.isEnabled()
    dialog.into.setText("mine")
    place = dialog.list.visualRect(dialog.offer.index(2, 0)).center()
    QTest.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (names(dialog), dialog.accept_button.isEnabled()) == (["list_orders", "cancel_order"], True)

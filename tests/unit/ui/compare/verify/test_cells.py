from __future__ import annotations

from tests.kit.gui import colours
from tests.kit.verifying import virtual_verification
from workbench.ui.compare.verify.cells import MARKS
from workbench.ui.compare.verify.table import VerifyTable
from workbench.ui.compare.verify.table_model import VerifyModel
from workbench.ui.theme.theme import tokens
from workbench.verify.judgement import Judgement


def test_verdicts_have_shapes_of_their_own() -> None:
    assert len({MARKS[one] for one in Judgement}) == len(Judgement)


def test_a_fail_has_its_ground_and_a_running_one_has_none(theme, qtbot) -> None:
    found, model = virtual_verification(("main-70b+template",), 40), VerifyModel()
    table = VerifyTable(model)
    model.setParent(table)
    qtbot.addWidget(table)
    table.resize(900, 1100)
    table.show()
    model.show(found, found.judged(), running=False)
    assert {tokens().heat_low.lower(), tokens().heat_mid.lower()} <= colours(table.cells)
    model.show(found, found.judged(), running=True)
    table.cells.viewport().update()
    assert tokens().heat_low.lower() not in colours(table.cells)

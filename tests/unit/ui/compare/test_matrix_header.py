from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest

from tests.kit.comparing import matrix
from tests.kit.gui import picture
from workbench.ui.compare.matrix_header import CaseHead, fitting
from workbench.ui.compare.matrix_model import MatrixModel
from workbench.ui.compare.matrix_view import MatrixView


def test_a_click_on_a_target_tells_its_place_in_the_batch(theme, qtbot) -> None:
    model = MatrixModel()
    view = MatrixView(model)
    model.setParent(view)
    qtbot.addWidget(view)
    model.show(matrix())
    view.resize(980, 400)
    view.show()
    at = QPoint(view.header.sectionViewportPosition(4) + 20, 50)
    with qtbot.waitSignal(view.target_clicked) as seen:
        QTest.mouseClick(view.header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert seen.args == [3]
    before = picture(view.header)
    view.header.show_pair((3, 1))
    assert picture(view.header) != before


def test_long_names_get_smaller_before_they_are_cut(theme) -> None:
    wide = QFontMetrics(fitting("gemma_function", 500)).horizontalAdvance("gemma_function")
    assert QFontMetrics(fitting("gemma_function", wide - 4)).horizontalAdvance("gemma_function") < wide
    assert fitting("x" * 100, 20).pixelSize() == 10


def test_header_names_the_row_order(theme, qtbot) -> None:
    head = CaseHead()
    qtbot.addWidget(head)
    head.set_order("in running order")
    assert head.accessibleName() == "Cases, in running order"
    assert not head.grab().isNull()

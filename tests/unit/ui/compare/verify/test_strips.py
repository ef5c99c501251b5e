from __future__ import annotations

from tests.kit.verifying import virtual_verification
from workbench.ui.compare.verify.strips import DifferenceBars
from workbench.ui.compare.verify.table_model import VerifyModel


def test_a_row_a_candidate(theme, qtbot) -> None:
    found, model = virtual_verification(count=40), VerifyModel()
    bars, itself = DifferenceBars("Differences"), DifferenceBars("Itself", itself=True)
    for widget in (bars, itself):
        qtbot.addWidget(widget)
    model.setParent(bars)
    model.show(found, found.judged(), running=False)
    line = model.row(model.place_of("prompt_tokens", 0).row())
    for widget in (bars, itself):
        widget.show_row(line)
        widget.resize(340, 160)
        widget.show()
        assert not widget.grab().isNull()
    assert bars.unit == "tokens"
    assert bars.sizeHint().height() > itself.sizeHint().height() > 0
    bars.show_row(None)
    assert not bars.grab().isNull()

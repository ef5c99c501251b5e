from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from workbench.core.errors import InvalidInput
from workbench.ui.compare.verify.shown_verification import ShownVerification
from workbench.verify.verification import Verification


class _Shown(ShownVerification):
    async def show(self, found: Verification, *, running: bool) -> None: ...

    async def read_list(self, *, first: bool = False) -> None: ...


def test_errors_are_told_where_the_user_looks(theme, qtbot) -> None:
    said: list[str] = []
    shell: Any = SimpleNamespace(say=said.append)
    shown = _Shown(shell)
    qtbot.addWidget(shown.page)
    shown.page.resize(1400, 800)
    shown.page.show()
    shown.page.show_setup()
    shown.on_error(InvalidInput("No such model.", hint="Choose another."))
    assert "No such model." in shown.page.setup.sum.text() + shown.page.setup.run.toolTip()
    assert not shown.page.setup.run.isEnabled()
    shown.page.show_results()
    shown.on_error(InvalidInput("It is gone."))
    assert shown.page.trouble.isVisible()
    assert len(said) == 2

"""The Verify tab in the real window, set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.gui import go_to
from workbench.ui.compare.controller import CompareController

if TYPE_CHECKING:
    from workbench.ui.compare.verify.controller import VerifyController
    from workbench.ui.main.session import Session


async def verify_tab(session: Session, pairs: int = 20) -> VerifyController:
    """Bring Verify to the front."""
    page = go_to(session.window, CompareController)
    assert session.window.actions_table.run("verify.open")
    assert page.verifies
    verify = page.verify
    verify.page.setup.pairs.set_value(pairs)
    verify.page.setup.parallel.set_value(8)
    verify.choosing.show_sum()
    return verify

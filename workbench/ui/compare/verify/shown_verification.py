"""The verification that the tab shows, for all parts that work on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from workbench.ui.compare.verify.view import VerifyView

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell
    from workbench.verify.judgement import Verdicts
    from workbench.verify.verification import Verification


class ShownVerification(ABC):
    """What is shown, where, and how work on it is started."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.page = VerifyView()
        self.found: Verification | None = None
        self.judged: Verdicts | None = None

    @abstractmethod
    async def show(self, found: Verification, *, running: bool) -> None:
        """Show one as it stands."""

    @abstractmethod
    async def read_list(self, *, first: bool = False) -> None:
        """Read the earlier verifications; at first the newest one is shown, if there is one."""

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start something that takes time; what goes wrong is told on the page."""
        self.shell.tasks.start(work, "verify", on_error=self.on_error)

    def latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        """The same in place of the one before."""
        self.shell.tasks.latest(f"verify {what}", work, on_error=self.on_error)

    def on_error(self, error: WorkbenchError) -> None:
        """Tell what went wrong where the user looks."""
        if self.page.shows_setup:
            self.page.setup.show_sum("", str(error))
        else:
            self.page.show_trouble(error.message, error.hint)
        self.shell.say(str(error))

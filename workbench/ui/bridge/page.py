"""What the window's frame and a page know of each other.

A page is a controller with a view. The frame shows the view, writes what `title_changed` and `status_changed` say,
puts `top_widgets` into the top bar; what can be done on it is a table of commands beside the controller. A page gets a `Shell`: the
application, the owner of tasks, and the ways to other pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.app import Workbench
    from workbench.app.forensics import Specimen
    from workbench.app.pasted_result import PastedReading
    from workbench.core.target import ModelRef
    from workbench.store import StoredRun
    from workbench.ui.bridge.tasks import Tasks
    from workbench.ui.theme.theme import Theme


def _no_forensics(_specimen: Specimen, _back: Callable[[], None] | None, _format: str) -> None:
    """A window without the page."""


def _no_try(_tools: str) -> None:
    """A window without the page."""


def _no_fork(_stored: StoredRun) -> None:
    """A window without the page."""


def _no_history(_query: str) -> None:
    """A window without the page."""


def _no_reading(_text: str, told: Callable[[str, Callable[[], None] | None], None]) -> None:
    told("There is nothing here that reads it.", None)


async def _nobody_tells(_text: str) -> PastedReading:
    raise InvalidInput("There is nothing here that reads it.")


@dataclass(frozen=True, slots=True)
class Shell:
    """What a page may use of the window around it."""

    wb: Workbench
    tasks: Tasks
    theme: Theme
    window: QWidget
    """Parent of dialogs."""
    go: Callable[[str], None]
    """Show the page of that key."""
    open_run: Callable[[StoredRun], None]
    """Show a recorded run in Try."""
    try_model: Callable[[ModelRef], None]
    """Go to Try with that model chosen, and a prompt that shows what it does."""
    run_model: Callable[[ModelRef], None]
    """Go to Try with that model chosen, and run the prompt that stands there; an empty one is filled with an example."""
    paste_request: Callable[[str], None]
    """Go to Try with the request in a text: JSON of a chat request, or a plain prompt."""
    say: Callable[[str], None]
    """Write into the status bar what happened."""
    fork_run: Callable[[StoredRun], None] = _no_fork
    """Show a recorded run in Try and ask where it shall go another way."""
    examine: Callable[[Specimen, Callable[[], None] | None, str], None] = _no_forensics
    """Show a reply in Forensics, with a way back, coloured by a format; empty: by the one that fits."""
    find_runs: Callable[[str], None] = _no_history
    """Go to History with a filter."""
    use_tools: Callable[[str], None] = _no_try
    """Go to Try with these tools, as the JSON of a tool set."""
    read_pasted: Callable[[str, Callable[[str, Callable[[], None] | None], None]], None] = _no_reading
    """Say what a pasted text is and go where it is read. The function is told what it is, or that nobody knows it and
    how it is read as a reply all the same."""
    identify_pasted: Callable[[str], Awaitable[PastedReading]] = _nobody_tells
    """Say what a pasted text is, read off the window's thread. Raises InvalidInput."""


class Page(QObject):
    """Base of the pages' controllers."""

    title_changed = Signal(str, str)
    """Title and its context, for the top bar."""
    status_changed = Signal(str, str)
    """Left and right text of the status bar; an empty left text keeps what stands there."""
    top_widgets_changed = Signal()

    key = ""
    """Its name in the rail's table."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.window)
        self.shell = shell
        self.title: tuple[str, str] = ("", "")
        self.status: tuple[str, str] = ("", "")

    @property
    def view(self) -> QWidget:
        """The page's widget."""
        raise AssertionError(f"{type(self).__name__} has no view")

    def top_widgets(self) -> Sequence[QWidget]:
        """Widgets for the right end of the top bar; made once."""
        return ()

    def shown(self) -> None:
        """The page came to the front."""

    def settings_changed(self) -> None:
        """Another program changed the settings while the page is in front."""

    def order_tabs(self) -> None:
        """Tab was pressed and is about to lead on: what was made since the page was is put where it stands."""

    def hidden(self) -> None:
        """Another page came to the front."""

    async def aclose(self) -> None:
        """Let go of everything; tasks are ended by their owner."""

    def set_title(self, title: str, context: str = "") -> None:
        """Say what is shown."""
        self.title = (title, context)
        self.title_changed.emit(title, context)

    def set_status(self, left: str, right: str) -> None:
        """Say what happened, and where and with which parser."""
        self.status = (left or self.status[0], right)
        self.status_changed.emit(left, right)

"""Actions as data: one table a page makes its shortcuts, its part of the command palette and of the shortcut sheet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = TypeVar("P")
"""A page's controller."""
EVERYWHERE = "Everywhere"
"""Heading of actions that no page owns."""
UNDO_KEYS = "Ctrl+B"
"""Brings back a text that was replaced, on each page that keeps some."""


def _always(*_page: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """Something a user can do now."""

    id: str
    """`page.verb`, such as `history.reparse`."""
    title: str
    """As the palette shows it."""
    call: Callable[[], object]
    keys: tuple[str, ...] = ()
    """Shortcuts, as QKeySequence reads them; the first is shown. Single letters do nothing while text is edited."""
    group: str = EVERYWHERE
    """Heading in the shortcut sheet; a page's name for a page's actions."""
    icon: str = ""
    enabled: Callable[[], bool] = _always
    """Asked when the palette opens and before a shortcut acts."""
    hidden: bool = False
    """Not in the palette: it makes sense only as a key."""
    bound: bool = True
    """False: a widget takes the key itself, such as Enter in a list; it must not be taken from other widgets."""
    words: str = ""
    """Other words that it is looked for by: those of its button, and of other programs."""


@dataclass(frozen=True, slots=True)
class Command(Generic[P]):
    """Something a user can do on a page, told before the page is made; `on` binds it to the page's controller."""

    id: str
    title: str
    call: Callable[[P], object]
    keys: tuple[str, ...] = ()
    group: str = EVERYWHERE
    icon: str = ""
    enabled: Callable[[P], bool] = _always
    hidden: bool = False
    bound: bool = True
    words: str = ""

    def on(self, page: P) -> Action:
        """The action on one page."""
        return Action(
            self.id, self.title, partial(self.call, page), self.keys, self.group, self.icon,
            partial(self.enabled, page), self.hidden, self.bound, self.words,
        )  # fmt: skip

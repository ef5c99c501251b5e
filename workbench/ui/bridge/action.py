"""An action as data: one table of these makes the shortcuts, the command palette and the shortcut sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """Something a user can do."""

    id: str
    """`page.verb`, such as `history.reparse`."""
    title: str
    """As the palette shows it."""
    call: Callable[[], object]
    keys: tuple[str, ...] = ()
    """Shortcuts, as QKeySequence reads them; the first is shown. Single letters do nothing while text is edited."""
    group: str = "Everywhere"
    """Heading in the shortcut sheet; a page's name for a page's actions."""
    icon: str = ""
    enabled: Callable[[], bool] = _always
    """Asked when the palette opens and before a shortcut acts."""
    hidden: bool = False
    """Not in the palette: it makes sense only as a key."""
    bound: bool = True
    """False: a widget takes the key itself, such as Enter in a list; it must not be taken from other widgets."""

"""Which parts of a provider's fields are shown as stars: by today's settings and all keys that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.ui.providers.extras_dialog import mask_fields
from workbench.ui.widgets.hidden_text import mask_address

if TYPE_CHECKING:
    from workbench.ui.bridge.page import Shell


class FieldMasks:
    """Asks the application each time: names that count as secret may have been added."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def address(self, address: str) -> str:
        """An address with stars of the same length."""
        wb = self._shell.wb
        return mask_address(address, wb.saved_settings.privacy.marked, wb.secrets.all_values())

    def fields(self, headers: dict[str, str], body: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
        """Headers and body fields with stars."""
        wb = self._shell.wb
        return mask_fields(headers, body, wb.saved_settings.privacy.marked, wb.secrets.all_values())

"""What is pasted into the start page or the palette: told off the window's thread, then opened on the page that reads it."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING

from workbench.app.provider_at import provider_at, provider_for
from workbench.core.target import ModelRef
from workbench.ui.bridge.tasks import Stop
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from workbench.app.pasted_result import PastedReading
    from workbench.core.protocols import SchemaChecker
    from workbench.settings.config import ProviderConfig
    from workbench.ui.bridge.page import Shell

ADDED = tr("give a key if it wants one, then test the connection")


class Pasting:
    """Reads pasted texts for a window."""

    def __init__(self, shell: Shell, add_provider: Callable[[ProviderConfig, str], None]) -> None:
        self._shell, self._add_provider = shell, add_provider
        self._stop = Stop()

    def read(self, text: str, told: Callable[[str, Callable[[], None] | None], None]) -> None:
        """Read a text and show it; `told` gets what it is, or why not and how it is read all the same."""
        self._shell.tasks.latest("pasted", self._read(text, told), on_error=lambda error: told(str(error), None))

    def told_in_status(self, sentence: str, instead: Callable[[], None] | None) -> None:
        """Tell what a text is where there is no better place; what nobody knows is shown as a reply all the same."""
        if instead is not None:
            instead()
        self._shell.say(sentence)

    async def identify(self, text: str) -> PastedReading:
        """Say what a text is; the one before is given up. Raise InvalidInput."""
        self._stop.stop()
        self._stop = stop = Stop()
        wb = self._shell.wb
        secrets = await asyncio.to_thread(wb.known_secrets)
        try:
            return await asyncio.to_thread(_identify, text, wb.check, secrets, stop)
        finally:
            stop.stop()

    async def _read(self, text: str, told: Callable[[str, Callable[[], None] | None], None]) -> None:
        found = await self.identify(text)
        told(found.sentence, None if found.opens else self._all_the_same(found))
        if found.opens:
            self.open(found)

    def _all_the_same(self, found: PastedReading) -> Callable[[], None] | None:
        return partial(self._shell.examine, found.specimen, None, "") if found.specimen is not None else None

    def open(self, found: PastedReading) -> None:
        """Show a reading where it belongs."""
        from workbench.app.pasted_result import Opens, request_document

        shell, said = self._shell, f"{found.title[:1].upper()}{found.title[1:]}: {found.sentence}"
        match found.opens:
            case Opens.FORENSICS if found.specimen is not None:
                shell.examine(found.specimen, None, "")
            case Opens.TRY if found.request is not None:
                shell.paste_request(json.dumps(request_document(found.request), ensure_ascii=False))
                self._choose_model(found)
            case Opens.TRY:
                shell.use_tools(json.dumps([tool.to_openai() for tool in found.tools], ensure_ascii=False, indent=1))
            case Opens.PROVIDERS:
                known = provider_at(found.address, shell.wb.providers())
                self._add_provider(known or provider_for(found.address, found.wire), ADDED)
                return
            case _:
                return
        self._shell.say(said)

    def _choose_model(self, found: PastedReading) -> None:
        """The model that was asked, where its endpoint is one that is set up."""
        assert found.request is not None
        known = provider_at(found.address, self._shell.wb.providers()) if found.address else None
        if known is not None and found.request.model:
            self._shell.try_model(ModelRef(known.name, found.request.model))


def _identify(text: str, check: SchemaChecker, secrets: Iterable[str], stop: Stop) -> PastedReading:
    """Read a text; the readers of all kinds are loaded when the first text is pasted, in a thread."""
    from workbench.app.pasted_reading import read_pasted

    return read_pasted(text, check, secrets, None, stop)

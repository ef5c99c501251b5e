"""The simulated models as the application sees them: known before anything is started, served when first asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.simulate.personas import Persona
    from workbench.simulate.simulated_server import SimulatedServer


SIMULATOR = "Simulator"
"""Name of the built-in provider."""


class Simulator:
    """Starts the loopback server on demand."""

    def __init__(self) -> None:
        self._server: SimulatedServer | None = None
        self._starting = asyncio.Lock()

    @property
    def personas(self) -> Mapping[str, Persona]:
        """All simulated models by name, in the order in which they are shown."""
        from workbench.simulate.personas import PERSONAS

        return PERSONAS

    @property
    def base_url(self) -> str:
        """Where it listens; before it was started, the address without a port."""
        return self._server.base_url if self._server else "http://127.0.0.1/v1"

    async def start(self) -> str:
        """Start the server if it does not run; return its base URL."""
        async with self._starting:  # two who ask at once get the same one
            if self._server is None:
                from workbench.simulate.simulated_server import SimulatedServer

                server = SimulatedServer()
                await server.start()
                self._server = server
            return self._server.base_url

    async def aclose(self) -> None:
        """Stop the server."""
        if self._server is not None:
            await self._server.aclose()
            self._server = None

"""Requests as they leave: encoded by the wire, signed in, with our own headers; and as they are recorded, without secrets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench import __version__
from workbench.core.exchange import WireRequest
from workbench.core.masking import Secrets
from workbench.core.secret_values import secrets_in_endpoint, secrets_in_fields
from workbench.providers.sign_in import sign_in_for
from workbench.providers.unpack import ACCEPTED
from workbench.wires import get_wire

if TYPE_CHECKING:
    from collections.abc import Collection, Set

    from workbench.core.exchange import Endpoint
    from workbench.core.messages import ChatRequest


class Outgoing:
    """Makes requests for one endpoint; `secrets` are all that must not be recorded of them, and grow."""

    def __init__(
        self, endpoint: Endpoint, key: str | None, secrets: Collection[str], *, mask_foreign_keys: bool = False
    ) -> None:
        self._endpoint = endpoint
        self._key = key.strip() if key and key.strip() else None
        self._wire = get_wire(endpoint.wire)
        self._sign_in = sign_in_for(endpoint, self._key)
        own = {*secrets, *([self._key] if self._key else []), *secrets_in_endpoint(endpoint)}
        self.secrets = Secrets(own, foreign=mask_foreign_keys)

    def chat(self, request: ChatRequest) -> WireRequest:
        """Encode a request; raise InvalidInput for what cannot be sent."""
        self._learn({*secrets_in_fields(request.extra)})
        return _with_own_headers(self._wire.encode(request, self._endpoint, self._key))

    def models(self) -> WireRequest:
        """Return the request for the list of models."""
        return _with_own_headers(self._wire.models_request(self._endpoint, self._key))

    async def signed(self, request: WireRequest) -> WireRequest:
        """Put a cloud's sign-in on a request, anew for each try; raise MissingLibrary, SecretError or SettingsError."""
        if self._sign_in is None:
            return request
        signed = await self._sign_in.signed(request)
        self._learn(self._sign_in.secrets)
        return signed

    def masked(self, request: WireRequest) -> WireRequest:
        """Return a request as it may be recorded."""
        secrets = self.secrets
        url, headers = secrets.mask_url(request.url), secrets.mask_headers(request.headers)
        return WireRequest(request.method, url, headers, secrets.mask_bytes(request.body))

    def _learn(self, found: Set[str]) -> None:
        """Values that turn out to be secrets, such as fields named as keys are, are masked from now on."""
        if not found <= self.secrets.values:
            self.secrets = Secrets(self.secrets.values | found, foreign=self.secrets.foreign)


def _with_own_headers(request: WireRequest) -> WireRequest:
    own = (("user-agent", f"tool-calling-workbench/{__version__}"), ("accept-encoding", ACCEPTED))
    there = {name.lower() for name, _ in request.headers}
    return replace(request, headers=(*request.headers, *(pair for pair in own if pair[0] not in there)))

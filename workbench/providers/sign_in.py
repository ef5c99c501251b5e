"""Signing in at clouds that take no plain key: Google Cloud, AWS and Azure, each through its vendor's own library.

The libraries are extras, imported when first used. They find credentials where the vendor's own tools put them: files of `gcloud`,
`aws` and `az`, environment variables, the machine's role. An endpoint asks for one by its quirk `sign_in`; a key, where one
is given, goes first.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from workbench.core.errors import MissingLibrary, SecretError, SettingsError
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint, Headers, WireRequest

GOOGLE_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
AZURE_SCOPE = "https://cognitiveservices.azure.com/.default"
_EARLY_S = 120.0
"""A token is renewed so long before it ends."""
_REGION = re.compile(r"(?:^|\.)([a-z]{2}(?:-[a-z]+)+-\d+)\.")


class SignIn(Protocol):
    """Puts the headers of a signed-in caller on a request."""

    secrets: frozenset[str]
    """What must not be recorded of the last request that was signed."""

    async def signed(self, request: WireRequest) -> WireRequest:
        """Return the request with its headers; raise MissingLibrary or SecretError."""
        ...


def sign_in_for(endpoint: Endpoint, key: str | None) -> SignIn | None:
    """Return the sign-in that an endpoint asks for; None where a key does, or nothing. Raise SettingsError."""
    known = resolved(endpoint)
    kind = known.quirks.get("sign_in")
    if not kind or key:
        return None
    match kind:
        case "google":
            return _Token(_google_token)
        case "azure":
            return _Token(_azure_token)
        case "aws":
            return _Signature(endpoint.base_url, str(known.quirks.get("aws_service", "bedrock")))
    raise SettingsError(f"There is no sign-in {kind!r}.", hint="Known: google, aws, azure.")


class _Token:
    """A bearer token, kept until shortly before it ends."""

    def __init__(self, fetch: Any) -> None:
        self._fetch = fetch
        self._token = ""
        self._until = 0.0
        self._lock = asyncio.Lock()
        self.secrets: frozenset[str] = frozenset()

    async def signed(self, request: WireRequest) -> WireRequest:
        """Add the token."""
        async with self._lock:
            if time.time() > self._until - _EARLY_S:
                self._token, self._until = await asyncio.to_thread(self._fetch)
                self.secrets = frozenset({self._token})
        return replace(request, headers=_with(request.headers, {"authorization": f"Bearer {self._token}"}))


class _Signature:
    """A signature over each request (AWS Signature Version 4), with the credentials of the moment."""

    def __init__(self, base_url: str, service: str) -> None:
        self._base_url, self._service = base_url, service
        self._session: Any = None
        self.secrets: frozenset[str] = frozenset()

    async def signed(self, request: WireRequest) -> WireRequest:
        """Sign."""
        return await asyncio.to_thread(self._sign, request)

    def _sign(self, request: WireRequest) -> WireRequest:
        auth, awsrequest = _library("botocore.auth", "bedrock"), _library("botocore.awsrequest", "bedrock")
        self._session = self._session or _library("botocore.session", "bedrock").Session()
        found = self._session.get_credentials()
        if found is None:
            raise SecretError(
                "No AWS credentials were found.", hint="Run 'aws configure' or 'aws sso login', or give a key."
            )
        held = found.get_frozen_credentials()
        own = {name: value for name, value in request.headers if name.lower() == "content-type"}
        asked = awsrequest.AWSRequest(request.method, request.url, headers=own, data=request.body)
        auth.SigV4Auth(held, self._service, self._region()).add_auth(asked)
        self.secrets = frozenset(filter(None, (held.secret_key, held.token, held.access_key)))
        return replace(request, headers=_with(request.headers, dict(asked.headers.items())))

    def _region(self) -> str:
        match = _REGION.search(urlsplit(self._base_url).hostname or "")
        region = match[1] if match else self._session.get_config_variable("region")
        if not region:
            raise SettingsError("The address names no AWS region.", hint="Set AWS_DEFAULT_REGION.")
        return str(region)


def _google_token() -> tuple[str, float]:
    auth, transport = _library("google.auth", "vertex"), _library("google.auth.transport.requests", "vertex")
    errors = _library("google.auth.exceptions", "vertex")
    try:
        credentials, _ = auth.default(scopes=[GOOGLE_SCOPE])
        credentials.refresh(transport.Request())
    except errors.GoogleAuthError as error:
        raise SecretError(
            f"Google Cloud lets nobody in: {_first_line(error)}.", hint="Run 'gcloud auth application-default login'."
        ) from error
    ends = credentials.expiry
    return str(credentials.token), ends.timestamp() if ends and ends.tzinfo else time.time() + 1800


def _azure_token() -> tuple[str, float]:
    identity, errors = _library("azure.identity", "azure"), _library("azure.core.exceptions", "azure")
    try:
        with identity.DefaultAzureCredential() as credential:
            found = credential.get_token(AZURE_SCOPE)
    except errors.AzureError as error:
        raise SecretError(
            f"Azure lets nobody in: {_first_line(error)}.", hint="Run 'az login', or give a key."
        ) from error
    return str(found.token), float(found.expires_on)


def _library(name: str, extra: str) -> Any:
    logging.getLogger(name.partition(".")[0]).addHandler(logging.NullHandler())  # our error says it in one line
    try:
        return import_module(name)
    except ImportError as error:
        text = f"Signing in needs the library {name.partition('.')[0]!r}, which is not installed."
        raise MissingLibrary.of_extra(text, extra) from error


def _first_line(error: Exception) -> str:
    return next((line.strip().rstrip(".") for line in str(error).splitlines() if line.strip()), type(error).__name__)[
        :300
    ]


def _with(headers: Headers, more: dict[str, str]) -> Headers:
    names = {name.lower() for name in more}
    return (*(pair for pair in headers if pair[0].lower() not in names), *more.items())

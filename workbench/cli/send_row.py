"""A row of `workbench send`: where it goes, with which key and limits, and what no answer to it may tell."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.app.data_folder import DataFolder
from workbench.core.errors import InvalidInput, SecretError
from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, request_from_json
from workbench.core.secret_values import secrets_in_fields
from workbench.providers.client_options import ClientOptions
from workbench.wires import get_wire, wires_offered
from workbench.wires.table import OfferedIn

if TYPE_CHECKING:
    import argparse


def protocols() -> list[str]:
    """Return the wires that can be asked for."""
    return [row.id for row in wires_offered(OfferedIn.CLI)]


@dataclass(slots=True)
class SendRow:
    """One exchange to be made."""

    endpoint: Endpoint
    key: str | None
    request: ChatRequest
    retries: int


def read_row(row: dict[str, Any]) -> SendRow:
    """Read one row; raise InvalidInput or SecretError naming what is wrong."""
    protocol, base_url = row.get("protocol"), row.get("base_url")
    if not isinstance(protocol, str) or not isinstance(base_url, str):
        raise InvalidInput(
            "'protocol' and 'base_url' must both be texts.", hint=f"Protocols: {', '.join(protocols())}."
        )
    get_wire(protocol)
    retries = row.get("retries") or 0
    if not isinstance(retries, int) or not 0 <= retries <= 10:
        raise InvalidInput(f"'retries' is {retries!r}.", hint="Give a number from 0 to 10.")
    stream = row.get("stream")
    if isinstance(stream, str):
        raise InvalidInput(f"'stream' is {stream!r}.", hint="Give true or false.")
    request = request_from_json(row.get("request"), stream=stream is not False)
    headers = row.get("headers") or {}
    if not isinstance(headers, dict):
        raise InvalidInput("'headers' is not an object.")
    pairs = tuple((str(name), str(value)) for name, value in headers.items())
    return SendRow(Endpoint("send", protocol, base_url, pairs), _key(row.get("key_env")), request, retries)


def _key(name: Any) -> str | None:
    if not name:
        return None
    value = os.environ.get(str(name), "").strip()
    if not value:
        raise SecretError(
            f"The environment variable {str(name)!r} is not set.", hint="It must hold the provider's key."
        )
    return value


class Privacy(NamedTuple):
    """What the data folder says of keys."""

    known: frozenset[str]
    """Keys of the settings and of the environment."""
    mask_foreign: bool
    """Keys of others become stars as well."""


def privacy_of(options: argparse.Namespace) -> Privacy:
    """Read the settings of the data folder that `--home` names."""
    with DataFolder.find(Path(options.home) if options.home else None) as folder:
        return Privacy(folder.known_secrets(), folder.settings.privacy.foreign_keys == "mask")


def secrets_of(row: SendRow, privacy: Privacy) -> frozenset[str]:
    """What no answer may tell besides the key and the endpoint's own: what is known and keys in the request's fields."""
    return privacy.known | frozenset(secrets_in_fields(dict(row.request.extra)))


def limits_of(options: argparse.Namespace, retries: int, privacy: Privacy) -> ClientOptions:
    """Return the limits in seconds; `--timeout` is the longest silence. Raise InvalidInput for a useless one."""
    silence = options.timeout
    if silence is not None and not 0 < silence < 1e6:
        raise InvalidInput(f"--timeout {silence} is no useful number of seconds.")
    return ClientOptions(
        connect=min(10.0, silence or 10.0),
        first_byte=silence or 120.0,
        stall=silence or 60.0,
        total=max(600.0, silence or 0.0),
        retries=retries,
        max_concurrency=max(1, options.parallel),
        mask_foreign_keys=privacy.mask_foreign,
    )

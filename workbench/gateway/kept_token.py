"""The token that agents are set up with: in the keychain, so that it holds over restarts; else for as long as the program runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from workbench.core.errors import SecretError
from workbench.gateway.access import TOKEN_VARIABLE, new_token
from workbench.settings.values import ProviderConfig

if TYPE_CHECKING:
    from workbench.settings.secrets import SecretBox

PLACE = ProviderConfig("workbench/gateway", key="keyring")
"""Where it is kept; no provider's name has a slash."""


def kept_token(secrets: SecretBox) -> str:
    """Return the environment's token, the kept one, or a new one that is kept from now on. A keychain may take long."""
    if given := os.environ.get(TOKEN_VARIABLE, ""):
        return given
    try:
        if known := secrets.get(PLACE):
            return known
        return renew_token(secrets)
    except SecretError:  # locked, or nothing may be kept there: this session has a token of its own
        return new_token()


def renew_token(secrets: SecretBox) -> str:
    """Make another token and keep it; clients with the old one are refused from now on."""
    token = new_token()
    secrets.set(PLACE, token)
    return token

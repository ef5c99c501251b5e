"""What makes a client's runs at the gateway carry the name of the test that asked."""

from __future__ import annotations

import os
from dataclasses import dataclass

NAME_HEADER = "x-workbench-run"
"""As `gateway.clients` reads it."""
ADDRESS, TOKEN = "WORKBENCH_GATEWAY", "WORKBENCH_GATEWAY_TOKEN"
_DEFAULT = "http://127.0.0.1:8000"
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A test as the gateway knows it."""

    name: str
    address: str
    """Of the gateway, without a path."""
    api_key: str
    """The gateway's token; any word where it asks for none."""

    @property
    def base_url(self) -> str:
        """As OpenAI's client takes it; Anthropic's takes `address`."""
        return f"{self.address}/v1"

    @property
    def headers(self) -> dict[str, str]:
        """For a client's `default_headers`."""
        return {NAME_HEADER: self.name}

    @property
    def environment(self) -> dict[str, str]:
        """For programs that are set up by variables: OpenAI's and Anthropic's clients, Claude Code."""
        return {
            "OPENAI_BASE_URL": self.base_url,
            "OPENAI_API_KEY": self.api_key,
            "ANTHROPIC_BASE_URL": self.address,
            "ANTHROPIC_API_KEY": self.api_key,
            "ANTHROPIC_CUSTOM_HEADERS": f"{NAME_HEADER}: {self.name}",
        }


def named_run(test: str, address: str = "") -> NamedRun:
    """The run of a test; without an address that of the environment, else where `workbench gateway` listens by default."""
    found = (address or os.environ.get(ADDRESS) or _DEFAULT).rstrip("/").removesuffix("/v1")
    return NamedRun(_header_text(test), found, os.environ.get(TOKEN) or "workbench")


def _header_text(test: str) -> str:
    """A header holds printable ASCII; of a long name the end tells more than the beginning."""
    plain = "".join(c if " " <= c <= "~" else "?" for c in test)
    return plain[-_LONGEST:]

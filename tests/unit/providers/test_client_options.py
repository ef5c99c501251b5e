"""Limits of a client."""

from __future__ import annotations

from workbench.providers.client_options import ClientOptions


def test_defaults_fit_together() -> None:
    options = ClientOptions()
    assert options.connect < options.stall <= options.first_byte < options.total
    assert options.retries == 2

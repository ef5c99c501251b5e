"""Reaching a provider: HTTP client, retries, limits, redaction."""

"""Simulated models with documented fault rates, behind a real loopback HTTP server."""

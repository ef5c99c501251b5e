"""Versions that are recorded with every run."""

PARSER_VERSION = "2026.11.12"
"""Changes when any format reads a text differently; stored readings of older versions can be rebuilt."""

"""Verdicts and statistics: pure functions over events."""

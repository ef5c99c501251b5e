"""Stored runs again: re-parse, and the engine over recorded exchanges."""

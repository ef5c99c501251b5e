"""Paths, the settings file, keys and environment settings."""

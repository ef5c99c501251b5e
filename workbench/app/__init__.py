"""Builds everything and owns the running tasks."""

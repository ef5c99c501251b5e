"""Runs as async generators of frozen events: direct, emulated, boosted."""

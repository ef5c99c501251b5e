"""A run as a case: what is expected of it, and keeping it."""

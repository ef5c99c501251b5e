"""Try: one prompt, now."""

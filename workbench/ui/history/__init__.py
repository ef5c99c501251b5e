"""History: every recorded run."""

"""Verify, a tab of the comparison: one model at several endpoints, metric by metric."""

"""Start: recorded failures and simulated models."""

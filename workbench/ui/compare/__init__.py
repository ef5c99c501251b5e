"""Compare: targets against each other over a suite."""

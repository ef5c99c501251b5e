"""Gateway: what agents ask and get, as it happens."""

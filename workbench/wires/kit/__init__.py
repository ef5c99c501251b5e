"""What the wires share: server-sent events, NDJSON."""

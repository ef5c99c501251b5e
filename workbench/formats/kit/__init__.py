"""What the families share: scanner, loose JSON, argument types, bodies."""

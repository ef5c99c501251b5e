"""Values, events, protocols and errors that every layer shares. Standard library only, no I/O."""

"""The tools page: sets and sources, a tool's definition, a call of it for real, and what a call may do here."""

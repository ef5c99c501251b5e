"""Numbered steps of the schema. Never edited once released: a change is a further step."""

"""Colour tokens, style sheet, icons, fonts."""

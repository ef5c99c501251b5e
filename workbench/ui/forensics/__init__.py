"""Forensics: one text, read by every format."""

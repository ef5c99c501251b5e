"""Recorded runs as fixtures for other people's projects.

Every exporter returns an `Export`: files as text, to be shown before anything leaves, checked for secrets, then written.
"""

"""Executing calls: record and mock."""

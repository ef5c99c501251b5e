"""Providers: endpoints, keys and their models."""

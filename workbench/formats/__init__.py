"""How models write tool calls in text, and the parsers that read them."""

from workbench.formats.registry import get_format, list_formats

__all__ = ["get_format", "list_formats"]

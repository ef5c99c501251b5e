"""How models write tool calls in text, and the parsers that read them."""

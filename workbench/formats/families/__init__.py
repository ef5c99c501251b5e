"""One tool-call family a file: its prompt, its literals, its parser."""

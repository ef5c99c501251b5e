"""Tool-Calling Workbench: send a prompt with tools to a model and see every step of what came back."""

__version__ = "0.1.0"

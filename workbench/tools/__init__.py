"""Tools and their execution: mocks, built-in tools in a fence, the user's own functions, MCP servers, HTTP operations.

A user's file needs `from workbench.tools import tool` and nothing else of this package.
"""

from workbench.tools.declared import tool

__all__ = ["tool"]

"""Makes the window's fixtures known to the tests below."""

from tests.kit.gui import leak_check, run_async, theme

__all__ = ["leak_check", "run_async", "theme"]

"""Makes the window's fixtures known to the tests below."""

from tests.kit.gui import leak_check, no_local_servers, run_async, theme

__all__ = ["leak_check", "no_local_servers", "run_async", "theme"]

"""Makes the window's fixtures known to the tests below; `page` is Try's, where a file has none of its own."""

from tests.kit.gui import leak_check, no_local_servers, run_async, theme
from tests.kit.try_page import page

__all__ = ["leak_check", "no_local_servers", "page", "run_async", "theme"]

"""`workbench open [FILE]`: how it is called. The window itself is opened by `workbench.__main__`, which knows both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cli.output import write
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

HELP = """Usage: workbench open [FILE]

Open the window. FILE is a case file (.yaml, .yml, .json or .jsonl), shown on the page Cases: it is edited and run where
it lies. A file manager does the same with a double click, where the Debian package or its desktop file is installed."""


def main(argv: Sequence[str]) -> int:
    """Tell how it is used; raise InvalidInput for what `__main__` could not take as a window."""
    if any(word in ("--help", "-h") for word in argv):
        write(HELP)
        return 0
    raise InvalidInput("One case file can be opened at a time.", hint="Write: workbench open FILE.")

"""The text that the page Forensics shows, what was read in it, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from workbench.app.forensics import Specimen

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app.forensics import Examination


@dataclass(slots=True)
class ExaminedText:
    """Shared by the page's controller and what is done with the text."""

    specimen: Specimen = field(default_factory=lambda: Specimen(""))
    exam: Examination | None = None
    """None until the text has been read."""
    chosen: str = ""
    """The format whose reading colours the text."""
    back: Callable[[], None] | None = None
    """Leads to where the text came from."""


class BeginWith(Protocol):
    """Shows another text in place of the one before."""

    def __call__(
        self, specimen: Specimen, back: Callable[[], None] | None = None, name: str = "", *, put_away: bool = True
    ) -> None: ...

"""What is known of a model beyond the name it is served under."""

from __future__ import annotations

from typing import NamedTuple


class LocalModel(NamedTuple):
    """A model whose file is on this computer."""

    name: str
    """The file's path: it tells more than the name under which the model is served."""
    template: str
    """Its chat template."""

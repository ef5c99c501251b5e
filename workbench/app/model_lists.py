"""The models that a provider offered when it was last asked: kept in the data folder, one file a provider.

Detection reads them (some lists say which models take tools), the window fills its choices from them at once, and both
work offline.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from workbench.core.atomic_files import write_file
from workbench.core.errors import SettingsError
from workbench.core.exchange import ModelInfo
from workbench.core.masking import Secrets
from workbench.core.whole_files import bytes_of_file
from workbench.decoding import decoder_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from workbench.settings.config import ProviderConfig


LISTS = "models"
"""Folder of the lists in the data folder."""


@dataclass(frozen=True, slots=True)
class ModelList:
    """A provider's answer on one day."""

    provider: str
    wire: str
    base_url: str
    read_us: int
    """UTC microseconds."""
    models: tuple[ModelInfo, ...] = ()

    def model(self, name: str) -> ModelInfo | None:
        """One of them by its id."""
        return next((model for model in self.models if model.id == name), None)


class ModelLists:
    """Reads and writes the lists; what cannot be read counts as never asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, tuple[int, ModelList | None]] = {}
        """By file: its time stamp, and what it held then."""

    def keep(
        self, config: ProviderConfig, models: Collection[ModelInfo], read_us: int, secrets: Secrets | None = None
    ) -> None:
        """Write what a provider offers now; raise SettingsError. An empty list replaces none."""
        if not models:
            return
        found = ModelList(config.name, config.wire, config.base_url, read_us, tuple(models))
        data = (secrets or Secrets()).mask_bytes(msgspec.json.encode(found))
        write_file(file_for(self._folder, config.name, secrets), data, private=True, error=SettingsError)

    def of(self, config: ProviderConfig) -> ModelList | None:
        """The newest list of a provider; one of another address says nothing any more."""
        found = self._load(found_file(self._folder, config.name))
        same = found is not None and (found.wire, found.base_url) == (config.wire, config.base_url)
        return found if same else None

    def _load(self, path: Path) -> ModelList | None:
        try:
            stamp = path.stat().st_mtime_ns
            known = self._read.get(path)
            if known is None or known[0] != stamp:
                known = self._read[path] = (stamp, decoder_of(ModelList).decode(bytes_of_file(path)))
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
        return known[1]


def file_for(folder: Path, name: str, secrets: Secrets | None = None) -> Path:
    """Where to write: a file name that people can read and that two names never share. Keys in it are left out."""
    readable = re.sub(r"[^A-Za-z0-9.-]+", "_", (secrets or Secrets()).mask_text(name))[:80].strip("._") or "file"
    return folder / f"{readable}{_end(name)}"


def found_file(folder: Path, name: str) -> Path:
    """Where to read: the file of that name, whether a key was left out of it or not."""
    plain = file_for(folder, name)
    return plain if plain.exists() else next(folder.glob(f"*{_end(name)}"), plain)


def _end(name: str) -> str:
    return f"-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}.json"

"""A keychain for tests: what it holds lies in the file that `TEST_KEYCHAIN` names, away from every data folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend

BACKEND = f"{__name__}.FileKeychain"
"""Value of `PYTHON_KEYRING_BACKEND`."""


class FileKeychain(KeyringBackend):
    """Passwords by service and name."""

    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        return self._held().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._place().write_text(json.dumps({**self._held(), f"{service}/{username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        left = {name: value for name, value in self._held().items() if name != f"{service}/{username}"}
        self._place().write_text(json.dumps(left))

    def _held(self) -> dict[str, str]:
        place = self._place()
        return json.loads(place.read_text()) if place.exists() else {}

    @staticmethod
    def _place() -> Path:
        return Path(os.environ["TEST_KEYCHAIN"])

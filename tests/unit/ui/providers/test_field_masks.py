"""Names that a user marked and keys that are known are stars too."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from workbench.settings.values import PrivacySettings, Settings
from workbench.ui.providers.field_masks import FieldMasks


def test_marked_names_and_known_keys() -> None:
    wb = SimpleNamespace(
        saved_settings=Settings(privacy=PrivacySettings(secret_names=("customer",))),
        secrets=SimpleNamespace(all_values=lambda: frozenset({"known-0815"})),
    )
    shell: Any = SimpleNamespace(wb=wb)
    masks = FieldMasks(shell)
    assert (
        masks.address("http://h/known-0815?customer=wolf-1234&page=2")
        == "http://h/**********?customer=*********&page=2"
    )
    headers, body = masks.fields({"x-title": "known-0815 bench"}, {"customer": "wolf-1234", "top_k": 4})
    assert (headers, body) == ({"x-title": "********** bench"}, {"customer": "*********", "top_k": 4})

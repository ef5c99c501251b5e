"""The keys of calls as JSON."""

from __future__ import annotations

from workbench.formats.kit.call_keys import ARGUMENT_KEYS, CALL_KEYS, LIST_KEYS, NAME_KEYS


def test_no_key_has_two_meanings() -> None:
    keys = (*NAME_KEYS, *ARGUMENT_KEYS, *LIST_KEYS, *CALL_KEYS)
    assert len(keys) == len(set(keys))

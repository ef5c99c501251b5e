from __future__ import annotations

import keyring
import pytest

from tests.kit.keychain import FileKeychain
from workbench.gateway.access import TOKEN_VARIABLE
from workbench.gateway.kept_token import kept_token, renew_token
from workbench.settings.secrets import SecretBox


@pytest.fixture(autouse=True)
def keychain(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEYCHAIN", str(tmp_path / "keys"))
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    before = keyring.get_keyring()
    keyring.set_keyring(FileKeychain())
    yield
    keyring.set_keyring(before)


def test_a_token_holds_over_restarts() -> None:
    first = kept_token(SecretBox({}))
    assert first.startswith("wb-")
    assert kept_token(SecretBox({})) == first


def test_another_token_replaces_it_and_is_secret() -> None:
    box = SecretBox({})
    first, second = kept_token(box), renew_token(box)
    assert first != second
    assert kept_token(SecretBox({})) == second
    assert {first, second} <= box.all_values()


def test_the_environment_counts_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "mine")
    assert kept_token(SecretBox({})) == "mine"


@pytest.mark.parametrize("what", ["get_password", "set_password"])
def test_a_locked_keychain_gives_a_token_for_this_session(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("locked")

    monkeypatch.setattr(FileKeychain, what, refuse)
    assert kept_token(SecretBox({})).startswith("wb-")

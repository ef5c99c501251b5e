from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.backends.chainer import ChainerBackend
from keyring.errors import KeyringLocked, NoKeyringError

from workbench.core.errors import SecretError
from workbench.settings.config import read_settings
from workbench.settings.secrets import KeyPlace, SecretBox, keychain_name
from workbench.settings.values import ProviderConfig

GROQ = ProviderConfig("Groq", key_variable="GROQ_API_KEY")
KEY = "gsk_0123456789abcdef"


class Keychain(KeyringBackend):
    """A keychain that works."""

    priority = 1  # type: ignore[assignment]
    name = "Test Chain"

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Locked(Keychain):
    """A keychain that the user did not unlock."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("dismissed")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("dismissed")


class Forgetful(Keychain):
    """A keychain that says yes and keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        return


class Plain(Keychain):
    """What `keyrings.alt` offers: base64 in a file."""


Plain.__module__ = "keyrings.alt.file"


@pytest.fixture(autouse=True)
def keep_backend() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def use(backend: KeyringBackend) -> KeyringBackend:
    keyring.set_keyring(backend)
    return backend


def test_a_key_goes_into_the_keychain_and_comes_back() -> None:
    use(Keychain())
    box = SecretBox({})

    state = box.set(GROQ, f" {KEY}\n")

    assert state.place is KeyPlace.KEYRING
    assert "Test Chain" in state.detail
    assert SecretBox({}).get(GROQ) == KEY
    box.forget(GROQ)
    assert box.get(GROQ) is None
    assert box.state(GROQ).place is KeyPlace.MISSING


@pytest.mark.parametrize("backend", [fail.Keyring, null.Keyring, Plain, Forgetful])
def test_without_a_keychain_to_be_trusted_it_lives_for_the_session_and_says_so(backend: type[KeyringBackend]) -> None:
    used = use(backend())
    box = SecretBox({})

    state = box.set(GROQ, KEY)

    assert state.place is KeyPlace.SESSION
    assert "until the program ends" in state.detail
    assert box.get(GROQ) == KEY
    assert SecretBox({}).get(GROQ) is None
    assert not getattr(used, "kept", None)
    assert keychain_name() == ("Test Chain" if backend is Forgetful else "")


def test_a_chain_is_used_without_its_plain_text_part() -> None:
    plain, safe = Plain(), Keychain()
    chain = ChainerBackend()
    chain.__class__ = type("Chain", (ChainerBackend,), {"backends": [fail.Keyring(), plain, safe]})
    use(chain)

    SecretBox({}).set(GROQ, KEY)

    assert safe.kept
    assert not plain.kept


def test_a_locked_keychain_is_said_and_set_falls_back() -> None:
    use(Locked())
    box = SecretBox({})

    with pytest.raises(SecretError, match="Groq"):
        box.get(GROQ)
    assert box.state(GROQ).place is KeyPlace.MISSING
    assert box.set(GROQ, KEY).place is KeyPlace.SESSION
    assert box.get(GROQ) == KEY


def test_keychain_error_while_reading_is_no_key() -> None:
    class Gone(Keychain):
        def get_password(self, service: str, username: str) -> str | None:
            raise NoKeyringError("none")

    use(Gone())

    assert SecretBox({"GROQ_API_KEY": KEY}).get(GROQ) == KEY


def test_environment_key_without_a_keychain_entry() -> None:
    use(Keychain())
    box = SecretBox({"GROQ_API_KEY": KEY})

    assert box.get(GROQ) == KEY
    assert box.state(GROQ).place is KeyPlace.ENVIRONMENT
    assert "GROQ_API_KEY" in box.state(GROQ).detail


def test_a_named_variable_is_the_only_place() -> None:
    use(Keychain())
    config = ProviderConfig("A", key="env:A_KEY")

    assert SecretBox({"A_KEY": KEY}).get(config) == KEY
    assert "A_KEY is not set" in SecretBox({}).state(config).detail
    with pytest.raises(SecretError, match="env:A_KEY"):
        SecretBox({}).set(config, KEY)


def test_a_local_server_needs_none() -> None:
    config = ProviderConfig("A", key="none")

    assert SecretBox({}).get(config) is None
    assert SecretBox({}).state(config).place is KeyPlace.NOT_NEEDED
    assert SecretBox({}).state(config).usable


def test_a_session_key_never_reaches_the_keychain() -> None:
    chain = use(Keychain())
    box = SecretBox({})

    assert box.set(ProviderConfig("A", key="session"), KEY).place is KeyPlace.SESSION
    assert not chain.kept  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", ["", "  ", "a\0b"])
def test_invalid_key_is_refused(value: str) -> None:
    with pytest.raises(SecretError):
        SecretBox({}).set(GROQ, value)


def test_all_values_to_mask_are_known() -> None:
    use(null.Keyring())
    box = SecretBox(
        {"GROQ_API_KEY": "from-environment", "GITHUB_TOKEN": "token-value", "PATH": "/usr/bin/stuff", "X_KEY": "short"}
    )
    box.set(ProviderConfig("B"), "typed-in-key")

    assert box.all_values() == {"from-environment", "token-value", "typed-in-key"}


def test_no_state_and_no_repr_shows_a_part_of_a_key() -> None:
    use(Keychain())
    box = SecretBox({})
    state = box.set(GROQ, KEY)

    for text in (repr(box), repr(state), str(box.state(GROQ))):
        assert not any(KEY[at : at + 4] in text for at in range(4, len(KEY) - 4))


def test_a_key_in_the_wrong_place_of_the_settings_is_a_key() -> None:
    box = SecretBox({})
    box.learn(
        read_settings(
            '[providers.A]\napi_key = "typed-here"\nkeys = "keyring"\n[providers.A.models.m]\ntoken = "and-here"\ncolour = "light blue"'
        )
    )

    assert box.all_values() == {"typed-here", "and-here"}


def test_the_mask_is_made_anew_when_a_key_comes() -> None:
    box = SecretBox({})
    before = box.mask()
    assert box.mask() is before

    box.set(ProviderConfig("A", key="session"), "typed-in-key")

    assert box.mask().mask_text("a typed-in-key") == "a ************"


def test_a_variable_that_the_settings_name_for_a_key_holds_a_secret() -> None:
    box = SecretBox(
        {"PLANTED": "first-value-1", "OTHER": "second-value-2", "THIRD": "third-value-3", "FREE": "public-value-4"}
    )
    box.learn(
        read_settings(
            '[providers.A]\nbase_url = "http://h/v1"\nkey = "env:PLANTED"\n[providers.B]\nbase_url = "http://h/v1"\n'
            'key_variable = "OTHER"\n[tools]\nsearch_key = "env:THIRD"'
        )
    )
    assert box.all_values() == {"first-value-1", "second-value-2", "third-value-3"}

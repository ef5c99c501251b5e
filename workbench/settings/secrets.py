"""Keys: in the system's keychain, in the environment, or in memory for this session. Never in a file.

Without a usable keychain a key that is typed in lives until the program ends, and the state says so. Keychains that
write plain text (`keyrings.alt`) and ones that swallow what they are given do not count as keychains.
"""

from __future__ import annotations

import os
import threading
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import SecretError
from workbench.core.masking import Secrets
from workbench.core.secret_values import secrets_in_endpoint, secrets_in_environment, secrets_in_fields, secrets_in_url
from workbench.settings.misplaced_keys import misplaced_keys
from workbench.settings.values import KEY_SOURCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from workbench.settings.values import ProviderConfig, Settings

SERVICE = "tool-calling-workbench"


_held: set[str] = set()
"""Every key that this process has had in hand: a crash report masks them, wherever it is written."""


class KeyPlace(StrEnum):
    """Where a provider's key is."""

    KEYRING = "keyring"
    ENVIRONMENT = "environment"
    SESSION = "session"
    NOT_NEEDED = "not_needed"
    MISSING = "missing"


class KeyState(NamedTuple):
    """Where the key is; no part of the key itself."""

    place: KeyPlace
    detail: str
    """One phrase for the user."""

    @property
    def usable(self) -> bool:
        """A request can be made."""
        return self.place is not KeyPlace.MISSING


class SecretBox:
    """All keys. Safe from any thread; a keychain may take long or ask the user, so call it off the window's loop."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment
        self._session: dict[str, str] = {}
        self._given_out: set[str] = set()
        self._configured: frozenset[str] = frozenset()
        self._marked: frozenset[str] = frozenset()
        self._mask_foreign = False
        self._made: tuple[frozenset[str], bool, Secrets] | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return "SecretBox(…)"

    def get(self, provider: ProviderConfig) -> str | None:
        """The key, or None where there is none. Raise SecretError if the keychain refuses to answer."""
        value, _ = self._find(provider)
        if value:
            self._hold(value)
        return value

    def state(self, provider: ProviderConfig) -> KeyState:
        """Where the key is; never raises."""
        try:
            return self._find(provider)[1]
        except SecretError as error:
            return KeyState(KeyPlace.MISSING, error.message)

    def set(self, provider: ProviderConfig, value: str) -> KeyState:
        """Keep a key where the provider's setting wants it; say where it went. Raise SecretError."""
        value = value.strip()
        if not value or not value.isprintable():
            raise SecretError("The key is empty or holds invisible characters.", hint="Copy it again.")
        if provider.key == "none" or provider.key.startswith("env:"):
            raise SecretError(
                f"Provider {provider.name!r} takes its key from {provider.key!r}.",
                hint="Choose keychain or session to type one in.",
            )
        self._hold(value)
        with self._lock:
            self._session.pop(provider.name, None)
        if provider.key == "keyring" and self._store(provider.name, value):
            return KeyState(KeyPlace.KEYRING, f"in the keychain ({keychain_name()})")
        with self._lock:
            self._session[provider.name] = value
        return self._session_state(provider)

    def forget(self, provider: ProviderConfig) -> None:
        """Remove a key from keychain and memory; the environment is not ours to change."""
        with self._lock:
            self._session.pop(provider.name, None)
        if provider.key == "keyring":
            _delete(provider.name)

    def all_values(self) -> frozenset[str]:
        """Every secret that must not reach a record: keys in use, what settings hold, and secrets in the environment."""
        with self._lock:
            known = {*self._session.values(), *self._given_out, *self._configured}
        environment = dict(self._environment)  # decoded once: this is asked before every request
        return frozenset(known | secrets_in_environment(environment, self._marked))

    def mask(self) -> Secrets:
        """The mask for what is written beside the records: every known secret and, as the setting says, keys of others."""
        known, foreign = self.all_values(), self._mask_foreign
        made = self._made
        if made is None or made[:2] != (
            known,
            foreign,
        ):  # many keys take a while to be made ready, and are asked for often
            made = self._made = (known, foreign, Secrets(known, foreign=foreign))
        return made[2]

    def learn(self, settings: Settings) -> None:
        """Take what else is secret in settings: passwords in addresses, values of headers and of fields named as keys are."""
        marked = settings.privacy.marked
        found = secrets_in_settings(settings) | self._in_variables(settings)
        with self._lock:
            self._marked = marked
            self._mask_foreign = settings.privacy.foreign_keys == "mask"
            self._configured |= found  # what was taken out of the settings may still be in a running request
            _held.update(found)

    def learn_values(self, found: Set[str]) -> None:
        """Take values that are secret for another reason, such as those of a file that is no settings file."""
        with self._lock:
            self._configured |= found
            _held.update(found)

    def learn_fields(self, fields: Mapping[str, Any]) -> None:
        """Take what is secret in the further fields of a request."""
        found = frozenset(secrets_in_fields(fields, self._marked))
        with self._lock:
            self._configured |= found
            _held.update(found)

    def _in_variables(self, settings: Settings) -> frozenset[str]:
        """Keys in environment variables that settings name as places of keys, whatever the variables are called."""
        providers = (*settings.providers, settings.boost.as_provider())
        places = {settings.tools.search_key, *(config.key for config in providers)}
        names = {place.removeprefix("env:") for place in places if place.startswith("env:")}
        names |= {config.key_variable for config in providers if config.key_variable}
        return frozenset(filter(None, (self._environment.get(name, "").strip() for name in names)))

    def _hold(self, value: str) -> None:
        with self._lock:
            self._given_out.add(value)
            _held.add(value)

    def _find(self, provider: ProviderConfig) -> tuple[str | None, KeyState]:
        if provider.key == "none":
            return None, KeyState(KeyPlace.NOT_NEEDED, "no key needed")
        with self._lock:
            value = self._session.get(provider.name)
        if value:
            return value, self._session_state(provider)
        if provider.key.startswith("env:"):
            return self._from_environment(provider.key.removeprefix("env:"))
        if provider.key == "keyring":
            value = _read(provider.name)
            if value:
                return value, KeyState(KeyPlace.KEYRING, f"in the keychain ({keychain_name()})")
            if provider.key_variable:
                return self._from_environment(provider.key_variable)
        return None, KeyState(KeyPlace.MISSING, "no key saved")

    def _from_environment(self, variable: str) -> tuple[str | None, KeyState]:
        value = self._environment.get(variable, "").strip()
        if value:
            return value, KeyState(KeyPlace.ENVIRONMENT, f"in the environment variable {variable}")
        return None, KeyState(KeyPlace.MISSING, f"the environment variable {variable} is not set")

    def _session_state(self, provider: ProviderConfig) -> KeyState:
        why = "as chosen" if provider.key == "session" else "there is no keychain that can be trusted here"
        return KeyState(KeyPlace.SESSION, f"in memory until the program ends, {why}")

    def _store(self, name: str, value: str) -> bool:
        """Put a key into the keychain and look whether it is really there."""
        keychain = _keychain()
        if keychain is None:
            return False
        try:
            keychain.set_password(SERVICE, name, value)
            return bool(keychain.get_password(SERVICE, name) == value)
        except _refusals():
            return False


def secrets_in_settings(settings: Settings) -> frozenset[str]:
    """Everything secret in settings besides the keys, which are not in them."""
    boost = settings.boost
    providers = (*settings.providers, *((boost.as_provider(),) if boost.base_url else ()))
    marked = settings.privacy.marked
    misplaced = (one for one in secrets_in_fields(settings.unknown, marked) if not KEY_SOURCE.fullmatch(one))
    found = {*secrets_in_url(settings.database, marked), *secrets_in_url(settings.tools.search_url, marked)}
    found |= {*misplaced, *misplaced_keys(settings)}
    for config in providers:
        found |= secrets_in_endpoint(config.endpoint(), marked)
        for model in config.models.values():
            found |= {*secrets_in_fields([model.extra, model.listed], marked)}
    return frozenset(found)


def known_secrets() -> frozenset[str]:
    """Every secret that this process knows of, whichever part of it: keys that it has had, secrets in the environment."""
    return SecretBox().all_values() | held_secrets()


def held_secrets() -> frozenset[str]:
    """Every key that this process has had in hand so far."""
    return frozenset(_held)


def keychain_name() -> str:
    """What the system's keychain calls itself; empty where there is none to be trusted."""
    keychain = _keychain()
    return "" if keychain is None else str(getattr(keychain, "name", type(keychain).__name__))


def _keychain() -> Any:
    """A keychain that encrypts, or None."""
    import keyring

    try:
        chosen = keyring.get_keyring()
    except (ImportError, AttributeError, RuntimeError, OSError):  # a keychain is named that cannot be loaded
        return None
    for backend in getattr(chosen, "backends", None) or (chosen,):
        module = type(backend).__module__
        if module.startswith(("keyring.backends.fail", "keyring.backends.null", "keyrings.")):
            continue
        return backend
    return None


def _refusals() -> tuple[type[Exception], ...]:
    from keyring.errors import KeyringError

    return (KeyringError, RuntimeError, OSError)


def _read(name: str) -> str | None:
    keychain = _keychain()
    if keychain is None:
        return None
    from keyring.errors import NoKeyringError

    try:
        value: str | None = keychain.get_password(SERVICE, name)
    except NoKeyringError:
        return None
    except _refusals() as error:
        raise SecretError(
            f"The keychain refused the key of {name!r}: {error}.", hint="Unlock it, or use an environment variable."
        ) from error
    return value


def _delete(name: str) -> None:
    keychain = _keychain()
    if keychain is None:
        return
    try:
        if keychain.get_password(SERVICE, name) is not None:
            keychain.delete_password(SERVICE, name)
    except _refusals() as error:
        raise SecretError(
            f"The keychain kept the key of {name!r}: {error}.", hint="Unlock it and try again."
        ) from error

"""Which values are secret by where they stand."""

from __future__ import annotations

import pytest

from workbench.core.exchange import Endpoint
from workbench.core.secret_values import (
    looks_random,
    names_secret,
    secrets_in_endpoint,
    secrets_in_environment,
    secrets_in_fields,
    secrets_in_headers,
    secrets_in_url,
)

KEY = "9fX2aQuLw7ZrTq0VbN"


@pytest.mark.parametrize(
    "name",
    "api_key apiKey x-api-key OPENAI_API_KEY authorization Authorization Proxy-Authorization access_token client_secret "
    "DB_PASSWORD passwd passphrase credentials Set-Cookie key x-key sig auth x-auth-token GITHUB_PAT userToken X-Goog-Signature".split(),
)  # fmt: skip
def test_names_of_secrets(name: str) -> None:
    assert names_secret(name)


@pytest.mark.parametrize(
    "name",
    "max_tokens max_completion_tokens prompt_tokens x-ratelimit-remaining-tokens anthropic-ratelimit-tokens-reset eos_token "
    "pad_token next_page_token prompt_cache_key SSL_KEY_FILE SSH_AUTH_SOCK TOKENIZERS_PARALLELISM keyboard monkey author "
    "PWD content-type idempotency-key tokenizer".split(),
)  # fmt: skip
def test_names_of_other_things(name: str) -> None:
    assert not names_secret(name)
    assert names_secret(name, {name.lower()})


def test_random_parts_of_addresses() -> None:
    assert all(
        map(looks_random, (KEY, "a1b2c3d4e5f60718", "4f7c2b1e-1111-2222-3333-1234567890ab", "AbCdEfGhIjKlMnOpQrStUv"))
    )
    words = (
        "v1",
        "deployments",
        "gpt-4-turbo-2024-04-09",
        "compatible-mode",
        "chatcompletions",
        "20241022",
        "DEPLOYMENTS",
    )
    assert not any(map(looks_random, words))


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://h/v1", set()),
        ("http://h/v1?api-version=2024-10-21", set()),
        (f"http://h/v1?api_key={KEY}&alt=sse", {KEY}),
        (f"http://h/v1?x={KEY}", {KEY}),
        (f"http://h/{KEY}/openai", {KEY}),
        ("https://user:p%40ssword@h/v1", {"p%40ssword", "p@ssword"}),
        (f"https://{KEY}@h/v1", {KEY}),
        ("postgresql+psycopg://anna.mueller@h/x", set()),
        ("postgresql+psycopg://anna.mueller:db-password@h/x", {"db-password"}),
        ("http://[bad", set()),
    ],
)
def test_addresses(url: str, found: set[str]) -> None:
    assert set(secrets_in_url(url)) == found


def test_user_set_headers_are_masked() -> None:
    headers = [
        ("x-custom", KEY),
        ("x-pin", "correct horse battery staple"),
        ("X-Team-Token", "orange-team"),
        ("Cookie", f"a={KEY}x; b=1"),
    ]
    public = [
        ("x-title", "My long workbench"),
        ("anthropic-version", "2023-06-01"),
        ("x-env", "production"),
        ("referer", "http://a.b/c"),
    ]
    found = set(secrets_in_headers([*headers, *public]))
    assert found == {
        KEY,
        "correct horse battery staple",
        "horse battery staple",
        "orange-team",
        f"a={KEY}x; b=1",
        f"{KEY}x",
    }
    assert set(secrets_in_headers(public, {"x-env"})) == {"production"}


def test_fields_below_names_of_secrets() -> None:
    extra = {
        "api_key": "one",
        "a": [{"password": {"is": ["two", 3]}}],
        "max_tokens": "no",
        "user": "me",
        "auth": {"type": "three"},
    }
    assert set(secrets_in_fields(extra)) == {"one", "two", "three"}
    assert "me" in set(secrets_in_fields(extra, {"user"}))


def test_endpoints() -> None:
    endpoint = Endpoint("p", "openai_chat", f"http://h/v1?key={KEY}1", (("x-custom", f"{KEY}2"),), {"token": f"{KEY}3"})
    assert secrets_in_endpoint(endpoint) == {f"{KEY}1", f"{KEY}2", f"{KEY}3"}


def test_environment() -> None:
    environment = {
        "MY_API_KEY": " from-environment\n", "SHORT_KEY": "short", "PATH": "/usr/bin:/bin", "MARKED": "marked-value",
        "HTTPS_PROXY": "http://me:proxy-word@h:1", "DATABASE_URL": "postgresql+psycopg://u:db-password@h/x", "MAIL": "somebody@example.org",
        "WORKBENCH_DATABASE": "postgresql+psycopg://workbench@/x?host=/run/postgresql",
    }  # fmt: skip
    assert secrets_in_environment(environment) == {"from-environment", "proxy-word", "db-password"}
    assert "marked-value" in secrets_in_environment(environment, {"marked"})

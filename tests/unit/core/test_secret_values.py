"""Which values are secret by where they stand."""

from __future__ import annotations

import pytest

from tests.kit.timing import growth
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
    "DB_PASSWORD passwd passphrase credentials Set-Cookie key x-key sig auth x-auth-token GITHUB_PAT userToken X-Goog-Signature encryptionKey clientKey dbPwd db_pwd pwd redis_pass wifi-psk aws.creds auth_tokens accessTokens "
    "session_token sessionToken AWS_SESSION_TOKEN admin-token login_token x-plugin-token homepage_token".split(),
)  # fmt: skip
def test_names_of_secrets(name: str) -> None:
    assert names_secret(name)


@pytest.mark.parametrize(
    "name",
    "max_tokens max_completion_tokens prompt_tokens x-ratelimit-remaining-tokens anthropic-ratelimit-tokens-reset eos_token "
    "pad_token next_page_token prompt_cache_key SSL_KEY_FILE SSH_AUTH_SOCK TOKENIZERS_PARALLELISM keyboard monkey author "
    "PWD OLDPWD content-type idempotency-key tokenizer maxTokens nextPageToken n_token generation_max_tokens x-max-token pass_rate pass-through publicKey keyboardLayout".split(),
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
        ("https://me:hunt3r2@h/v1", {"hunt3r2"}),
        ("https://me:p@ss-word@h/v1", {"p@ss-word"}),
        (f"https://{KEY}:x@h/v1", {KEY}),
        ("https://developer:dev@h/v1", set()),
        ("https://dev4711:dev@h/v1", {"dev4711"}),
        (f"https://{KEY}:x-oauth-basic@h/v1", {KEY, "x-oauth-basic"}),
        (f"http://h/cb#access_token={KEY}", {KEY}),
        ("http://h/token/correct-horse-battery-7/v1", {"correct-horse-battery-7"}),
        ("http://h/v1/keys/list", set()),
        ("http://h/v1;key=correct-horse-battery", {"correct-horse-battery"}),
        ("postgresql+psycopg://anna.mueller:db-password@h/x", {"db-password"}),
        ("postgresql+psycopg://workbench@/d4f7c2b1e9a03?host=/tmp/wb-4f7c2b1e1111", set()),
        ("postgresql://h/d4f7c2b1e9a03?user=a&password=another-word", {"another-word"}),
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
        ("Cookie", f"a={KEY}x; b=1; theme=darkly"),
        ("Authorization", "Basic bWU6aHVudDNyMg=="),
        ("X-Pin-Key", "hunt3r3"),
    ]
    public = [
        ("x-title", "My long workbench"),
        ("anthropic-version", "2023-06-01"),
        ("x-env", "production"),
        ("x-app", "v1.2.3"),
        ("referer", "http://a.b/c"),
    ]
    found = set(secrets_in_headers([*headers, *public]))
    assert found == {
        KEY,
        "correct horse battery staple",
        "horse battery staple",
        "orange-team",
        f"a={KEY}x; b=1; theme=darkly",
        f"{KEY}x",
        "Basic bWU6aHVudDNyMg==",
        "bWU6aHVudDNyMg==",
        "hunt3r2",
        "hunt3r3",
    }
    assert set(secrets_in_headers(public, {"x-env"})) == {"production"}


def test_fields_below_names_of_secrets() -> None:
    extra = {
        "api_key": "one",
        "a": [{"password": {"is": ["two", 3]}}],
        "max_tokens": "no",
        "user": "me",
        "auth": {"type": "three"},
        "metadata": '{"inner": [{"clientKey": "four"}]}',
        "odd": "[" * 9000,
    }
    assert set(secrets_in_fields(extra)) == {"one", "two", "three", "four"}
    assert "me" in set(secrets_in_fields(extra, {"user"}))


def test_passwords_in_addresses_below_any_name() -> None:
    fields = {
        "proxy": "http://me:opensesame@host:3128",
        "seen": ["see https://host/path", {"at": "ftp://plainly-long-sign-in@host"}],
    }
    assert set(secrets_in_fields(fields)) == {"opensesame", "plainly-long-sign-in"}


def test_endpoints() -> None:
    endpoint = Endpoint("p", "openai_chat", f"http://h/v1?key={KEY}1", (("x-custom", f"{KEY}2"),), {"token": f"{KEY}3"})
    assert secrets_in_endpoint(endpoint) == {f"{KEY}1", f"{KEY}2", f"{KEY}3"}


def test_environment() -> None:
    environment = {
        "MY_API_KEY": " from-environment\n", "SHORT_KEY": "short", "PATH": "/usr/bin:/bin", "MARKED": "marked-value",
        "HTTPS_PROXY": "http://me:proxy-word@h:1", "DATABASE_URL": "postgresql+psycopg://u:db-password@h/x", "MAIL": "somebody@example.org",
        "WORKBENCH_DATABASE": "postgresql+psycopg://workbench@/x?host=/run/postgresql", "PLAIN_TOKEN": "simple",
        "ALL_PROXY": "me:proxy%2Ebare@proxy.local:3128", "FTP_PROXY": "http://me:p@ss/wd@h http://me:two@pass@h/", "DB_PASS": "hunt3r2",
    }  # fmt: skip
    assert secrets_in_environment(environment) == {
        "from-environment", "proxy-word", "db-password", "proxy%2Ebare", "proxy.bare", "two@pass", "hunt3r2",
    }  # fmt: skip
    assert "marked-value" in secrets_in_environment(environment, {"marked"})


def test_a_variable_that_names_keys_all_along_takes_linear_time() -> None:
    assert growth(lambda size: secrets_in_environment({"A": "token=" * size}), 4000) < 8


def test_addresses_within_each_other_are_looked_through_without_recursion() -> None:
    assert growth(lambda size: list(secrets_in_fields({"a": "http://h/?x=" * size})), 2000) < 8


def test_a_path_behind_an_option_is_no_key() -> None:
    assert set(secrets_in_fields({"a": "--key /etc/ssl/key-9fX2aQuLw7ZrTq.pem --password 9fX2aQuLw7ZrTq"})) == {
        "9fX2aQuLw7ZrTq"
    }


@pytest.mark.parametrize("text", ["f", "hex0", "sk-", "eyJaaaaaaaaaaa."])
def test_a_long_word_beside_an_address_takes_linear_time(text: str) -> None:
    assert growth(lambda size: list(secrets_in_fields({"headers": f"{text * size} http://h"})), 2000) < 8

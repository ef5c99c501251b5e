"""Keys of every shape in every place of the settings: each becomes a secret of which nothing is told."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote, quote_plus

import pytest

from tests.attack.spellings import CASES, spell, told
from workbench.core.masking import Secrets
from workbench.settings.secrets import SecretBox
from workbench.settings.values import (
    BoostSettings,
    ModelConfig,
    PrivacySettings,
    ProviderConfig,
    Settings,
    ToolSettings,
)

URL = "https://api.example.org"


def _line(key: str) -> str:
    """As a header takes it."""
    return key.replace("\n", " ")


def _header(name: str, value: str) -> ProviderConfig:
    return ProviderConfig("p", base_url=URL, headers={name: value})


def _coded(value: object) -> str:
    return b64encode(json.dumps(value).encode()).decode()


PLACES = {
    "header": lambda key: ProviderConfig("p", base_url=URL, headers={"x-custom": key.replace("\n", " ")}),
    "header with a scheme": lambda key: ProviderConfig("p", base_url=URL, headers={"x-sign-in": f"Token {key}"}),
    "cookie": lambda key: ProviderConfig("p", base_url=URL, headers={"cookie": f"session={key}; a=b"}),
    "query": lambda key: ProviderConfig("p", base_url=f"{URL}/v1?api_key={quote(key, safe='')}&v=1"),
    "query under another name": lambda key: ProviderConfig("p", base_url=f"{URL}/v1?t={quote(key, safe='')}"),
    "path": lambda key: ProviderConfig("p", base_url=f"{URL}/{quote(key, safe='')}/v1"),
    "password": lambda key: ProviderConfig("p", base_url=f"https://me:{quote(key, safe='')}@api.example.org/v1"),
    "user": lambda key: ProviderConfig("p", base_url=f"https://{quote(key, safe='')}@api.example.org/v1"),
    "provider field": lambda key: ProviderConfig("p", base_url=URL, extra={"auth": {"client_secret": key}}),
    "marked field": lambda key: ProviderConfig("p", base_url=URL, extra={"a": [{"Tenant": key}]}),
    "user before a word": lambda key: ProviderConfig("p", base_url=f"https://{quote(key, safe='')}:x@api.example.org/v1"),
    "basic sign-in": lambda key: ProviderConfig(
        "p", base_url=URL, headers={"Authorization": f"Basic {b64encode(f'me:{key}'.encode()).decode()}"}
    ),
    "fragment": lambda key: ProviderConfig("p", base_url=f"{URL}/v1#access_token={quote(key, safe='')}"),
    "field in one word": lambda key: ProviderConfig("p", base_url=URL, extra={"clientKey": key}),
    "field in JSON in a field": lambda key: ProviderConfig("p", base_url=URL, extra={"a": json.dumps({"dbPwd": [key]})}),
    "list of models": lambda key: ProviderConfig("p", base_url=URL, models={"m": ModelConfig(listed={"api_key": key})}),
    "header in a field": lambda key: ProviderConfig("p", base_url=URL, extra={"extra_headers": {"Authorization": f"Bearer {key}"}}),
    "headers in JSON in a field": lambda key: ProviderConfig("p", base_url=URL, extra={"headers": json.dumps({"Authorization": f"Bearer {key}"})}),
    "query without a name": lambda key: ProviderConfig("p", base_url=f"{URL}/v1?{quote(key, safe='')}"),
    "fragment without a name": lambda key: ProviderConfig("p", base_url=f"{URL}/v1#{quote(key, safe='')}"),
    "query that is encoded twice": lambda key: ProviderConfig("p", base_url=f"{URL}/v1?api_key={quote(quote(key, safe=''), safe='')}"),
    "digest": lambda key: _header("Proxy-Authorization", f'Digest username="u", response="{_line(key)}"'),
    "signature": lambda key: _header("Authorization", f"AWS4-HMAC-SHA256 Credential=AKIA/x, SignedHeaders=host, Signature={_line(key)}"),
    "scheme of a vendor": lambda key: _header("x-sign-in", f"Api-Key {_line(key)}"),
    "scheme and a tab": lambda key: _header("Authorization", f"Bearer\t{_line(key)}"),
    "encoded cookie": lambda key: _header("Cookie", f"a=b; __Host-sid={quote(_line(key), safe='')}"),
    "JSON in a header": lambda key: _header("x-context", json.dumps({"key": _line(key)})),
    "coded JSON in a header": lambda key: _header("x-context", _coded({"auth": {"key": _line(key)}})),
    "address in a public header": lambda key: _header("referer", f"https://h/?token={quote(_line(key), safe='')}"),
    "query with plus signs": lambda key: ProviderConfig("p", base_url=f"{URL}/v1?api_key={quote_plus(key)}"),
    "JSON in a query": lambda key: ProviderConfig("p", base_url=f"{URL}/v1?opts={quote(json.dumps({'apiKey': key}), safe='')}"),
    "address in a query": lambda key: ProviderConfig("p", base_url=f"{URL}/v1?next={quote(f'https://u:{quote(key, safe=str())}@h', safe='')}"),
    "pair in a field": lambda key: ProviderConfig("p", base_url=URL, extra={"headers": [["Authorization", f"Bearer {key}"]]}),
    "name and value in a field": lambda key: ProviderConfig("p", base_url=URL, extra={"headers": [{"name": "x-api-key", "value": key}]}),
    "words in a field": lambda key: ProviderConfig("p", base_url=URL, extra={"more": f"a=b --token={key}"}),
    "address in a field": lambda key: ProviderConfig("p", base_url=URL, extra={"hook": f"https://h/x?token={quote(key, safe='')}"}),
    "list of characters": lambda key: ProviderConfig("p", base_url=URL, extra={"api_key": [*key]}),
    "list of codes": lambda key: ProviderConfig("p", base_url=URL, extra={"api_key": [ord(sign) for sign in key]}),
    "option in a list": lambda key: ProviderConfig("p", base_url=URL, extra={"args": ["--verbose", "--api-key", key, "run"]}),
    "coded field": lambda key: ProviderConfig("p", base_url=URL, extra={"auth": b64encode(f"me:{key}".encode()).decode()}),
    "hexadecimal field": lambda key: ProviderConfig("p", base_url=URL, extra={"api_key": key.encode().hex()}),
    "coded query": lambda key: ProviderConfig("p", base_url=f"{URL}/v1?data={quote(b64encode(f'token={key}&a=b'.encode()), safe='')}"),
    "coded part of a path": lambda key: ProviderConfig("p", base_url=f"{URL}/{urlsafe_b64encode(key.encode()).decode()}/v1"),
    "part of a path behind a word": lambda key: ProviderConfig("p", base_url=f"{URL}/bot4711:{quote(key, safe='')}/v1"),
    "title": lambda key: _header("x-title", f"my app {_line(key)}"),
    "agent": lambda key: _header("User-Agent", f"agent/1.0 ({_line(key)})"),
    "protocols of a socket": lambda key: _header("Sec-WebSocket-Protocol", f"v4, k8s.io.{urlsafe_b64encode(_line(key).encode()).decode()}"),
    "names and keys": lambda key: _header("x-list", f"a:{_line(key)};b:other"),
    "sign-in for addresses": lambda key: _header("Authorization", f"Basic {urlsafe_b64encode(f'me:{_line(key)}'.encode()).decode().rstrip('=')}"),
    "line of INI": lambda key: ProviderConfig("p", base_url=URL, extra={"conf": f"[a]\ntoken = {key}\n"}),
    "element": lambda key: ProviderConfig("p", base_url=URL, extra={"conf": f"<a><token>{_line(key)}</token></a>"}),
    "command line": lambda key: ProviderConfig("p", base_url=URL, extra={"conf": f"curl -u me:{key} https://h"}),
    "web hook": lambda key: ProviderConfig("p", base_url=URL, extra={"webhook": f"{URL}/services/T0/{quote(key, safe='')}"}),
    "model field": lambda key: ProviderConfig("p", base_url=URL, models={"m": ModelConfig(extra={"access_token": key})}),
}  # fmt: skip


NAMES = {
    "model": lambda key: ProviderConfig("p", base_url=URL, models={f"ft:m:{key}": ModelConfig()}),
    "field": lambda key: ProviderConfig("p", base_url=URL, extra={"a": [{key: 1}]}),
    "header": lambda key: _header(f"x-{key}", "1"),
    "host": lambda key: ProviderConfig("p", base_url=f"https://{key}.example.org/v1"),
}
"""Where anything random may stand: keys by their shape alone."""
IN_ONE_LINE = ("title", "agent", "protocols of a socket", "names and keys", "sign-in for addresses", "element", "header", "digest", "signature", "scheme of a vendor", "scheme and a tab", "encoded cookie", "JSON in a header",
               "coded JSON in a header", "address in a public header")  # fmt: skip
VARIABLES = {
    "environment": lambda key: {"DB_TOKEN": key},
    "JSON in the environment": lambda key: {"CONFIG": json.dumps({"account": [{"apiKey": key}]})},
    "list in the environment": lambda key: {"ACCOUNTS": json.dumps([{"apiKey": key}])},
    "coded JSON in the environment": lambda key: {"KUBE": _coded({"token": key})},
    "several keys": lambda key: {"OPENAI_API_KEYS": f"{key},another"},
    "connection string": lambda key: {"CONNECTION": f"Server=h;User Id=a;Password={key};Encrypt=1"},
    "options of a program": lambda key: {"JAVA_OPTS": f"-Xmx2g -Dapi.key={key} -Dx=y"},
    "header of a program": lambda key: {"CURL_OPTS": f"-H 'Authorization: Bearer {key}'"},
    "address in the environment": lambda key: {"WEBHOOK": f"https://h/x?token={quote(key, safe='')}"},
    "headers in the environment": lambda key: {"OTLP_HEADERS": f"accept=text,x-team={quote(_line(key), safe='')}"},
    "proxy": lambda key: {"ALL_PROXY": f"http://u:{quote(key, safe='')}@h:1"},
    "proxy without a scheme": lambda key: {"ALL_PROXY": f"u:{quote(key, safe='')}@h:1"},
}


@pytest.mark.parametrize("place", [*PLACES, "boost", "search", *VARIABLES])
@pytest.mark.parametrize("shape", CASES["shapes"])
def test_configured_keys_are_masked(shape: str, place: str) -> None:
    key: str = CASES["shapes"][shape]
    environment = {}
    settings = Settings(privacy=PrivacySettings(("tenant",)))
    if place in PLACES:
        settings = Settings((PLACES[place](key),), privacy=settings.privacy)
    elif place == "boost":
        settings = Settings(boost=BoostSettings(base_url=f"{URL}/v1?key={quote(key, safe='')}", model="m"))
    elif place == "search":
        settings = Settings(tools=ToolSettings(search_url=f"https://me:{quote(key, safe='')}@search.example.org"))
    else:
        environment = VARIABLES[place](key)
    box = SecretBox(environment)
    box.learn(settings)
    secrets = Secrets(box.all_values())
    stands = _line(key) if place in IN_ONE_LINE else key
    spelled = (f"is {spell(stands, how)} so" for how in ("hex", "base64_url", "percent_twice"))
    for text in (stands, f'{{"echo": "{stands}"}}', quote(stands, safe=""), f"prefix{stands}suffix", *spelled):
        assert not told(secrets.mask_text(text), stands), (shape, place)


@pytest.mark.parametrize("place", NAMES)
def test_names_that_are_keys_by_their_shape_are_masked(place: str) -> None:
    for shape in ("openai", "anthropic", "github", "google", "jwt"):
        key: str = CASES["shapes"][shape]
        box = SecretBox({})
        box.learn(Settings((NAMES[place](key),)))
        assert not told(box.mask().mask_text(f"prefix{key}suffix"), key), shape


def test_ordinary_settings_hold_no_secrets() -> None:
    """What is masked wherever it stands must not be an ordinary word."""
    ordinary = ProviderConfig(
        "p", base_url="https://resource.openai.azure.com/openai/deployments/gpt-4o-2024-08-06?api-version=2024-10-21",
        headers={"x-title": "the long workbench", "anthropic-version": "2023-06-01", "x-env": "production", "x-team": "search quality", "User-Agent": "OpenAI/Python 1.58.1 (X11; Linux x86_64)"},
        extra={"max_tokens": 100, "conf": "curl -u me:staff --key /etc/ssl/private/server1.pem; # key: value", "logit_bias": {"50256": -100}, "prompt_cache_key": "some-user", "user": "somebody-else", "provider": {"order": ["deepinfra"]}},
        quirks={"eos_token": "<|endoftext|>"},
    )  # fmt: skip
    box = SecretBox(
        {
            "PATH": "/usr/local/bin:/usr/bin",
            "KEYBOARD_LAYOUT": "de-latin1-nodeadkeys",
            "SSL_CERT_FILE": "/etc/ssl/cert.pem",
            "HF_ENDPOINT": "https://host.example.org/models/llama3instruct8b",
            "LS_COLORS": "rs=0:di=01;34:*.key=00;36:*.pem=00;36",
            "PROMPT_COMMAND": "history -a; key: value; echo done",
        }
    )
    box.learn(Settings((ordinary,)))
    assert box.all_values() == frozenset()

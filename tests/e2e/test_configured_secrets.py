"""Everything secret in the settings besides the key: it never reaches disk, output or exports, whatever a server echoes."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.kit.command import workbench
from tests.kit.wire_server import Request, Script, answer, head, served, sse

PLACES = {
    "header": "hdr-9fX2aQ+uLw7ZrTq0VbN==",
    "query": "qry-9fX2aQuLw7ZrTq0VbN55",
    "path": "pth9fX2aQuLw7ZrTq0VbN66",
    "password": "pwd-9fX2aQuLw7ZrTq0VbN77",
    "provider field": "fld-9fX2aQuLw7ZrTq0VbN88",
    "model field": "mod-9fX2aQuLw7ZrTq0VbN99",
    "marked field": "a-tenant-of-ours-0815",
    "run field": "run-9fX2aQuLw7ZrTq0VbN00",
    "proxy": "prx-9fX2aQuLw7ZrTq0VbN11",
}


def spelled(secret: str) -> list[str]:
    code = base64.b64encode(secret.encode()).decode()
    return [
        secret,
        quote(secret, safe=""),
        "".join(f"\\u{ord(c):04x}" for c in secret),
        f"&#{ord(secret[0])};{secret[1:]}",
        code,
    ]


def echo(_request: Request, number: int) -> Script:
    """Tell every secret in every spelling, in pieces; list models named after them."""
    told = " ".join(form for secret in PLACES.values() for form in spelled(secret))
    if "/models" in _request.target:
        return answer(200, json.dumps({"data": [{"id": f"m-{secret}"} for secret in PLACES.values()]}).encode())
    pieces = [told[at : at + 1 + number % 7] for at in range(0, len(told), 1 + number % 7)]
    events = [json.dumps({"choices": [{"index": 0, "delta": {"content": piece}}]}) for piece in pieces]
    end = json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return [head(extra=[("X-Echo", told[:500].replace("\\", ""))]) + sse(*events, end, "[DONE]")]


def clean(data: bytes, what: str) -> None:
    for place, secret in PLACES.items():
        for form in (secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode()[:-4]):
            assert form.encode() not in data, f"{what} tells the secret of the {place}"


@pytest.fixture
def settings(home: Path) -> Path:
    home.mkdir()
    return home / "settings.toml"


def write_settings(path: Path, url: str) -> None:
    address = url.replace("http://", f"http://me:{PLACES['password']}@").removesuffix("/v1")
    path.write_text(
        f"""[providers.echo]
base_url = "{address}/{PLACES["path"]}/v1?api_key={PLACES["query"]}"
key = "none"
headers = {{ x-custom = "{PLACES["header"]}", x-title = "the workbench" }}
extra = {{ api_key = "{PLACES["provider field"]}", tenant = "{PLACES["marked field"]}" }}
[providers.echo.models.m]
extra = {{ client_secret = "{PLACES["model field"]}" }}
[privacy]
secret_names = ["Tenant"]
"""
    )


def test_configured_secrets_stay_nowhere(settings: Path, home: Path, tmp_path: Path) -> None:
    proxy = {"UNUSED_PROXY_URL": f"http://u:{PLACES['proxy']}@h:1"}
    with served(echo) as server:
        write_settings(settings, server.url)
        field = json.dumps({"access_token": PLACES["run field"]})
        argv = ("run", "--provider", "echo", "--model", "m", "--extra", field, "--system", f"Say {PLACES['header']}")
        done = [workbench(*argv, *more, "hello", **proxy) for more in (("--json", "-q"), ("--events",), ())]
        done += [
            workbench("providers", *words, **proxy)
            for words in (("list",), ("list", "--json"), ("models", "echo"), ("test", "echo"))
        ]
        assert PLACES["run field"] in server.requests[0].body.decode()
        assert PLACES["query"] in server.requests[0].target
    done += [
        workbench(*words) for words in (("show", "1"), ("show", "2", "--json"), ("history", "--json"), ("db", "backup"))
    ]
    for kind in ("pytest", "jsonl", "curl"):
        done.append(workbench("export", "--to", kind, "--out", str(tmp_path / "out" / kind), "1", "2"))
    assert [one.code for one in done] == [0] * len(done), [one.err for one in done if one.code]
    for one in done:
        clean((one.out + one.err).encode(), "the output")
    for path in (*home.rglob("*"), *(tmp_path / "out").rglob("*")):
        if path.is_file() and path != settings:
            clean(path.read_bytes(), str(path))
    assert "the workbench" in workbench("show", "1", "--json").out

"""Signing in with libraries that are made up: what is asked of them, how long a token is kept, and what is said where they fail."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from workbench.core.errors import MissingLibrary, SecretError, SettingsError
from workbench.core.exchange import Endpoint, WireRequest
from workbench.providers import sign_in
from workbench.providers.sign_in import SignIn, _first_line, _Token, _with, sign_in_for

NOW = 1_790_000_000.0
BODY = WireRequest("POST", "https://h.example/m?x=1", (("Content-Type", "a/b"), ("X-Own", "1")), b"{}")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as `sign_in` sees it."""
    now = [NOW]
    monkeypatch.setattr(sign_in, "time", SimpleNamespace(time=lambda: now[0]))
    return now


class Libraries:
    """Stands in for the vendors' libraries; notes what was asked for."""

    def __init__(self, **known: Any) -> None:
        self.known = {name.replace("_", "."): value for name, value in known.items()}
        self.asked: list[tuple[str, str]] = []

    def __call__(self, name: str, extra: str) -> Any:
        self.asked.append((name, extra))
        return self.known[name]


def of_kind(kind: str, base: str = "https://h.example", **quirks: object) -> SignIn:
    found = sign_in_for(Endpoint("p", "openai_chat", base, quirks={"sign_in": kind, **quirks}), None)
    assert found is not None
    return found


def signed(by: SignIn, request: WireRequest = BODY) -> WireRequest:
    return asyncio.run(by.signed(request))


@pytest.mark.parametrize(("left", "fetched"), [(3600.0, 1), (120.0, 1), (119.0, 2), (-5.0, 2)])
def test_a_token_is_renewed_two_minutes_before_its_end(clock: list[float], left: float, fetched: int) -> None:
    count: list[int] = []

    def fetch() -> tuple[str, float]:
        count.append(1)
        return f"t{len(count)}", NOW + 1_000

    async def main() -> tuple[str, str]:
        token = _Token(fetch)
        assert token.secrets == frozenset()
        await token.signed(BODY)
        assert token.secrets == {"t1"}
        clock[0] = NOW + 1_000 - left
        again = await token.signed(BODY)
        assert token.secrets == {f"t{fetched}"}
        return dict(again.headers)["authorization"], again.url

    assert asyncio.run(main()) == (f"Bearer t{fetched}", BODY.url)
    assert len(count) == fetched


def test_requests_at_the_same_time_fetch_one_token() -> None:
    count: list[int] = []

    def fetch() -> tuple[str, float]:
        count.append(1)
        return "t", time.time() + 3_600

    async def main() -> None:
        token = _Token(fetch)
        await asyncio.gather(*(token.signed(BODY) for _ in range(5)))

    asyncio.run(main())
    assert len(count) == 1


def test_headers_of_the_sign_in_take_the_place_of_those_with_the_same_name() -> None:
    before = (("Authorization", "old"), ("x-own", "1"), ("X-DATE", "then"))
    assert _with(before, {"authorization": "new", "X-Date": "now"}) == (
        ("x-own", "1"), ("authorization", "new"), ("X-Date", "now"),
    )  # fmt: skip


class Google:
    """Default credentials of Google; `ends` is when their token does."""

    class GoogleAuthError(Exception):
        """Nobody is let in."""

    def __init__(self, ends: datetime | None, error: str = "") -> None:
        self.expiry, self.token, self.error = ends, "g-token", error
        self.seen: list[object] = []

    def default(self, scopes: list[str]) -> tuple[Google, str]:
        self.seen.append(scopes)
        return self, "project"

    def refresh(self, request: object) -> None:
        self.seen.append(request)
        if self.error:
            raise self.GoogleAuthError(self.error)

    def libraries(self) -> Libraries:
        return Libraries(
            google_auth=self,
            google_auth_transport_requests=SimpleNamespace(Request=lambda: "a request"),
            google_auth_exceptions=self,
        )


@pytest.mark.parametrize(
    ("ends", "until"),
    [
        (datetime.fromtimestamp(NOW + 900, UTC), NOW + 900),
        (datetime.fromtimestamp(NOW + 900, UTC).replace(tzinfo=None), NOW + 1_800),
        (None, NOW + 1_800),
    ],
)
def test_a_token_of_google_ends_when_it_says(
    clock: list[float], monkeypatch: pytest.MonkeyPatch, ends: datetime | None, until: float
) -> None:
    google = Google(ends)
    libraries = google.libraries()
    monkeypatch.setattr(sign_in, "_library", libraries)
    by = of_kind("google")
    assert dict(signed(by).headers)["authorization"] == "Bearer g-token"
    assert getattr(by, "_until") == until  # noqa: B009
    assert google.seen == [["https://www.googleapis.com/auth/cloud-platform"], "a request"]
    assert {extra for _, extra in libraries.asked} == {"vertex"}


def test_google_says_why_it_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "_library", Google(None, "\n  Reauthentication is needed. \nmore").libraries())
    with pytest.raises(SecretError) as caught:
        signed(of_kind("google"))
    assert caught.value.message == "Google Cloud lets nobody in: Reauthentication is needed."
    assert caught.value.hint == "Run 'gcloud auth application-default login'."


class Azure:
    """Default credentials of Azure."""

    class AzureError(Exception):
        """Nobody is let in."""

    def __init__(self, error: str = "") -> None:
        self.error, self.seen = error, list[object]()

    def DefaultAzureCredential(self) -> Azure:  # noqa: N802  its name in the library
        return self

    def __enter__(self) -> Azure:
        return self

    def __exit__(self, *_: object) -> None:
        self.seen.append("closed")

    def get_token(self, scope: str) -> SimpleNamespace:
        self.seen.append(scope)
        if self.error:
            raise self.AzureError(self.error)
        return SimpleNamespace(token="a-token", expires_on=int(NOW) + 77)


def test_a_token_of_azure_ends_when_it_says(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    azure = Azure()
    libraries = Libraries(azure_identity=azure, azure_core_exceptions=azure)
    monkeypatch.setattr(sign_in, "_library", libraries)
    by = of_kind("azure")
    assert dict(signed(by).headers)["authorization"] == "Bearer a-token"
    assert getattr(by, "_until") == NOW + 77  # noqa: B009
    assert azure.seen == ["https://cognitiveservices.azure.com/.default", "closed"]
    assert libraries.asked == [("azure.identity", "azure"), ("azure.core.exceptions", "azure")]


def test_azure_says_why_it_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    azure = Azure("No credential was found.")
    monkeypatch.setattr(sign_in, "_library", Libraries(azure_identity=azure, azure_core_exceptions=azure))
    with pytest.raises(SecretError) as caught:
        signed(of_kind("azure"))
    assert (caught.value.message, caught.value.hint) == (
        "Azure lets nobody in: No credential was found.",
        "Run 'az login', or give a key.",
    )
    assert azure.seen[-1] == "closed"


class Aws:
    """Credentials of AWS with what is asked of its libraries."""

    def __init__(self, *, token: str | None = "session", nobody: bool = False, region: str | None = None) -> None:
        self.held = SimpleNamespace(secret_key="secret", token=token, access_key="AKIA")
        self.nobody, self.region, self.sessions = nobody, region, 0
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        self.signed: list[tuple[object, str, str]] = []

    def Session(self) -> Aws:  # noqa: N802  its name in the library
        self.sessions += 1
        return self

    def get_credentials(self) -> Aws | None:
        return None if self.nobody else self

    def get_frozen_credentials(self) -> SimpleNamespace:
        return self.held

    def get_config_variable(self, name: str) -> str | None:
        return self.region if name == "region" else "another"

    def AWSRequest(self, method: str, url: str, headers: dict[str, str], data: bytes) -> Aws:  # noqa: N802
        self.asked.append((method, url, dict(headers), data))
        self.headers = headers
        return self

    def SigV4Auth(self, held: object, service: str, region: str) -> Aws:  # noqa: N802
        self.signed.append((held, service, region))
        return self

    def add_auth(self, asked: Aws) -> None:
        asked.headers["Authorization"] = "AWS4 signature"

    def libraries(self) -> Libraries:
        return Libraries(botocore_auth=self, botocore_awsrequest=self, botocore_session=self)


def test_a_request_is_signed_whole_and_with_its_kind_of_content(monkeypatch: pytest.MonkeyPatch) -> None:
    aws = Aws()
    libraries = aws.libraries()
    monkeypatch.setattr(sign_in, "_library", libraries)
    by = of_kind("aws", "https://bedrock-runtime.eu-central-1.amazonaws.com", aws_service="mantle")
    assert by.secrets == frozenset()
    found = signed(by)
    assert found == WireRequest(
        "POST", BODY.url, (("X-Own", "1"), ("Content-Type", "a/b"), ("Authorization", "AWS4 signature")), b"{}"
    )
    assert aws.asked == [("POST", BODY.url, {"Content-Type": "a/b"}, b"{}")]
    assert aws.signed == [(aws.held, "mantle", "eu-central-1")]
    assert by.secrets == {"secret", "session", "AKIA"}
    signed(by)
    assert aws.sessions == 1, "credentials are looked for once, and asked for those of the moment"
    assert {extra for _, extra in libraries.asked} == {"bedrock"}


def test_credentials_without_a_session_hold_two_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "_library", Aws(token=None).libraries())
    by = of_kind("aws", "https://bedrock.us-east-1.amazonaws.com")
    signed(by)
    assert by.secrets == {"secret", "AKIA"}


def test_without_credentials_of_aws_what_to_run_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "_library", Aws(nobody=True).libraries())
    with pytest.raises(SecretError) as caught:
        signed(of_kind("aws"))
    assert (caught.value.message, caught.value.hint) == (
        "No AWS credentials were found.",
        "Run 'aws configure' or 'aws sso login', or give a key.",
    )


@pytest.mark.parametrize(
    ("host", "region"),
    [
        ("bedrock-runtime.us-gov-west-1.amazonaws.com", "us-gov-west-1"),
        ("eu-west-3.example.org", "eu-west-3"),
        ("bedrock.example.org", "set-up"),
        ("bedrock.eu-west.example.org", "set-up"),
        ("mine-eu-west-3.example.org", "set-up"),
        ("", "set-up"),
    ],
)
def test_a_region_of_the_address_goes_before_that_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, host: str, region: str
) -> None:
    aws = Aws(region="set-up")
    monkeypatch.setattr(sign_in, "_library", aws.libraries())
    signed(of_kind("aws", f"https://{host}/v1"))
    assert aws.signed == [(aws.held, "bedrock", region)]


def test_without_any_region_what_to_set_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in, "_library", Aws().libraries())
    with pytest.raises(SettingsError) as caught:
        signed(of_kind("aws"))
    assert (caught.value.message, caught.value.hint) == (
        "The address names no AWS region.",
        "Set AWS_DEFAULT_REGION.",
    )


def test_a_sign_in_that_nobody_knows_is_named_with_those_that_are() -> None:
    with pytest.raises(SettingsError) as caught:
        of_kind("oracle")
    assert (caught.value.message, caught.value.hint) == ("There is no sign-in 'oracle'.", "Known: google, aws, azure.")


def test_a_library_that_is_not_there_is_named_by_its_first_part() -> None:
    with pytest.raises(MissingLibrary) as caught:
        sign_in._library("no_such_library.of.ours", "vertex")
    assert caught.value.message == "Signing in needs the library 'no_such_library', which is not installed."
    assert "[vertex]" in caught.value.hint
    assert isinstance(caught.value.__cause__, ImportError)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("One line.", "One line"),
        ("\n \n  The second. \nThe third", "The second"),
        ("", "ValueError"),
        (" \n ", "ValueError"),
        ("x" * 301, "x" * 300),
    ],
)
def test_of_an_error_its_first_line_is_told(text: str, line: str) -> None:
    assert _first_line(ValueError(text)) == line

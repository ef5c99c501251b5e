"""Libraries of clouds that are made up: they let somebody in or nobody, and note what they were asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

ENDS = 1_790_000_077
"""When the token of Azure ends, in seconds."""


class Libraries:
    """Stands in for the vendors' libraries; notes what was asked for."""

    def __init__(self, **known: Any) -> None:
        self.known = {name.replace("_", "."): value for name, value in known.items()}
        self.asked: list[tuple[str, str]] = []

    def __call__(self, name: str, extra: str) -> Any:
        self.asked.append((name, extra))
        return self.known[name]


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
        return SimpleNamespace(token="a-token", expires_on=ENDS)


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

"""A refusal as a reply, which still knows why: a client whose stream has begun is told inside the stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.loopback import Reply
from workbench.wires.kit.server import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.wires.kit.server import WireServer


@dataclass(frozen=True, slots=True)
class ErrorReply(Reply):
    """A whole response with an error in the client's own shape."""

    why: Refusal = field(default_factory=lambda: Refusal(500, ""))

    @property
    def error(self) -> ErrorInfo:
        """The same for a stream that has begun."""
        kind = ErrorKind.BAD_REQUEST if self.why.status < 500 else ErrorKind.SERVER
        return ErrorInfo(kind, self.why.message, status=self.why.status, code=self.why.code)


def refused(server: WireServer, why: Refusal, headers: Mapping[str, str] | None = None) -> ErrorReply:
    """Return a refusal in a client's own shape."""
    return ErrorReply(why.status, server.refuse(why), headers=headers or {}, why=why)

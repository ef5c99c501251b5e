"""Replies as some twenty providers send them, over real sockets, whole and cut anywhere, through `workbench send`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

from tests.kit.command import command
from tests.kit.dialects import DIALECTS
from workbench.loopback import LoopbackRequest, LoopbackServer, Reply, StreamReply

CUTS = (0, 1, 7, 4096)


async def pieces(body: bytes, cut: int) -> AsyncGenerator[bytes, None]:
    step = cut or max(1, len(body))
    for start in range(0, len(body), step):
        yield body[start : start + step]


async def serve(request: LoopbackRequest) -> Reply | StreamReply:
    """The path names the dialect and the size of the pieces."""
    _, number, cut, *_ = request.path.split("/")
    dialect = DIALECTS[int(number)]
    return StreamReply(pieces(dialect.body, int(cut)), dialect.status, dialect.kind, dialect.headers)


def judged(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer without its id and without what only the next request needs, an error by its kind alone."""
    out = {name: value for name, value in answer.items() if name not in ("id", "send_back")}
    return out | ({"error": out["error"]["kind"]} if "error" in out else {})


def test_every_dialect_in_every_cutting() -> None:
    assert len({dialect.name for dialect in DIALECTS}) == len(DIALECTS) > 30

    async def main() -> list[dict[str, Any]]:
        server = LoopbackServer(serve)
        await server.start()
        rows = []
        for number, dialect in enumerate(DIALECTS):
            for cut in CUTS:
                request = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
                base = f"{server.url}/{number}/{cut}"
                rows.append(
                    {"id": f"{dialect.name} / {cut}", "protocol": dialect.wire, "base_url": base, "request": request}
                )
        process = await asyncio.create_subprocess_exec(
            *command(["send", "--batch", "-"]), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        try:
            out, _ = await asyncio.wait_for(process.communicate("\n".join(map(json.dumps, rows)).encode()), 90)
        finally:
            await server.aclose()
        assert process.returncode == 3, "some dialects answer with an error"
        return [json.loads(line) for line in out.splitlines()]

    answers = asyncio.run(main())
    wanted = {f"{dialect.name} / {cut}": dialect.answer for dialect in DIALECTS for cut in CUTS}
    assert {answer["id"]: judged(answer) for answer in answers} == wanted

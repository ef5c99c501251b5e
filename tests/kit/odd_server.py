"""A server on this machine that answers every request in one prepared way: errors, pages, halves of streams."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.kit.waiting import LIMIT_S


@contextmanager
def odd_server(status: int, body: bytes, kind: str = "application/json", *, cut: bool = False) -> Iterator[str]:
    """Serve the answer; give the base URL. `cut`: promise more than is sent, then hang up."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self._answer()

        def _answer(self) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body) + (1000 if cut else 0)))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = cut

        def log_message(self, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(LIMIT_S)

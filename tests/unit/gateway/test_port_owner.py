from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from workbench.gateway.port_owner import free_port_after, port_owner


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
def test_the_program_that_listens_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert "(process " in port_owner(server.getsockname()[1])
    assert port_owner(1) == ""


def test_a_script_has_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"
    line = "   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 77 1"
    (tmp_path / "net" / "tcp").write_text(f"{head}\n{line}\n", encoding="ascii")
    (tmp_path / "42" / "fd").mkdir(parents=True)
    (tmp_path / "42" / "fd" / "3").symlink_to("socket:[77]")
    (tmp_path / "42" / "cmdline").write_bytes(b"/usr/bin/python3\0/opt/serve.py\0--port\x008000\0")
    assert port_owner(8000, tmp_path) == "serve.py (process 42)"
    assert port_owner(8001, tmp_path) == ""


def test_nothing_is_told_where_the_system_has_no_tables(tmp_path: Path) -> None:
    assert port_owner(8000, tmp_path) == ""


def test_the_next_port_that_can_be_had() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        free = free_port_after(port - 1)
        assert free != port
        assert port <= free < port + 100
    assert free_port_after(65_535) == 0

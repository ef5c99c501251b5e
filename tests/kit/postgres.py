"""A real PostgreSQL server, started by the test on a socket in a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from uuid import uuid4

from sqlalchemy import create_engine, make_url

from tests.kit.waiting import LIMIT_S
from workbench.store import Store

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
"""Where Debian puts them; they are not in PATH."""
USER = "workbench"


@cache
def program(name: str) -> str:
    """Path of one of the server's programs; empty where it is not installed."""
    found = shutil.which(name, path=os.pathsep.join([*map(str, reversed(BINARIES)), os.environ.get("PATH", "")]))
    return found or ""


class PostgresCluster:
    """Databases on one server; each `address()` is a new, empty one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _history(self) -> str:
        """Name of a database with all tables and no rows, from which others are copied."""
        address = self.address()
        Store.open(address).close()
        return make_url(address).database or ""

    def history(self) -> str:
        """Address of a new database of this version, without runs."""
        return self.address(template=self._history)

    def address(self, database: str = "", template: str = "template0") -> str:
        """Address of a database, made if none is named."""
        name = database or f"d{uuid4().hex[:12]}"
        if not database:
            self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return f"postgresql+psycopg://{USER}@/{name}?host={self.folder}"

    def _execute(self, command: str) -> None:
        engine = create_engine(self.address("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(command)
        engine.dispose()


@contextmanager
def postgres_cluster() -> Iterator[PostgresCluster]:
    """A running server; stopped and removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="wb-pg-"))  # short: a socket's path has 107 bytes at most
    try:
        if os.geteuid() == 0:  # the server refuses to run as root
            shutil.chown(folder, "postgres", "postgres")
            folder.chmod(0o755)
        _run("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=200"
        _run(
            "pg_ctl",
            "-D",
            f"{folder}/data",
            "-o",
            options,
            "-l",
            f"{folder}/log",
            "-w",
            "-t",
            str(int(LIMIT_S)),
            "start",
        )
        try:
            yield PostgresCluster(folder)
        finally:
            _run("pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(name: str, *arguments: str) -> None:
    command = [program(name), *arguments]
    if os.geteuid() == 0:
        command = ["runuser", "-u", "postgres", "--", *command]
    with tempfile.TemporaryFile("w+") as output:  # a pipe would stay open as long as the server runs
        done = subprocess.run(command, cwd="/", stdout=output, stderr=output, timeout=LIMIT_S * 4, check=False)
        output.seek(0)
        assert done.returncode == 0, f"{' '.join(command)}\n{output.read()}"

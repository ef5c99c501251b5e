from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from tests.kit.exports import exported
from tests.kit.fakes import Reply
from workbench.core.exchange import WireRequest
from workbench.export.curl import curl_command, export_curl

BODY = json.dumps({"content": 'it\'s "quoted"\n$HOME `id` \\ é'}, ensure_ascii=False).encode()
REQUEST = WireRequest(
    "POST",
    "http://127.0.0.1:1/v1?a=b&key=*****&c=d",
    (("Authorization", "Bearer ****"), ("X-Odd", "it's"), ("Host", "x")),
    BODY,
)


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell to read the command")
def test_a_shell_reads_the_command_as_meant() -> None:
    script = f'curl() {{ for word in "$@"; do printf \'%s\\0\' "$word"; done; }}\nAPI_KEY=k\n{curl_command(REQUEST)}'
    words = subprocess.run(["sh", "-c", script], capture_output=True, check=True).stdout.split(b"\0")
    assert BODY in words
    assert b"Authorization: Bearer k" in words
    assert b"X-Odd: it's" in words
    assert b"http://127.0.0.1:1/v1?a=b&key=k&c=d" in words
    assert not any(word.startswith(b"Host") for word in words)


def test_every_try_of_every_run_is_in_the_script() -> None:
    export = export_curl([exported(Reply("Hi.")), exported(Reply("Ho."))])
    assert export.files[0].text.count("curl -sS") == 2
    assert export.files[0].executable

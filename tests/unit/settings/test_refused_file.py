"""What is secret in a settings file that is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.command import workbench
from tests.kit.timing import growth
from workbench.settings.refused_file import secrets_in_refused

KEY = "9fX2aQuLw7ZrTq0VbN"
WHOLE = f"""
[providers.a]
base_url = "https://me:pass-{KEY}1@h/v1?api_key={KEY}2"
key = "env:VARIABLE"
headers = {{ Authorization = "Bearer {KEY}3", x-title = "the workbench" }}
extra = {{ tenant = "{KEY}4", deep = [ {{ clientKey = "{KEY}5" }} ] }}
tools = 7
[privacy]
secret_names = ["Tenant"]
"""


def test_keys_of_a_file_that_is_toml_and_no_settings() -> None:
    found = secrets_in_refused(WHOLE)
    assert {f"pass-{KEY}1", *(f"{KEY}{number}" for number in (2, 3, 4, 5))} <= found
    assert not found & {"env:VARIABLE", "the workbench", "https://me:pass-{KEY}1@h/v1"}


@pytest.mark.parametrize("end", ["a = [[[", "[providers.a]", "b = 2020-13-45", "x = " + "[" * 100_000])
def test_keys_of_a_file_that_is_no_toml(end: str) -> None:
    found = secrets_in_refused(WHOLE + end)
    assert {f"pass-{KEY}1", f"{KEY}2", f"{KEY}4", f"{KEY}5", f"Bearer {KEY}3"} <= found


def test_odd_files_hold_no_secrets() -> None:
    for text in ("", "\0", "a = 1", "privacy = 3", "[privacy]\nsecret_names = 3", "headers = 3", 'key = "keyring"'):
        assert secrets_in_refused(text) == frozenset()


def test_records_are_told_without_the_keys_of_a_refused_file(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(WHOLE)
    (tmp_path / "log.jsonl").write_text(f'{{"id": "a", "format": "qwen_xml", "raw": "It is {KEY}2 and {KEY}5"}}\n')
    done = [
        workbench("read", str(tmp_path / "log.jsonl"), "--json"),
        workbench("show", f"x{KEY}4"),
        workbench("run", f"{KEY}3"),
    ]
    assert [one.code for one in done] == [0, 2, 2]
    assert all(KEY not in one.out + one.err for one in done)


def test_nothing_recorded_under_a_refused_file_holds_its_keys(home: Path) -> None:
    assert workbench("run", "--model", "plain", "hello").code == 0
    (home / "settings.toml").write_text(WHOLE)
    assert workbench("verdict", "set", "1", "pass", "--why", f"It told {KEY}2.").code == 0
    assert not [path.name for path in home.glob("workbench.db*") if KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize("text", ["d", '"a', "key = ", 'a="\\'])
def test_a_long_file_that_is_none_is_looked_through_in_linear_time(text: str) -> None:
    assert growth(lambda size: secrets_in_refused(f"{text * size}\n= ["), 4000) < 8

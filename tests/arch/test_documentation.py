"""The README names every command, every format and every environment setting."""

from __future__ import annotations

import re

import pytest

from tests.kit.tree import ROOT, modules
from workbench.cli.dispatch import COMMANDS, DIRECT
from workbench.formats import list_formats

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [*COMMANDS, *DIRECT])
def test_readme_names_the_command(command: str) -> None:
    assert re.search(rf"workbench {command}\b", README)


def test_readme_names_every_format() -> None:
    assert not [item.id for item in list_formats() if f"`{item.id}`" not in README]


def test_readme_names_every_environment_setting() -> None:
    name = re.compile(r"[\"'](WORKBENCH_[A-Z_]+|BOOST_[A-Z_]+|ENABLE_BOOST_SUPPORT|LLAMACPP_[A-Z_]+)[\"']")
    used = {match for path in modules() for match in name.findall(path.read_text(encoding="utf-8"))}
    assert not [setting for setting in sorted(used) if setting not in README]


def test_readme_promises_no_command_that_is_not_there() -> None:
    named = set(re.findall(r"(?:^|`|\$ )workbench ([a-z]+)\b", README, re.MULTILINE))
    assert not named - {*COMMANDS, *DIRECT}

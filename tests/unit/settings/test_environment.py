from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import SettingsError
from workbench.settings.config import BoostSettings, Settings
from workbench.settings.environment import read_environment, read_tiers

ALL = {
    "BOOST_BASE_URL": "https://boost.example/v1",
    "BOOST_API_KEY": "very-secret-key",
    "BOOST_MODEL": "thinker",
    "ENABLE_BOOST_SUPPORT": "small_model, BIG_MODEL",
    "BOOST_WRAPPER_TEMPLATE": "{{loop}} {{request}}",
}


def test_environment_values_and_sources() -> None:
    found = read_environment(ALL)

    assert found.base_url == "https://boost.example/v1"
    assert found.model == "thinker"
    assert found.tiers == ("BIG_MODEL", "SMALL_MODEL")
    assert found.wrapper == "{{loop}} {{request}}"
    assert found.source("model") == "BOOST_MODEL"
    assert found.source("wire") == ""
    assert "secret" not in repr(found)


def test_the_environment_stands_above_the_file() -> None:
    filed = Settings(boost=BoostSettings(provider="Groq", model="other", tiers=("MIDDLE_MODEL",), wrapper="w.txt"))

    boost = read_environment(ALL).overlay(filed).boost

    assert (boost.provider, boost.base_url, boost.model) == ("", "https://boost.example/v1", "thinker")
    assert (boost.key, boost.tiers) == ("env:BOOST_API_KEY", ("BIG_MODEL", "SMALL_MODEL"))
    assert (boost.wrapper, boost.wrapper_text) == ("", "{{loop}} {{request}}")


@pytest.mark.parametrize("environ", [{}, dict.fromkeys(ALL, " ")])
def test_an_empty_environment_changes_nothing(environ: dict[str, str]) -> None:
    filed = Settings(boost=BoostSettings(provider="Groq", model="other"))

    assert read_environment(environ).overlay(filed) == filed


def test_none_turns_boost_off() -> None:
    filed = Settings(boost=BoostSettings(provider="Groq", model="m", tiers=("BIG_MODEL",)))

    assert read_environment({"ENABLE_BOOST_SUPPORT": "none"}).overlay(filed).boost.tiers == ()


def test_a_template_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "wrapper.txt").write_text("Größe {{loop}}", encoding="utf-8")

    assert read_environment({"BOOST_WRAPPER_TEMPLATE": str(tmp_path / "wrapper.txt")}).wrapper == "Größe {{loop}}"


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"ENABLE_BOOST_SUPPORT": "HUGE_MODEL"}, "ENABLE_BOOST_SUPPORT.*'HUGE_MODEL'"),
        ({"ENABLE_BOOST_SUPPORT": "NONE,BIG_MODEL"}, "ENABLE_BOOST_SUPPORT.*'NONE'"),
        ({"BOOST_BASE_URL": "boost.example"}, "BOOST_BASE_URL"),
        ({"BOOST_WRAPPER_TEMPLATE": "/no/such/file"}, "BOOST_WRAPPER_TEMPLATE"),
    ],
)
def test_errors_name_their_variable(environ: dict[str, str], said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        read_environment(environ)

    assert caught.value.hint


def test_tiers_come_in_their_own_order_and_once() -> None:
    assert read_tiers("small_model,big_model,SMALL_MODEL,") == ("BIG_MODEL", "SMALL_MODEL")


def test_the_process_environment_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOST_MODEL", "from-here")

    assert read_environment().model == "from-here"

"""The table of formats: order, aliases, and that each has its data file."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import pytest

from tests.kit.parser_contract import DATA
from workbench.core.errors import InvalidInput, UnknownName
from workbench.formats import get_format, list_formats
from workbench.formats.registry import ALIASES, TABLE, add_formats, models_table


@pytest.mark.parametrize("name", list(TABLE))
def test_every_format_has_data(name: str) -> None:
    assert (DATA / f"{name}.yaml").exists()


def test_no_data_without_a_format() -> None:
    assert {path.stem for path in DATA.glob("*.yaml")} == set(TABLE)


def test_order() -> None:
    assert [spec.id for spec in list_formats()] == list(TABLE)
    assert [spec.id for spec in list_formats()][:5] == [
        "native_openai", "native_anthropic", "native_gemini", "react", "json_scaffold",
    ]  # fmt: skip


def test_aliases() -> None:
    assert get_format("native").id == "native_openai"
    assert get_format("Qwen-XML").id == "qwen_xml"
    for alias in ALIASES:
        assert get_format(alias).id in TABLE


def test_unknown_name_suggests() -> None:
    with pytest.raises(UnknownName, match="qwen_xml"):
        get_format("qwen_xm")


def test_a_users_own_formats_come_last_and_cannot_take_an_id() -> None:
    own = replace(get_format("qwen_xml"), id="kitty")  # type: ignore[type-var]
    try:
        add_formats([own])
        assert list_formats()[-1] is own
        assert get_format("kitty") is own
        with pytest.raises(InvalidInput, match="'hermes' is taken"):
            add_formats([replace(get_format("qwen_xml"), id="hermes")])  # type: ignore[type-var]
        assert get_format("kitty") is own
    finally:
        add_formats([])
    assert [spec.id for spec in list_formats()] == list(TABLE)


def test_the_table_of_models_has_one_row_a_format() -> None:
    assert models_table([get_format("qwen_xml")]).splitlines()[2] == f"| `qwen_xml` | {get_format('qwen_xml').models} |"


@pytest.mark.parametrize("module", sorted(set(TABLE.values())))
def test_each_family_file_holds_exactly_the_formats_of_its_rows(module: str) -> None:
    loaded = import_module(f"workbench.formats.families.{module}")
    assert {spec.id for spec in loaded.FORMATS} == {name for name, family in TABLE.items() if family == module}

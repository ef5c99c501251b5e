"""The models that a provider offered, kept between sessions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.app.model_lists import ModelLists, file_for
from workbench.core.exchange import ModelInfo
from workbench.core.masking import Secrets
from workbench.settings.config import ProviderConfig

WORK = ProviderConfig("Work", base_url="https://h.example/v1")
MODELS = (ModelInfo("a", 1000, "me", {"id": "a", "n": [1]}), ModelInfo("b"))


def test_a_list_comes_back_and_the_newest_counts(tmp_path: Path) -> None:
    lists = ModelLists(tmp_path / "models")
    assert lists.of(WORK) is None
    lists.keep(WORK, MODELS, 5)
    found = ModelLists(tmp_path / "models").of(WORK)
    assert found is not None
    assert (found.models, found.read_us, found.model("a"), found.model("c")) == (MODELS, 5, MODELS[0], None)
    lists.keep(WORK, MODELS[1:], 6)
    lists.keep(WORK, (), 7)
    again = lists.of(WORK)
    assert again is not None
    assert (again.models, again.read_us) == (MODELS[1:], 6)


def test_a_list_of_another_address_or_a_broken_one_says_nothing(tmp_path: Path) -> None:
    lists = ModelLists(tmp_path)
    lists.keep(WORK, MODELS, 5)
    assert lists.of(replace(WORK, base_url="https://other.example/v1")) is None
    file_for(tmp_path, "Work").write_text("{")
    assert ModelLists(tmp_path).of(WORK) is None


def test_keys_are_masked_and_names_never_share_a_file(tmp_path: Path) -> None:
    ModelLists(tmp_path).keep(
        WORK, [ModelInfo("a", raw={"echo": "sk-planted-key-123"})], 5, Secrets(["sk-planted-key-123"])
    )
    assert b"planted" not in file_for(tmp_path, "Work").read_bytes()
    assert file_for(tmp_path, "a/b") != file_for(tmp_path, "a_b")
    assert file_for(tmp_path, "…").parent == tmp_path
    assert file_for(tmp_path, "half \ud83d a pair").parent == tmp_path

"""A draft from files, held against the contract of formats, and read by the plug-in that it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.new_dialects import DIALECTS, FILE, HARDER, MORE, OSLO, ROME, TOOLS, NewDialect
from tests.kit.scanning import TOOL
from workbench.app.drafting import make_draft, make_draft_apart, texts_in, write_draft
from workbench.core.errors import InvalidInput
from workbench.formats.plugins import load_plugins

KEY = "sk-proj-" + "a1B2" * 8


def texts(dialect: NewDialect):
    return [(text, TOOLS) for text in dialect.texts]


@pytest.mark.parametrize("dialect", [*DIALECTS, *MORE, *HARDER[:4]], ids=lambda one: one.name)
def test_a_draft_keeps_the_contract_and_reads_its_samples(tmp_path: Path, dialect: NewDialect) -> None:
    made = make_draft(texts(dialect), name="mine")
    assert made.holds, (made.wrong, made.faults)
    write_draft(made, tmp_path)
    (spec,) = load_plugins(tmp_path, entry_points=False).formats
    read = [[(call.name, call.arguments) for call in spec.parse(text, TOOLS).calls] for text in dialect.texts]
    assert read == [[ROME], [OSLO], [FILE]]


def test_a_draft_that_breaks_the_contract_says_where() -> None:
    made = make_draft([('<|im_end|>get_weather {"city": "Rome"}<|im_end|>', TOOLS)], name="mine")
    assert not made.holds
    assert made.wrong[0].title.startswith("the sanitizer leaves nothing")
    assert made.to_json()["holds"] is False


def test_a_draft_made_apart_is_the_same() -> None:
    assert make_draft_apart(texts(DIALECTS[0]), name="mine") == make_draft(texts(DIALECTS[0]), name="mine")
    with pytest.raises(InvalidInput):
        make_draft_apart([("no call here", TOOLS)])


def test_nothing_is_written_over(tmp_path: Path) -> None:
    made = make_draft(texts(DIALECTS[0]), name="mine")
    write_draft(made, tmp_path)
    with pytest.raises(InvalidInput, match="exists already"):
        write_draft(made, tmp_path)
    assert len(write_draft(made, tmp_path, replace=True)) == 2


def test_keys_of_others_do_not_reach_the_samples() -> None:
    made = make_draft([(f"{DIALECTS[0].rome} {KEY}", TOOLS), *texts(DIALECTS[0])], name="mine")
    assert KEY not in made.drafted.data + made.drafted.family


def test_texts_come_from_files_of_any_kind(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(DIALECTS[0].rome)
    row = {
        "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": DIALECTS[0].oslo}],
        "tools": [TOOL],
    }
    (tmp_path / "b.jsonl").write_text(json.dumps(row) + "\n")
    found = texts_in([tmp_path / "a.txt", tmp_path / "b.jsonl"], None)
    assert [text for text, _ in found] == [DIALECTS[0].rome, DIALECTS[0].oslo]
    assert [len(tools) for _, tools in found] == [0, 1]
    with pytest.raises(InvalidInput, match="is not there"):
        texts_in([tmp_path / "nowhere"], None)

from __future__ import annotations

from sqlalchemy.dialects import sqlite

from workbench.store.conditions import compile_filter
from workbench.store.filter import parse_filter
from workbench.store.names import Known
from workbench.store.search import Phrase
from workbench.store.sqlite_search import SqliteSearch

KNOWN = {
    1: Known("model", "qwen-hasty"),
    2: Known("model", "gemma"),
    3: Known("code", "parse.truncated"),
    4: Known("user", "ada"),
}


def sql(text: str) -> str:
    where = compile_filter(parse_filter(text), KNOWN, 0, SqliteSearch()).where
    return str(where.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))


def test_names_become_numbers_before_the_database_is_asked() -> None:
    assert "runs.model_id IN (1)" in sql("model:qwen*")
    assert "runs.codes LIKE '%,3,%'" in sql("code:parse.*")
    assert "runs.user_id IN (4)" in sql("user:Ada")


def test_numbers_are_compared_in_the_units_of_their_columns() -> None:
    assert "runs.steps > 40" in sql("steps:>40")
    assert "40.0" not in sql("steps:>40")
    assert "runs.duration_us >= 1500000" in sql("seconds:>=1.5")
    assert "runs.steps < 2.5" in sql("steps:<2.5")


def test_of_several_moments_the_widest_span_counts() -> None:
    days = "2026-03-01,2026-01-01,2026-02-01"
    assert sql(f"since:{days}") == sql("since:2026-01-01")
    assert sql(f"before:{days}") == sql("before:2026-03-01")


def test_free_text_is_left_to_the_search() -> None:
    condition = compile_filter(parse_filter("rome raw:tool -verdict:pass"), KNOWN, 0, SqliteSearch())

    assert condition.phrases == (Phrase("rome"), Phrase("tool", "raw"))


def test_texts_of_which_one_is_enough_are_one_question() -> None:
    condition = compile_filter(parse_filter("prompt:rome,oslo -bergen -raw:tool -turin"), KNOWN, 0, SqliteSearch())

    assert condition.phrases == (Phrase("rome", "prompt", ("oslo",)),)
    assert sql("-bergen -raw:tool -turin").count("MATCH") == 2


def test_all_that_is_asked_of_a_repeat_is_gathered_once() -> None:
    assert sql("suite:demo case:rome batch:01 -case:oslo").count("JOIN batch_items") == 2


def test_what_is_not_wanted_of_a_target_is_turned_round_among_the_details() -> None:
    assert "NOT IN" not in sql("-target:abc -id:0198")


def test_binned_runs_are_hidden_unless_asked_for() -> None:
    assert "runs.deleted_us IS NULL" in sql("model:gemma")
    assert "runs.deleted_us IS NULL" not in sql("is:binned")
    assert "runs.deleted_us IS NULL" in sql("-is:binned")


def test_what_was_given_in_place_of_a_reply_stands_under_its_run_unless_asked_for() -> None:
    assert "runs.edit_of IS NULL" in sql("model:gemma")
    assert "runs.edit_of IS NULL" in sql("is:edited")
    assert "runs.edit_of IS NULL" not in sql("is:edit")
    assert "runs.edit_of IS NOT NULL" in sql("is:edit")


def test_user_input_never_becomes_sql() -> None:
    condition = compile_filter(parse_filter('''target:"x' OR 1=1 --"'''), KNOWN, 0, SqliteSearch())

    assert "OR 1=1" not in str(condition.where)


def test_every_flag_asks_its_own_column() -> None:
    asked = {
        "simulated": "runs.simulated IS 1", "real": "runs.simulated IS 0", "binned": "runs.deleted_us IS NOT NULL",
        "running": "runs.verdict = 'running'", "edit": "runs.edit_of IS NOT NULL", "edited": "edit_of",
        "by_hand": "runs.number IN (SELECT",
    }  # fmt: skip
    for flag, words in asked.items():
        assert words in sql(f"is:{flag}"), flag


def test_more_codes_than_an_expression_takes_are_asked_of_the_names() -> None:
    known = {number: Known("code", f"parse.c{number}") for number in range(102)} | {999: Known("code", "other.x")}

    def asked(words: str) -> str:
        where = compile_filter(parse_filter(words), known, 0, SqliteSearch()).where
        return str(where.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))

    assert "EXISTS (SELECT names.id" in asked("code:parse.*")
    assert "EXISTS" not in asked("code:parse.c1*"), "twelve of them are asked one by one"


def test_every_text_that_is_not_wanted_is_left_out() -> None:
    found = sql("-prompt:rome -prompt:oslo -answer:rain")
    assert all(word in found for word in ("rome", "oslo", "rain"))


def test_one_of_several_numbers_is_enough() -> None:
    assert "runs.steps = 1 OR runs.steps > 4" in sql("steps:1,>4")

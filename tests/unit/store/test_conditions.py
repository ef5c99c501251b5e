from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy.dialects import sqlite

from tests.kit import runs
from workbench.store import Store
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


HOUR = 3_600_000_000


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, dict[str, str]]]:
    """A history of six runs, and what this test calls them."""
    store = Store.open(tmp_path_factory.mktemp("conditions") / "workbench.db", "ada")
    many, day = ("parse.truncated", "loop.repeated_call"), 24 * HOUR
    made = {
        "pass": runs.make_run("0a00000000aa"),
        "fail": runs.make_run("0b00000000bb", prompt="Rain in Oslo?", model="gemma", tool="search", verdict=runs.failed(*many), at_us=runs.STARTED_US + HOUR, answer="It rains."),
        "boost": runs.make_run("0c00000000cc", planner="plain", prompt="Weather in Turin?", at_us=runs.STARTED_US + day, verdict=runs.failed("decision.no_call")),
        "live": runs.make_run("0d00000000dd", verdict=None, model="gemma-2", prompt="Weather", at_us=runs.STARTED_US + 2 * day),
        "binned": runs.make_run("0e00000000ee", prompt="Old one"),
        "edit": runs.edit_of("0f00000000ff", "0a00000000aa"),
    }  # fmt: skip
    for name, events in made.items():
        store.record(runs.run_id_of(events), events, "Bob" if name == "fail" else None)
    store.delete(["0e00000000ee"])
    yield store, {runs.run_id_of(events): name for name, events in made.items()}
    store.close()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", "live boost fail pass"),
        ("is:binned", "binned"),
        ("is:edit", "edit"),
        ("is:edited", "pass"),
        ("is:running", "live"),
        ("-is:running", "boost fail pass"),
        ("is:real", ""),
        ("is:simulated", "live boost fail pass"),
        ("-is:simulated", ""),
        ("is:by_hand", ""),
        ("is:b*", ""),
        ("is:binned,edit", "edit binned"),
        ("-is:edited", "live boost fail"),
        ("model:gemma", "fail"),
        ("model:gemma*", "live fail"),
        ("model:?emma", "fail"),
        ("-model:gemma*", "boost pass"),
        ("model:gemma,qwen-hasty", "boost fail pass"),
        ("model:nothing", ""),
        ("planner:plain", "boost"),
        ("-planner:plain", "live fail pass"),
        ("planner:*", "boost"),
        ("format:qwen_xml", "live boost fail pass"),
        ("wire:openai*", "live boost fail pass"),
        ("origin:TRY", "live boost fail pass"),
        ("user:bob", "fail"),
        ("user:ada", "live boost pass"),
        ("-user:bob", "live boost pass"),
        ("provider:sim*", "live boost fail pass"),
        ("code:parse.*", "fail"),
        ("code:*", "boost fail"),
        ("-code:*", "live pass"),
        ("code:parse.*,decision.*", "boost fail"),
        ("code:nothing", ""),
        ("-code:parse.truncated", "live boost pass"),
        ("tool:search", "fail"),
        ("tool:get_*", "live boost pass"),
        ("-tool:search", "live boost pass"),
        ("verdict:pass", "pass"),
        ("verdict:fail", "boost fail"),
        ("verdict:f*,running", "live boost fail"),
        ("-verdict:fail", "live pass"),
        ("mode:boost", "boost"),
        ("mode:direct", "live fail pass"),
        ("basis:intrinsic", "live boost fail pass"),
        ("basis:exp*", ""),
        ("stop:answer", "live boost fail pass"),
        ("stop:e*", ""),
        ("stop:nothing", ""),
        ("steps:>1", "live boost fail pass"),
        ("steps:<2", ""),
        ("calls:1", "live boost fail pass"),
        ("calls:>=1", "live boost fail pass"),
        ("calls:0,1", "live boost fail pass"),
        ("tokens:>=220", "live boost fail pass"),
        ("tokens:>220", ""),
        ("tokens:220", "live boost fail pass"),
        ("seconds:2.5", "live boost fail pass"),
        ("seconds:>2.5", ""),
        ("seconds:<=2.5", "live boost fail pass"),
        ("seconds:<2.4999", ""),
        ("id:1", "pass"),
        ("id:#2", "fail"),
        ("id:0a", "pass"),
        ("id:0A0", "pass"),
        ("id:0a00000000aa", "pass"),
        ("-id:0a", "live boost fail"),
        ("id:0a,0b", "fail pass"),
        ("id:99", ""),
        ("id:0", "live boost fail pass"),
        ("rome", "boost pass"),
        ("oslo", "fail"),
        ("ROME", "boost pass"),
        ("prompt:rome", "pass"),
        ("answer:rome", "boost pass"),
        ("answer:rains", "fail"),
        ("prompt:rain", "fail"),
        ("weather -rome", "fail"),
        ("-weather", "live"),
        ("prompt:rome,oslo", "fail pass"),
        ("-prompt:rome,oslo", "live boost"),
        ("argument:lima", "boost fail pass"),
        ("result:21", "boost fail pass"),
        ("raw:get_weather", "boost fail pass"),
        ("raw:tool_call", "boost fail pass"),
        ('"weather in"', 'boost pass'),
        ("100%", ""),
        ("wea", "boost fail pass"),
        ("since:2026-09-21", "live boost fail pass"),
        ("since:2026-09-22", "live boost"),
        ("before:2026-09-22", "fail pass"),
        ("since:2026-09-22 before:2026-09-23", "boost"),
        ("since:2030-01-01,2026-09-22", "live boost"),
        ("-since:2026-09-22", "fail pass"),
        ("before:2020-01-01", ""),
        ("suite:x", ""),
        ("-suite:x", "live boost fail pass"),
        ("case:*", ""),
        ("batch:1", ""),
        ("model:gemma verdict:fail", "fail"),
        ("model:gemma -verdict:fail", ""),
        ("target:zz", ""),
        ("-target:zz", "live boost fail pass"),
    ],
)  # fmt: skip
def test_which_runs_a_filter_finds_newest_first(history: tuple[Store, dict[str, str]], asked: str, found: str) -> None:
    store, names = history
    assert " ".join(names[row.id] for row in store.list_runs(asked)) == found
    assert store.count(asked) == len(found.split())


def test_only_a_filter_of_batches_is_gathered() -> None:
    gathered = {
        text: compile_filter(parse_filter(text), KNOWN, 0, SqliteSearch()).gathered
        for text in ("model:gemma", "suite:demo", "-case:rome", "x batch:01", "")
    }
    assert gathered == {"model:gemma": False, "suite:demo": True, "-case:rome": True, "x batch:01": True, "": False}


@pytest.mark.parametrize(
    ("asked", "like"),
    [
        ("suite:De*o", "lower(batches.suite) LIKE lower('De%o')"),
        ("case:a?b", "lower(batch_items.case_id) LIKE lower('a_b')"),
        ("case:50%", "LIKE lower('50\\%')"),
        ("batch:01", "lower(batches.id) LIKE lower('01%')"),
    ],
)
def test_patterns_of_batches_meet_letters_of_either_case(asked: str, like: str) -> None:
    assert like in sql(asked).replace("%%", "%")


def test_a_short_beginning_of_an_id_is_a_check_on_each_run() -> None:
    assert "runs.number + 0 IN" in sql("id:0123456")
    assert "runs.number + 0 IN" not in sql("id:01234567")
    assert "runs.number + 0 IN" in sql("id:01234567,01")
    assert "runs.number + 0 IN" in sql("-id:01234567")


def test_digits_that_no_number_has_are_the_beginning_of_an_id_alone() -> None:
    assert "run_details.number = 123 OR" in sql("id:#123")
    assert "run_details.number =" not in sql("id:" + "1" * 19)
    assert f"run_details.number = {'1' * 18} OR" in sql("id:" + "1" * 18)
    assert "run_details.number =" not in sql("id:12a")


def test_names_of_which_all_are_wanted_need_no_list(store: Store, database: object, add: object) -> None:
    many = {number: Known("code", f"parse.c{number}") for number in range(1, 4)} | {9: Known("tool", "search")}

    def asked(text: str) -> str:
        where = compile_filter(parse_filter(text), many, 0, SqliteSearch()).where
        return str(where.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))

    assert "runs.codes != ''" in asked("code:*")
    assert "LIKE '%,1,%' OR runs.codes LIKE '%,2,%'" in asked("code:*c1,*c2")
    assert "runs.tools LIKE '%,9,%'" in asked("tool:*"), "one is looked for by its number"


def test_of_very_many_names_the_wanted_ones_are_found(
    store: Store, database: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.store.conditions._MANY", 1)
    for run_id, codes in (("a", ("parse.a", "loop.x")), ("b", ("parse.b",)), ("c", ("loop.x",)), ("d", ())):
        store.record(run_id, runs.make_run(run_id, verdict=runs.failed(*codes)))
    assert [row.id for row in store.list_runs("code:parse.*")] == ["b", "a"]
    assert [row.id for row in store.list_runs("-code:parse.*")] == ["d", "c"]


def test_only_what_is_asked_for_shows_the_bin_and_the_edits() -> None:
    for text, binned, edits in (
        ("", False, False),
        ("is:binned", True, False),
        ("is:edit", False, True),
        ("-is:binned", False, False),
        ("-is:edit", False, False),
    ):
        hidden = sql(text)
        assert ("deleted_us IS NULL" in hidden.replace("deleted_us IS NOT NULL", "")) is (not binned), text
        assert ("edit_of IS NULL" in hidden.replace("edit_of IS NOT NULL", "")) is (not edits), text


def test_a_planner_that_is_not_wanted_may_be_none() -> None:
    assert "planner_id IS NOT NULL" in sql("-planner:qwen*")
    assert "IS NOT NULL" not in sql("model:qwen*")

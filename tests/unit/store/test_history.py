from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from tests.kit import batches, runs
from tests.kit.time_zone import local_time
from workbench.core.errors import InvalidInput, StoreError
from workbench.core.verdict import VerdictState
from workbench.store import Store, schema, sqlite
from workbench.store.choose_database import index_of
from workbench.store.filter import FilterError
from workbench.store.rows import DayCount, Facet

Add = Callable[..., int]
DAY_US = 86_400_000_000
MIDNIGHT_US = 1_789_948_800_000_000
"""2026-09-21T00:00:00Z."""


@pytest.fixture
def some(add: Add) -> list[int]:
    """Four runs that differ in everything a filter can ask for."""
    return [
        add(),
        add(
            verdict=runs.failed("parse.truncated", "parse.unknown_tool"),
            model="gemma-tiny",
            tool="search",
            planner="big",
        ),
        add(
            verdict=runs.failed("loop.iterations"),
            prompt="罗马的天气怎么样",
            answer="晴天",
            at_us=runs.STARTED_US - DAY_US,
        ),
        add(model="Qwen3:8b", prompt='Say "hello" to http://example.invalid', answer="", text="plain"),
    ]


@pytest.mark.parametrize(
    ("filter_text", "numbers"),
    [
        ("", [4, 3, 2, 1]),
        ("verdict:fail", [3, 2]),
        ("verdict:fail,pass", [4, 3, 2, 1]),
        ("-verdict:fail", [4, 1]),
        ("verdict:p*", [4, 1]),
        ("code:parse.*", [2]),
        ("code:parse.truncated,loop.*", [3, 2]),
        ("-code:parse.*", [4, 3, 1]),
        ("code:*", [3, 2]),
        ("code:nothing", []),
        ("model:qwen*", [4, 3, 1]),
        ("model:QWEN3:8B", [4]),
        ("model:gemma-tiny,qwen3*", [4, 2]),
        ("model:q?en-hasty", [3, 1]),
        ("tool:search", [2]),
        ("-tool:search", [4, 3, 1]),
        ("mode:boost", [2]),
        ("planner:big", [2]),
        ("-planner:big", [4, 3, 1]),
        ("provider:sim* wire:openai_chat origin:try format:qwen_xml", [4, 3, 2, 1]),
        ("is:simulated", [4, 3, 2, 1]),
        ("is:real", []),
        ("is:running,binned", []),
        ("id:2", [2]),
        ("id:#2,3", [3, 2]),
        ("steps:2 calls:1 tokens:>100 seconds:<3", [4, 3, 2, 1]),
        ("steps:>2", []),
        ("calls:<=1,>5", [4, 3, 2, 1]),
        ("stop:answer", [4, 3, 2, 1]),
        ("stop:ans*", [4, 3, 2, 1]),
        ("stop:nonsense", []),
        ("basis:intrinsic", [4, 3, 2, 1]),
        ("since:2026-09-21", [4, 2, 1]),
        ("before:2026-09-21", [3]),
        ("since:2026-09-01 before:2026-09-21", [3]),
        ("before:1h", [4, 3, 2, 1]),
        ("rome", [2, 1]),
        ("ROM", [2, 1]),
        ("Rome weather", [2, 1]),
        ('"weather in rome"', [2, 1]),
        ('"rome in weather"', []),
        ("-rome", [4, 3]),
        ("天气", [3]),
        ("气怎", [3]),
        ("晴", [3]),
        ("prompt:rome", [2, 1]),
        ("answer:rome", [2, 1]),
        ("raw:tool_call", [3, 2, 1]),
        ("raw:plain", [4]),
        ("argument:lima", [4, 3, 2, 1]),
        ("result:temperature", [4, 3, 2, 1]),
        ("prompt:hello,rome", [4, 2, 1]),
        ("get_weather verdict:fail", [3, 2]),
        ('"http://example.invalid"', [4]),
        ("rome verdict:fail", [2]),
    ],
)
def test_a_filter_finds(store: Store, some: list[int], filter_text: str, numbers: list[int]) -> None:
    assert [row.number for row in store.list_runs(filter_text)] == numbers
    assert store.count(filter_text) == len(numbers)


def test_pages_follow_each_other_by_key(store: Store, add: Add) -> None:
    for _ in range(7):
        add()
    for filter_text in ("", "rome"):
        seen: list[int] = []
        before = None
        while page := store.list_runs(filter_text, before, 3):
            seen += [row.number for row in page]
            before = page[-1].id
        assert seen == [7, 6, 5, 4, 3, 2, 1]


def test_facets_count_under_the_other_terms(store: Store, some: list[int]) -> None:
    facets = store.facets("verdict:fail")

    assert facets["verdict"] == [Facet("fail", 2), Facet("pass", 2)]
    assert facets["layer"] == [Facet("loop.*", 1), Facet("parse.*", 1)]
    assert facets["code"] == [
        Facet("loop.iterations", 1),
        Facet("parse.truncated", 1),
        Facet("parse.unknown_tool", 1),
    ]
    assert facets["model"] == [Facet("gemma-tiny", 1), Facet("qwen-hasty", 1)]
    assert facets["format"] == [Facet("qwen_xml", 2)]
    assert facets["tool"] == [Facet("get_weather", 1), Facet("search", 1)]


def test_facet_counts_ignore_their_own_filter(store: Store, some: list[int]) -> None:
    assert store.facets("-verdict:fail rome")["verdict"] == [Facet("pass", 1)]
    assert store.facets("code:parse.*")["layer"] == [Facet("loop.*", 1), Facet("parse.*", 1)]


def test_days_are_counted_with_their_failures(store: Store, some: list[int]) -> None:
    days = store.histogram()

    assert [(day.runs, day.failed) for day in days] == [(1, 1), (3, 1)]
    assert isinstance(days[0], DayCount)
    assert (days[1].day - days[0].day).days == 1
    assert store.histogram("model:nobody") == []


def test_since_includes_and_before_excludes_the_moment(store: Store, add: Add) -> None:
    for offset_us in (-1, 0, 1):
        add(at_us=MIDNIGHT_US + offset_us)
    with local_time("UTC0"):
        assert [row.number for row in store.list_runs("since:2026-09-21")] == [3, 2]
        assert [row.number for row in store.list_runs("before:2026-09-21")] == [1]


@pytest.mark.parametrize(
    ("zone", "days"),
    [
        ("UTC0", [(date(2026, 9, 20), 1), (date(2026, 9, 21), 1)]),
        ("AHEAD-13", [(date(2026, 9, 21), 2)]),
        ("BEHIND+11", [(date(2026, 9, 20), 2)]),
        ("HALF-5:30", [(date(2026, 9, 21), 2)]),
    ],
)
def test_days_are_those_of_the_local_time_zone(store: Store, add: Add, zone: str, days: list[tuple[date, int]]) -> None:
    for hour in (-2, 2):
        add(at_us=MIDNIGHT_US + hour * 3_600_000_000)
    with local_time(zone):
        assert [(day.day, day.runs) for day in store.histogram()] == days
        assert store.count(f"since:{days[-1][0]}") == days[-1][1]
        assert store.count(f"before:{days[-1][0]}") == 2 - days[-1][1]
        assert store.list_runs()[0].started.endswith("Z")


def test_days_follow_the_clock_of_their_season(store: Store, add: Add) -> None:
    """Half an hour before midnight in winter, half an hour after it in summer, whatever today's season is."""
    add(at_us=_us("2026-01-10T22:30:00+00:00"))
    add(at_us=_us("2026-07-10T22:30:00+00:00"))
    with local_time("CET-1CEST,M3.5.0,M10.5.0/3"):
        days = [day.day for day in store.histogram()]
    assert days == [date(2026, 1, 10), date(2026, 7, 11)]


def _us(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp()) * 1_000_000


def test_a_count_can_be_stopped(store: Store, database: Path, add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    add()
    monkeypatch.setattr(sqlite, "STEPS_BETWEEN_QUESTIONS", 1)
    with pytest.raises(StoreError, match="stopped"):
        store.count("", lambda: True)
    assert store.recorded() == 1, "what is asked next is not stopped as well"

    assert store.count("", lambda: False) == 1


def test_names_are_offered_for_completion(store: Store, some: list[int]) -> None:
    assert store.names("model") == ["Qwen3:8b", "big", "gemma-tiny", "qwen-hasty"]
    assert store.names("model", "qwen") == ["Qwen3:8b", "qwen-hasty"]
    assert store.names("code", "parse") == ["parse.truncated", "parse.unknown_tool"]


def test_invalid_filter_term_is_named(store: Store) -> None:
    with pytest.raises(FilterError, match="verdcit"):
        store.list_runs("model:x verdcit:fail")


def test_unjudged_runs_can_be_asked_for(store: Store, add: Add) -> None:
    add(runs.make_run(verdict=None))

    (row,) = store.list_runs("is:running")

    assert row.verdict.state is VerdictState.RUNNING


def test_more_names_than_an_expression_holds(store: Store, add: Add) -> None:
    first = add(verdict=runs.failed(*(f"parse.c{index}" for index in range(1500))))
    add(verdict=runs.failed("loop.iterations"))

    assert [row.number for row in store.list_runs("code:parse.c*")] == [first]
    assert store.count("-code:parse.c*") == 1


def test_runs_by_suite_case_and_batch(store: Store, some: list[int]) -> None:
    made = batches.batch({"a_b": ["p."], "axb": ["f."]})
    ids = [store.find(number).id for number in some]
    items = [replace(item, run_id=ids[at] if at < 3 else "") for at, item in enumerate(made.items)]
    store.batches.add(replace(made, items=tuple(items)))
    suite = made.spec.suite

    def numbers(text: str) -> list[int]:
        return [row.number for row in store.list_runs(text)]

    assert numbers(f"suite:{suite.upper()}") == numbers("suite:*") == [3, 2, 1]
    assert numbers(f"-suite:{suite}") == [4]
    assert numbers("suite:elsewhere") == []
    assert sorted(numbers("case:a_b") + numbers("case:axb")) == [1, 2, 3]
    assert numbers("case:a?b") == [3, 2, 1]
    assert numbers(f"batch:{made.spec.id[:1]}") == [3, 2, 1]
    assert numbers(f"suite:{suite[:1]}") == numbers("case:a") == []
    assert numbers("batch:%") == []
    assert store.names("suite") == [suite]
    assert store.names("case", "a_") == ["a_b"]


def test_suite_and_case_are_asked_of_one_repeat(store: Store, some: list[int]) -> None:
    """A run that two batches hold is no repeat of the one's case in the other's suite."""
    run_id = store.find(some[0]).id
    for suite, case in (("morning", "rome"), ("evening", "oslo")):
        made = batches.batch({case: ["p."]})
        spec = replace(made.spec, id=suite, suite=suite)
        store.batches.add(replace(made, spec=spec, items=tuple(replace(item, run_id=run_id) for item in made.items)))

    assert [row.number for row in store.list_runs("suite:morning case:rome")] == some[:1]
    assert store.list_runs("suite:morning case:oslo") == []
    assert store.count("suite:morning -case:oslo") == 0


def test_words_are_looked_for_among_the_runs_of_a_batch(store: Store, some: list[int]) -> None:
    made = batches.batch({"rome": ["p."]})
    items = [replace(item, run_id=store.find(number).id) for item, number in zip(made.items, some, strict=False)]
    store.batches.add(replace(made, items=tuple(items)))
    asked = f"suite:{made.spec.suite} hello"

    assert [row.number for row in store.list_runs("hello")] == [4]
    assert store.list_runs(asked) == []
    assert store.count(asked) == 0
    assert [row.number for row in store.list_runs(f"-suite:{made.spec.suite} hello")] == [4]


@pytest.mark.parametrize("ask", ["count", "facets", "list_runs"])
def test_a_server_that_goes_while_a_way_is_chosen_is_told(
    ask: str, store: Store, some: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_args: object) -> None:
        raise OperationalError("SELECT", {}, Exception("server closed the connection unexpectedly"))

    monkeypatch.setattr(type(index_of(store._reading)), "over", gone)
    monkeypatch.setattr(type(index_of(store._reading)), "ways", gone)
    with pytest.raises(StoreError, match="went away"):
        getattr(store, ask)("weather")


def test_runs_are_read_in_the_order_of_recording(store: Store, database: Path, add: Add) -> None:
    for run_id in ("a", "b", "c", "d"):
        add(run_id=run_id)
    assert [row.id for row in store.oldest_first(1, 2)] == ["b", "c"]
    assert [row.id for row in store.oldest_first(0, 99)] == ["a", "b", "c", "d"]
    assert store.oldest_first(4, 2) == []
    assert set(store.held(["a", "d", "nobody"])) == {"a", "d"}
    assert store._history.of_id("nobody") is None


@pytest.mark.parametrize(
    ("ref", "message", "hint"),
    [
        (" ", "No run is named.", "Give its number or the beginning of its id."),
        ("#", "No run is named.", "Give its number or the beginning of its id."),
        ("r", "More than one run id begins with 'r'.", "Give more of it, or the number."),
        ("Nobody", "There is no run 'Nobody'.", "`workbench history` lists them."),
        (99, "There is no run '99'.", "`workbench history` lists them."),
        ("9" * 19, f"There is no run '{'9' * 19}'.", "`workbench history` lists them."),
    ],
)
def test_a_run_that_is_not_found_is_told_in_these_words(
    store: Store, database: Path, add: Add, ref: str | int, message: str, hint: str
) -> None:
    for run_id in ("r1", "r2"):
        add(run_id=run_id)
    with pytest.raises(InvalidInput) as failed:
        store.find(ref)
    assert (failed.value.message, failed.value.hint) == (message, hint)
    assert store.find("#1").id == store.find(" 1 ").id == store.find("R1").id == "r1"


def test_a_thousand_may_be_written_with_its_comma(store: Store, database: Path, add: Add) -> None:
    add(run_id="first")
    with store._writing.begin() as connection:
        connection.exec_driver_sql("UPDATE sqlite_sequence SET seq = 1233 WHERE name = 'runs'")
    assert add(run_id="r") == 1_234
    assert store.find("1,234").id == "r"


def test_facets_stand_in_their_order_and_each_without_its_own_terms(store: Store, some: list[int]) -> None:
    assert list(store.facets()) == ["verdict", "layer", "code", "model", "format", "tool"]
    found = store.facets("model:gemma-tiny verdict:fail")
    assert found["verdict"] == [Facet("fail", 1)]
    assert found["model"] == [Facet("gemma-tiny", 1), Facet("qwen-hasty", 1)]


def test_a_verdict_of_a_later_version_is_not_gradable_here(store: Store, database: Path, add: Add) -> None:
    number = add()
    with store._writing.begin() as connection:
        connection.execute(update(schema.runs).values(verdict="splendid"))
    assert store.find(number).verdict.state is VerdictState.NOT_GRADABLE
    assert store.facets()["verdict"] == [Facet("splendid", 1)]


def test_names_of_suites_and_cases_begin_in_either_case(store: Store, database: Path) -> None:
    made = batches.batch({"Rome": ["p"], "oslo": ["p"]})
    store.batches.add(replace(made, spec=replace(made.spec, suite="Morning")))
    assert store.names("suite", "mor") == store.names("suite", "MOR") == ["Morning"]
    assert store.names("case") == ["Rome", "oslo"]
    assert store.names("case", "r") == ["Rome"]
    assert store.names("model", "x") == store.names("nothing") == []


def test_the_most_frequent_values_come_first(store: Store, database: Path, add: Add) -> None:
    for model in ("b", "b", "a", "c", "c", "c"):
        add(model=model)
    assert store.facets()["model"] == [Facet("c", 3), Facet("b", 2), Facet("a", 1)]


def test_what_could_not_be_read_while_a_way_was_chosen_is_named(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_args: object) -> None:
        raise OperationalError("SELECT", {}, Exception("database disk image is malformed"))

    for way in ("over", "ways"):
        monkeypatch.setattr(type(index_of(store._reading)), way, gone)
    for ask in (store.count, store.list_runs):
        with pytest.raises(StoreError) as caught:
            ask("weather")
        assert caught.value.message == "The history could not be read. The database is damaged."

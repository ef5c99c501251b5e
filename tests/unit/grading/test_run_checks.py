from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from tests.kit.judged import FILE, PARIS, ROME, case, judged, turn, weather
from workbench.core.case import Case, Expectation, PathChecks
from workbench.core.verdict import VerdictState

SAY = runs.step(1, "Fine.", shown="Fine.")
READ = runs.call("read_file", {"path": "a.txt"})


def asks(**more: object) -> Case:
    return replace(case(ROME), expectation=Expectation(**more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wanted", "answer", "code"),
    [
        ({"answer_lacks": ("sorry",)}, "Sorry, it rains.", "decision.wrong_answer"),
        ({"answer_lacks": ("sorry",)}, "It rains.", ""),
        ({"answer_regex": r"\d+ degrees"}, "21 degrees", ""),
        ({"answer_regex": r"\d+ degrees"}, "warm", "decision.wrong_answer"),
    ],
)
def test_answer_words(wanted: dict, answer: str, code: str) -> None:
    found = judged(case(ROME, **wanted), turn(0, weather()), SAY, answer=answer)

    assert (found.verdict.codes[:1] or ("",))[0] == code
    assert (found.verdict.state is VerdictState.PASS) == (not code)


def test_disallowed_leak_fails() -> None:
    leaky = runs.step(1, "Fine.</tool_call>", shown="Fine.</tool_call>")
    allowed, strict = (judged(case(ROME, no_markers=strict), turn(0, weather()), leaky) for strict in (False, True))

    assert allowed.verdict.state is VerdictState.PASS
    assert strict.verdict.state is VerdictState.FAIL
    assert strict.verdict.codes[0] == "parse.leaked_marker"


def test_asking_back() -> None:
    assert judged(asks(must_ask=True), SAY, answer="Which city?").verdict.reason == "Rightly asked back."
    assert judged(asks(must_ask=True), SAY, answer="It rains.").verdict.codes == ("decision.did_not_ask",)
    assert (
        judged(asks(must_ask=True), turn(0, weather()), SAY, answer="Ok?").verdict.codes[0] == "decision.unneeded_call"
    )


@pytest.mark.parametrize("question", ["哪个城市？", "أي مدينة؟", "Ποια πόλη\u037e", "Which one⁇"])
def test_questions_end_in_the_marks_of_their_scripts(question: str) -> None:
    assert judged(asks(must_ask=True), SAY, answer=question).verdict.state is VerdictState.PASS


def test_any_call() -> None:
    made = judged(asks(any_call=True), turn(0, weather("Oslo")), SAY)

    assert (made.verdict.state, made.verdict.reason, made.rule) == (VerdictState.PASS, "Made a call.", "any call")
    assert judged(asks(any_call=True), SAY).verdict.codes == ("decision.no_call",)
    lost = judged(asks(any_call=True), runs.step(0, problems=[runs.problem("bad_json")]), SAY)
    assert lost.verdict.codes[0] == "parse.bad_json"


def test_forbidden_tools() -> None:
    wanted = asks(must_not_call=("get_weather",))

    assert judged(wanted, turn(0, weather()), SAY).verdict.codes == ("decision.forbidden_call",)
    assert judged(wanted, turn(0, READ), SAY).verdict.reason == "Called nothing that is wrong here."
    assert judged(wanted, SAY).verdict.state is VerdictState.PASS


@pytest.mark.parametrize(
    ("path", "turns", "codes"),
    [
        (PathChecks(max_steps=1), [turn(0, weather()), SAY], ("loop.too_many_steps",)),
        (PathChecks(max_steps=2), [turn(0, weather()), SAY], ()),
        (PathChecks(tools=("get_weather", "read_file")), [turn(0, weather(), READ), SAY], ()),
        (PathChecks(tools=("read_file", "get_weather")), [turn(0, weather(), READ), SAY], ("decision.order",)),
        (PathChecks(no_repeats=True), [turn(0, weather()), turn(1, weather()), SAY], ("loop.repeated_call",)),
        (PathChecks(no_repeats=True), [turn(0, weather()), turn(1, weather("Oslo")), SAY], ()),
    ],
)
def test_paths(path: PathChecks, turns: list, codes: tuple[str, ...]) -> None:
    assert judged(asks(any_call=True, path=path), *turns).verdict.codes == codes


def test_subset_names_only_and_one_of() -> None:
    some = judged(case(ROME, FILE, missing_calls=True), turn(0, weather()), SAY)
    other = judged(case(ROME, FILE, missing_calls=True), turn(0, weather("Oslo")), SAY)
    none = judged(case(ROME, FILE, missing_calls=True), SAY)
    named = judged(case(ROME, names_only=True), turn(0, weather("Oslo", "trailing_comma")), SAY)
    ways = asks(one_of=(Expectation((PARIS,)), Expectation((ROME,))))
    either, neither = judged(ways, turn(0, weather()), SAY), judged(ways, turn(0, weather("Oslo")), SAY)

    assert [one.verdict.state.value for one in (some, other, none, named, either, neither)] == [
        "pass", "fail", "fail", "pass", "pass", "fail",
    ]  # fmt: skip
    assert named.rule == "strict order, names only"
    assert neither.verdict.codes == ("argument.wrong_value",)

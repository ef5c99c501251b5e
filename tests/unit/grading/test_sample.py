from __future__ import annotations

from dataclasses import replace

from tests.kit import runs
from tests.kit.exports import exported
from tests.kit.fakes import Reply
from tests.kit.judged import PARIS, ROME, case
from workbench.core.case import Matching
from workbench.core.messages import Message
from workbench.core.run_summary import RunSummary, summarize
from workbench.grading.expectation import GRADER_VERSION
from workbench.grading.sample import case_hash, sample_of, template_hash


def test_a_sample_of_a_run() -> None:
    events = runs.make_run(verdict=None)
    found = sample_of(summarize(events), case(ROME))

    assert (found.format, found.model, found.simulated, found.seed_honoured) == ("qwen_xml", "m-1", True, True)
    assert (found.parser, found.grader, found.match) == ("2026.1", GRADER_VERSION, "strict order")
    assert (found.first_token_us, found.first_call_us, found.duration_us) == (12, None, 2_500_000)
    assert (found.input_tokens, found.output_tokens, found.steps, found.loops) == (200, 20, 2, 1)
    assert found.wrapper == ""
    assert len(found.tools) == len(found.case) == 16


def test_a_boosted_run_names_its_wrapper() -> None:
    assert sample_of(summarize(runs.make_run(planner="plain", verdict=None)), case(ROME)).wrapper


def test_a_run_without_an_end_still_names_its_case() -> None:
    found = sample_of(RunSummary(), case(ROME))

    assert (found.case, found.grader, found.format) == (case_hash(case(ROME)), GRADER_VERSION, "")


def test_case_hash_covers_relevant_fields() -> None:
    one = case(ROME)

    assert case_hash(replace(one, title="other", notes="n", tags=("t",), id="x")) == case_hash(one)
    assert case_hash(case(PARIS)) != case_hash(one)
    assert case_hash(replace(one, messages=(Message("user", "!"),))) != case_hash(one)


def test_rules_that_came_later_leave_the_hash_of_cases_without_them() -> None:
    assert case_hash(case(ROME)) == "6374e5df162254b6"
    changed = replace(case(ROME), expectation=replace(case(ROME).expectation, matching=Matching(as_written=True)))  # type: ignore[type-var]
    assert case_hash(changed) != case_hash(case(ROME))


def test_template_is_what_taught_the_tools_beside_the_cases_own_words() -> None:
    taught = exported(Reply("Hi.")).run
    assert len(template_hash(taught)) == 16
    assert template_hash(exported(Reply("Ho.")).run) == template_hash(taught)
    assert template_hash(exported(Reply("Hi."), format_id="react").run) != template_hash(taught)
    assert template_hash(exported(Reply("Hi."), format_id="native_openai").run) == ""
    assert template_hash(RunSummary()) == ""

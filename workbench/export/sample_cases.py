"""The cases behind recorded runs, as evaluation tools take them: each once, with what is expected and who says so."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from workbench.cases.expectation_document import expectation_to_document
from workbench.cases.files import slug
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall, PathChecks
from workbench.core.tools import MockRule
from workbench.export.exported_run import NOT_CONFIRMED
from workbench.export.files import LeftOut
from workbench.export.truth import truths
from workbench.grading.modes import MODES
from workbench.grading.sample import case_hash, digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.case import Case
    from workbench.export.exported_run import ExportedRun


@dataclass(frozen=True, slots=True)
class SampleCase:
    """One case and the runs of it."""

    id: str
    """Unique in its export; letters, digits and `-`."""
    case: Case
    expectation: Expectation | None
    """What the case expects; of a run without one what was read, and None where a call was lost."""
    confirmed: bool
    """Somebody expects it; else it is a reading."""
    basis: str
    runs: tuple[ExportedRun, ...]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """In OpenAI's shape."""
        return [message.to_openai() for message in self.case.messages]

    @property
    def tools(self) -> list[dict[str, Any]]:
        """In OpenAI's shape."""
        return [setup.spec.to_openai() for setup in self.case.tools]


def sample_cases(runs: Sequence[ExportedRun]) -> list[SampleCase]:
    """Fold runs of the same case into one sample, in the order of the first run of each."""
    groups: dict[str, list[ExportedRun]] = {}
    wanted: dict[str, tuple[Expectation | None, bool, str]] = {}
    for exported in runs:
        found = _wanted(exported)
        case = replace(exported.case, expectation=found[0])
        key = digest([case_hash(case), [setup.spec.to_document() for setup in case.tools], *found[1:]])
        groups.setdefault(key, []).append(exported)
        wanted[key] = found
    samples, taken = [], set[str]()
    for key, members in groups.items():
        name = _free(slug(members[0].case.id), taken)
        samples.append(SampleCase(name, members[0].case, *wanted[key], tuple(members)))
    return samples


def _free(name: str, taken: set[str]) -> str:
    free, number = name, 2
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    taken.add(free)
    return free


def _wanted(exported: ExportedRun) -> tuple[Expectation | None, bool, str]:
    if exported.case.expectation is not None:
        return exported.case.expectation, True, exported.basis
    found = truths(exported)
    if any(truth.doubt for truth in found.values()) or not found:
        return None, False, f"{NOT_CONFIRMED}; a call was lost, so nothing is expected"
    calls = tuple(
        ExpectedCall(call["name"], {name: ExpectedArgument((value,)) for name, value in call["arguments"].items()})
        for truth in found.values()
        for call in truth.calls
    )
    return Expectation(calls, no_call=not calls), False, NOT_CONFIRMED


def not_in_one_reply(sample: SampleCase) -> Iterator[LeftOut]:
    """What of a case cannot be judged by a model's first reply alone."""
    for way in ways(sample.expectation):
        if way.path != PathChecks():
            yield LeftOut("expect.path", "one reply has no path", sample.id)
        for key in ("answer_contains", "answer_lacks", "answer_regex"):
            if getattr(way, key) and not (way.no_call or way.must_ask):
                yield LeftOut(f"expect.{key}", "the answer comes after the tool results", sample.id)
    if any(setup.mock != MockRule() for setup in sample.case.tools):
        yield LeftOut("mocks", "no tool is called", sample.id)


def checkable(expectation: Expectation) -> dict[str, Any]:
    """The expectation as the checks that leave with an export read it: an object, its rules of matching written out."""
    found = expectation_to_document(expectation)
    return _written_out(found) if isinstance(found, dict) else {"no_call": True}


def _written_out(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    out = {key: value for key, value in document.items() if key != "grading"}
    if "grading" in document:
        out["matching"] = asdict(MODES[document["grading"]])
    if "one_of" in out:
        out["one_of"] = [_written_out(way) for way in out["one_of"]]
    return out


def unchecked(sample: SampleCase) -> Iterator[LeftOut]:
    """Rules that no check outside of the workbench knows."""
    for way in ways(sample.expectation):
        if way.no_markers:
            yield LeftOut("expect.no_markers", "the check knows no markers", sample.id)
        if way.matching.as_written:
            yield LeftOut("matching.as_written", "the check sees values as they were read", sample.id)
        if any(_has_literal(rule) for call in way.calls for rule in call.arguments.values()):
            yield LeftOut("literal", "the check compares the text that holds the literal", sample.id)


def _has_literal(rule: ExpectedArgument) -> bool:
    inner = (*rule.one_of, *(rule.items or ()), *(rule.fields or {}).values())
    return bool(rule.literal) or any(map(_has_literal, inner))


def ways(expectation: Expectation | None) -> tuple[Expectation, ...]:
    """The right ways of an expectation: itself where it has no alternatives."""
    if expectation is None:
        return ()
    return tuple(way for one in expectation.one_of for way in ways(one)) or (expectation,)

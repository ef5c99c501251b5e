"""Files of the Berkeley Function-Calling Leaderboard: questions, possible answers and results, told apart by their rows.

Answers are looked for in the folder `possible_answer` beside the questions where they are not among the files. Results
without their questions are of cases that were imported before.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.whole_files import true_path
from workbench.imports.bfcl_cases import OtherCategory, bfcl_case, category_of, is_answer, is_question, is_result
from workbench.imports.bfcl_results import bfcl_reply, model_of
from workbench.imports.items import NewCase, NotCarried
from workbench.imports.rows import BadRow, FileRow, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from workbench.core.case import Case
    from workbench.imports.items import Advance, Item, ReadOptions

_KINDS = {"question": is_question, "answer": is_answer, "result": is_result}


def suite_of(category: str) -> str:
    """Name of the suite that holds a category's cases."""
    return f"bfcl-{category.replace('_', '-')}"


def bfcl_kind(value: Any) -> str:
    """`question`, `answer` or `result` by one row; empty for any other."""
    return next((kind for kind, fits in _KINDS.items() if fits(value)), "")


def read_bfcl(paths: Sequence[Path], options: ReadOptions, advance: Advance) -> Iterator[Item]:
    """Yield cases first, then replies; raise InvalidInput for a file that is none of these at all."""
    kinds = {path: _kind_of(path) for path in paths}
    by_kind = {kind: [path for path in paths if kinds[path] == kind] for kind in _KINDS}
    beside = [path.parent / "possible_answer" / path.name for path in by_kind["question"]]
    beside = [path for path in beside if path.is_file() and true_path(path) not in {*map(true_path, paths)}]
    answers: dict[str, dict[str, Any]] = {}
    for path in [*by_kind["answer"], *beside]:
        for row in read_rows(path, advance if path in kinds else lambda _: None):
            if isinstance(row, FileRow) and is_answer(row.value):
                answers[str(row.value["id"])] = row.value
            else:
                yield _bad(row)
    cases: dict[str, Case] = {}
    yield from chain.from_iterable(_cases(path, answers, cases, advance) for path in by_kind["question"])
    yield from chain.from_iterable(_replies(path, cases, options, advance) for path in by_kind["result"])


def _kind_of(path: Path) -> str:
    """By the first row that is one; raise InvalidInput where there is none."""
    for row in read_rows(path):
        if isinstance(row, FileRow):
            if kind := bfcl_kind(row.value):
                return kind
            break
    raise InvalidInput(
        f"The file {str(path)!r} is none of the leaderboard's.",
        hint="Its rows have an id with question and function, with ground_truth, or with result.",
    )


def _bad(row: FileRow | BadRow) -> BadRow:
    return (
        row if isinstance(row, BadRow) else BadRow(row.place, f"{row.place} is of another kind than the rows before.")
    )


def _cases(
    path: Path, answers: Mapping[str, dict[str, Any]], cases: dict[str, Case], advance: Advance
) -> Iterator[Item]:
    for row in read_rows(path, advance):
        if isinstance(row, BadRow) or not is_question(row.value):
            yield _bad(row)
            continue
        case_id = str(row.value["id"])
        try:
            case = bfcl_case(row.value, answers.get(case_id), row.place)
        except OtherCategory:
            yield NotCarried(f"questions of {category_of(case_id)}: not judged by the calls of one reply")
            continue
        except InvalidInput as error:
            yield BadRow(row.place, error.message)
            continue
        if case.expectation is None:
            yield NotCarried(f"possible answers of {category_of(case_id)}: the cases expect nothing")
        cases[case_id] = case
        yield NewCase(case, suite_of(category_of(case_id)))


def _replies(path: Path, cases: dict[str, Case], options: ReadOptions, advance: Advance) -> Iterator[Item]:
    model = options.model or model_of(path)
    if not model:
        raise InvalidInput(f"Nobody says which model {path.name!r} is of.", hint="Add --model NAME.")
    for row in read_rows(path, advance):
        if isinstance(row, BadRow) or not is_result(row.value):
            yield _bad(row)
            continue
        case_id = str(row.value["id"])
        category = category_of(case_id)
        suite = options.suite or suite_of(category)
        case = cases.get(case_id) or options.known(suite).get(case_id)
        if case is None:
            yield NotCarried(f"results of {category}: their questions are not known, give that file too")
            continue
        try:
            yield replace(bfcl_reply(row.value, case, model, row.place), suite=suite, format=options.format)
        except InvalidInput as error:
            yield BadRow(row.place, error.message)

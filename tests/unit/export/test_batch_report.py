from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, result
from workbench.core.verdict import Basis
from workbench.export.batch_report import MOST_SENTENCES, cell_text, footer, letter, markdown, sentences
from workbench.grading.comparison import compare_all
from workbench.grading.matrix import matrix
from workbench.grading.rates import percent

MADE = batch({"good": ["ssss", "ssss"], "bad": ["spff", "ffff"], "trouble": ["eeee", "ssse"], "cut": ["ss..", "----"]})


def test_letters_and_percents() -> None:
    assert [letter(place) for place in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]
    assert (percent(0.725), percent(0.006), percent(1)) == ("72 %", "1 %", "100 %")


def test_a_cell_is_a_shape_a_count_and_its_interval() -> None:
    (row,) = matrix(batch({"mixed": ["spff", "eeee", "ss..", "----"]})).rows
    assert [cell_text(cell) for cell in row.cells] == ["◐ 2/4 15–85", "▲ error", "○ 2/2 too few", "not asked"]


def test_errors_are_told_with_their_bounds_and_trimmed_runs_are_counted() -> None:
    first, *_ = footer(MADE, matrix(MADE))

    assert first == (
        "26 of 32 runs done · 5 errors left out of rates (A between 57 % and 86 %, B between 58 % and 67 %)"
        " · 4 taken out by hand"
    )


def test_several_comparisons_are_counted() -> None:
    lines = sentences(compare_all(batch({f"c{place}": ["ss", "sf", "ff"] for place in range(7)})))

    assert len(lines) == 4
    assert lines[-1].startswith("3 comparisons;")
    assert sentences(compare_all(batch({"a": ["ss"]}))) == []


def test_of_very_many_comparisons_the_largest_are_listed_and_all_are_counted() -> None:
    made = batch({f"c{place}": ["ssssss", *["ffffff"] * 2, *["sfsfsf"] * 6] for place in range(8)})
    lines = sentences(compare_all(made))

    assert len(lines) == MOST_SENTENCES + 1
    assert lines[0].startswith("B against A: cannot tell, −100 points (paired, 99.86 %: −100 to +100). About 11 cases")
    assert lines[-1].startswith("36 comparisons;")
    assert "Listed are 28" in lines[-1]


def test_too_few_runs_have_no_interval() -> None:
    (row,) = matrix(batch({"a": ["ss"]})).rows

    assert cell_text(row.cells[0]) == "· 2/2 too few"


def test_case_without_expectation_counts_clean_runs() -> None:
    made = batch({"a": ["ss"]})
    items = tuple(replace(item, result=result("s", basis=Basis.INTRINSIC)) for item in made.items)

    assert cell_text(matrix(replace(made, items=items)).rows[0].cells[0]) == "◇ not gradable 2/2 clean"


def test_markdown_has_the_table_the_sentences_and_the_footer() -> None:
    text = markdown(MADE, halted="Stopped at the cost limit.")

    assert text.startswith("# Suite demo\n")
    assert "| A | Simulator/model-0 · qwen_xml (simulated) | 83 % |" in text
    assert "| bad | ◐ 2/4 15–85 | ✕ 0/4 0–49 |" in text
    assert "\n- B against A: cannot tell, −25 points" in text
    assert "26 of 32 runs done" in text
    assert "Stopped at the cost limit." in text


def test_markdown_names_cannot_break_the_table() -> None:
    made = batch({"a": ["s"]})
    named = replace(made, spec=replace(made.spec, suite="a | <b>\nc"))
    assert markdown(named).startswith("# Suite a \\| &lt;b> c\n")


def test_markdown_lists_changes_since_the_baseline() -> None:
    before, now = batch({"a": ["pppppppp"]}), batch({"a": ["ffffffff"]})
    assert "A against the baseline: " in markdown(now, before)


def test_a_report_begins_with_the_answer() -> None:
    made = batch({f"c{at}": ["sff", "sss"] for at in range(12)})

    told = [line for line in markdown(made).splitlines() if line.startswith("- ")]

    assert told[0].startswith("- B is in front with 100 %")
    assert told[1].startswith("- A fails in 24 runs: decision 100 % (no_call)")


def test_pairs_of_which_nothing_can_be_said_are_named_and_no_p_stands_behind_them() -> None:
    apart = batch({"a": ["sss", "...", "..."], "b": ["...", "fff", "..."]})
    assert sentences(compare_all(apart)) == [
        "No judged case in common: B and A, C and A, C and B.",
        "3 comparisons; p and intervals adjusted by Holm.",
    ]
    made = batch({f"c{at}": ["sss", "fff"] for at in range(8)})
    odd = replace(
        made, items=tuple(replace(item, sample=replace(item.sample, parser="xy"[item.target])) for item in made.items)
    )
    (told,) = sentences(compare_all(odd))
    assert told.endswith("differs.")

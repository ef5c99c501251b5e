"""Lines of the table of all formats, and of the list of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.ui.run.forensics_rows import (
    COLUMNS,
    LONGEST,
    AttemptStretch,
    ColouredWord,
    FindingLine,
    FindingModel,
    ForensicsModel,
    FormatLine,
    VerdictWords,
    call_line,
    count_words,
)

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester


def line(name: str, *, found: bool = True, note: str = "") -> FormatLine:
    return FormatLine(
        name, note, count_words(1, 0, 1, 0), count_words(1, 1, 0, 0), ("now()",), (AttemptStretch(0, 4, "strict"),), "fenced",
        found,
    )  # fmt: skip


def test_counts_in_colours() -> None:
    assert count_words(0, 0, 0, 0) == (ColouredWord("–", "text3"),)
    assert count_words(1, 0, 1200, 0) == (
        ColouredWord("1 strict", "passed"),
        ColouredWord(" · ", "text3"),
        ColouredWord("1,200 reported", "failed"),
    )
    assert "".join(word.text for word in count_words(1, 2, 3, 4)) == "1 strict · 2 recovered · 3 reported · 4 ignored"


def test_calls_on_one_line() -> None:
    assert call_line("get_weather", {"city": "Rome\nOslo", "days": 3}) == 'get_weather(city="Rome\\nOslo", days=3)'
    long = call_line("write", {"text": "x" * 100_000, "more": 1})
    assert len(long) == LONGEST
    assert long.endswith("…")


def test_the_filter(qtmodeltester: ModelTester) -> None:
    model = ForensicsModel()
    model.show_readings([line("qwen_xml", note="asked"), line("react", found=False), line("glm45")], 90)
    qtmodeltester.check(model)
    assert [model.line(row).format for row in range(model.rowCount())] == ["qwen_xml", "glm45"]
    assert (model.names(found=True), model.names(found=False)) == (["qwen_xml", "glm45"], ["react"])
    assert (model.row_of("glm45"), model.row_of("react")) == (1, -1)
    model.set_found(False)
    qtmodeltester.check(model)
    assert model.row_of("react") == 0
    assert not model.shows_found


def test_compare_row_texts() -> None:
    model = ForensicsModel()
    model.show_readings([line("qwen_xml", note="asked")], 90)
    texts = [model.data(model.index(0, column)) for column in range(model.columnCount())]
    assert texts == ["qwen_xml asked", "1 strict · 1 reported", "1 strict · 1 recovered", "now()", "fenced"]
    spoken = model.data(model.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "qwen_xml, asked, strict: 1 strict · 1 reported, tolerant: 1 strict · 1 recovered, now(), fenced"
    assert model.headerData(4, Qt.Orientation.Horizontal) == COLUMNS[4]


def test_findings(qtmodeltester: ModelTester) -> None:
    model = FindingModel()
    assert model.next_bad(-1, 1) == -1
    outcomes = ("strict", "recovered", "strict", "reported")
    model.show_lines([FindingLine(name, f"call {at}", "there", at, at + 1) for at, name in enumerate(outcomes)])
    qtmodeltester.check(model)
    assert [model.next_bad(-1, 1), model.next_bad(1, 1), model.next_bad(3, 1), model.next_bad(1, -1)] == [1, 3, 1, 3]
    assert model.data(model.index(3, 0), Qt.ItemDataRole.AccessibleTextRole) == "reported: call 3, there"


def test_the_head_in_one_sentence() -> None:
    words = VerdictWords("First fault: format", True, "The model.", "A comma.", "", (), ())
    assert words.sentence == "First fault: format. The model. A comma."

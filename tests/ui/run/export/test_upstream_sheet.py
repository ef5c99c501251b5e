"""The sheet of a report: what it shows and what it asks for."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.ui.run.export.upstream_sheet import ShownReport, UpstreamSheet

REPORT = ShownReport(
    "[Bug]: x", "### Heading\n\n`code`", "https://example.test/new", (("Look at", ("Twice.",)), ("Nothing", ()))
)


def test_report_problem_and_work_are_told_apart(qtbot, theme) -> None:
    sheet = UpstreamSheet([("vllm", "vLLM"), ("provider", "a provider")], "vllm")
    qtbot.addWidget(sheet)
    told: list[str] = []
    sheet.receiver_chosen.connect(told.append)
    sheet.stop_asked.connect(lambda: told.append("stop"))
    sheet.show_working("Looking")
    assert (sheet.shows_report, sheet.copy.isEnabled(), sheet.working.text()) == (False, False, "Looking")
    sheet.stop.click()
    sheet.show_report(REPORT)
    assert sheet.shows_report
    assert (sheet.title.text(), sheet.text.toPlainText()) == (REPORT.title, REPORT.body)
    sheet.receiver.value_chosen.emit("provider")
    assert told == ["stop", "provider"]
    sheet.show_problem("Nothing is wrong.")
    assert not sheet.shows_report
    assert sheet.text.toPlainText() == ""


def test_the_sheet_is_no_wider_than_its_window(qtbot, theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 600)
    sheet = UpstreamSheet([("vllm", "vLLM")], "vllm", window)
    assert (sheet.width(), sheet.height()) == (1000, 600)

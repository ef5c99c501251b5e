from __future__ import annotations

from tests.kit.exports import CALL, exported, weather_case
from tests.kit.fakes import Reply
from tests.unit.export.test_html_page import read
from workbench.core.verdict import VerdictState
from workbench.core.versions import PARSER_VERSION
from workbench.export.html_runs import export_html, verdict_of


def test_page_tells_what_was_asked_what_came_and_what_is_right() -> None:
    lost = exported(Reply(CALL), Reply(CALL), Reply("?"), case=weather_case(), format_id="react")
    made = export_html([lost, exported(Reply(CALL), Reply("Sunny <b>."))])
    found = read(made.files[0].text)
    for words in (
        "Weather in Rome?", CALL, "Right, the case 'weather' expects it; qwen_xml reads it in this text",
        "react gave out: no call", f"as read by parser {PARSER_VERSION}, not confirmed", "Sunny <b>.", "Tool results",
        "2 tools: get_weather, read_file", "✕ fail",
    ):  # fmt: skip
        assert words in found.text, words
    assert "b" not in found.tags
    assert (made.form, made.summary) == ("file", "2 runs as one HTML file")


def test_todays_verdict_comes_before_the_recorded_one() -> None:
    run = exported(Reply("No."), case=weather_case())
    verdict = verdict_of(run)
    assert verdict is not None
    assert verdict.state is VerdictState.FAIL

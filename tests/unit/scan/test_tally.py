from __future__ import annotations

from tests.kit.scanning import LEAK, judged
from workbench.scan.reply import FoundReply
from workbench.scan.tally import Tally, TallyCell, TallyColumn, day_of

DAY = 86_400_000_000
NOW = 1_795_168_800_000_000


def tally() -> Tally:
    made = Tally()
    replies = [
        FoundReply("1", LEAK, model="m", server="s", at_us=NOW),
        FoundReply("2", "ok", model="m", server="s", at_us=NOW + DAY),
        FoundReply("3", "ok", model="other"),
    ]
    for reply in replies:
        made.add_reply(reply)
        for finding in judged([reply]):
            made.add_finding(finding)
    return made


def test_columns_by_server_format_and_day() -> None:
    made = tally()
    assert made.columns("server") == [TallyColumn("m", "s"), TallyColumn("other")]
    assert made.columns("format") == [TallyColumn("qwen_xml")]
    assert made.columns("day") == [TallyColumn("no date"), TallyColumn("2026-11-21"), TallyColumn("2026-11-20")]


def test_rates_have_the_replies_of_their_column_below() -> None:
    made = tally()
    cell = made.cells("server")["tool_markup_in_content", TallyColumn("m", "s")]
    assert (cell.times, cell.read, cell.rate) == (1, 2, 0.5)
    assert 0.05 < cell.low < 0.1
    assert made.cells("day")["tool_markup_in_content", TallyColumn("2026-11-20")].read == 1
    assert made.cells("format")["tool_markup_in_content", TallyColumn("qwen_xml")].read == 3
    assert (made.replies, made.findings, made.kinds) == (3, 1, {"tool_markup_in_content": 1})


def test_days_are_those_of_utc() -> None:
    assert (day_of(NOW), day_of(0)) == ("2026-11-20", "")


def test_several_findings_in_a_reply_are_no_share() -> None:
    assert TallyCell(5, 4, 0.5).often == "1.2 a reply"
    assert TallyCell(1, 4, 0.1).often == "25.0%"
    assert TallyCell(1, 5_000, 0.0).often == "< 0.1%"
    assert TallyCell(0, 5_000, 0.0).often == "0.0%"

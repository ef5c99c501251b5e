from __future__ import annotations

from tests.kit.scanning import LEAK, judged
from workbench.core.calls import Span
from workbench.grading.incidents import KINDS
from workbench.scan.finding import KEPT, TITLES, window
from workbench.scan.reply import FoundReply


def test_every_kind_has_its_words() -> None:
    assert set(TITLES) == set(KINDS)


def test_a_long_text_is_cut_around_the_call() -> None:
    text = "a" * 100_000 + LEAK + "b" * 100_000
    cut, span = window(text, Span(100_000, 100_000 + len(LEAK)))
    assert (len(cut), cut[span.start : span.end]) == (KEPT, LEAK)
    cut, span = window("x" * 50_000, Span(0, 50_000))
    assert (span.start, span.end) == (0, KEPT)


def test_the_document_of_a_finding() -> None:
    (finding,) = judged([FoundReply("7", f"I look.\n{LEAK}", model="m", server="s", at_us=5)])
    told = finding.to_json()
    assert {"kind", "source", "place", "model", "format", "raw", "span", "tool"} <= told.keys()
    assert told["raw"][slice(*told["span"])] == LEAK
    assert ("run" in told, told["in"]) == (False, "text")


def test_alike_findings_share_what_is_peculiar() -> None:
    one, other, third = judged([FoundReply("1", f"A {LEAK}"), FoundReply("2", f"B {LEAK}"), FoundReply("3", LEAK)])
    assert one.alike == other.alike != third.alike

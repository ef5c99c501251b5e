from __future__ import annotations

import pytest

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats import get_format
from workbench.formats.kit.invoke_tags import as_text, flagged_writer, invoke_shape, writer

CALL = ParsedCall("now", {"zone": "CET", "n": 3}, "", Outcome.STRICT, (), Span(0, 0), Span(0, 0), Span(0, 0), "x")


def test_values_as_they_stand_between_tags() -> None:
    assert (as_text("a"), as_text(3), as_text(None), as_text(["ü"])) == ("a", "3", "null", '["ü"]')


def test_writers() -> None:
    text = writer("<b>", "</b>", "ns:", "")([CALL])
    assert text == (
        '<b><ns:invoke name="now"><ns:parameter name="zone">CET</ns:parameter>'
        '<ns:parameter name="n">3</ns:parameter></ns:invoke></b>'
    )
    flagged = flagged_writer("calls", "x")([CALL])
    assert '<xparameter name="zone" string="true">CET' in flagged
    assert '<xparameter name="n" string="false">3' in flagged


def test_a_shape_takes_its_own_and_lost_namespaces() -> None:
    shape = invoke_shape("ns:", ("",), {"<b>": "</b>"})
    assert shape.call_open.match('<invoke name="now">')
    assert shape.call_exact.match('<ns:invoke name="now">')
    assert not shape.call_exact.match('<invoke name="now">')


@pytest.mark.parametrize("name", ["anthropic_xml", "minimax_m2", "deepseek_dsml", "gigachat35", "muse_glimmer"])
def test_a_tag_that_closes_itself_is_a_call(name: str) -> None:
    opener, closer = get_format(name).render_call(CALL).split("\n", 1)[0], ""
    space = get_format(name).grammar.shape.call_starts[0].removesuffix("invoke ").removeprefix("<")  # type: ignore[attr-defined]
    (call,) = get_format(name).parse(f'{opener}<{space}invoke name="now"/>{closer}').calls
    assert (call.name, call.arguments, call.outcome) == ("now", {}, Outcome.RECOVERED)

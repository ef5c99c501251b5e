from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QLabel

from tests.kit.batches import case
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall
from workbench.ui.views.cases_reading import CaseReading, expectation_parts
from workbench.ui.widgets.paragraph import Paragraph


def _words(widgets) -> str:
    return "\n".join(one.text() if isinstance(one, QLabel) else one.text for one in widgets)


def test_an_expectation_in_words(theme, qtbot) -> None:
    calls = (
        ExpectedCall("a", {"x": ExpectedArgument((1, "1")), "y": ExpectedArgument((), optional=True)}, True),
        ExpectedCall("b"),
    )
    parts = expectation_parts(Expectation(calls, order="any", extra_calls=True, answer_contains=("sun",)))
    words = _words(parts)
    assert 'x = 1 or "1"' in words
    assert "y = anything  may be left out" in words
    assert "further arguments allowed" in words
    assert "in any order, further calls allowed" in words
    assert "The answer holds 'sun'" in words
    assert "A call that was lost is no refusal." in _words(expectation_parts(Expectation(no_call=True)))
    assert "enters no rate" in _words(expectation_parts(None))


def test_what_was_read_last_stays_dimmed_while_the_text_is_broken(theme, qtbot) -> None:
    reading = CaseReading()
    qtbot.addWidget(reading)
    reading.resize(320, 500)
    reading.show()
    reading.show_case(replace(case("weather"), tags=("one",), tool_choice="required"))
    texts = "".join(one.text for one in reading.findChildren(Paragraph))
    assert "How is the weather in Rome?" in texts
    assert "get_weather(city" in texts
    assert any("tool_choice required" in one.text() for one in reading.findChildren(QLabel))
    inside = reading.widget()
    assert inside is not None
    reading.show_case(None)
    assert reading.widget() is inside
    assert not inside.isEnabled()
    reading.forget()
    assert reading.widget() is not inside

from __future__ import annotations

import pytest

from workbench.ui.run.loop.approval_fields import MOST_LINES, ArgumentField, ResultField


def test_a_text_argument_stays_a_text(theme, qtbot) -> None:
    field = ArgumentField("path", "17")
    qtbot.addWidget(field)
    assert field.value() == ("17", "")
    field.setPlainText("[not json")
    assert field.value() == ("[not json", "")


@pytest.mark.parametrize(
    ("text", "value", "is_json"),
    [
        ("12", 12, True),
        ('{"a": [1]}', {"a": [1]}, True),
        ("12 °C", "12 °C", False),
        ("{a", "{a", False),
        ("", "", False),
    ],
)
def test_a_result_is_json_where_it_is_json(theme, qtbot, text: str, value: object, is_json: bool) -> None:
    field = ResultField()
    qtbot.addWidget(field)
    field.setPlainText(text)
    assert (field.value(), field.is_json) == (value, is_json)


def test_a_field_grows_to_its_limit(theme, qtbot) -> None:
    field = ResultField()
    qtbot.addWidget(field)
    field.show()
    heights = []
    for lines in (1, 3, MOST_LINES, 3 * MOST_LINES):
        field.setPlainText("\n".join("x" * lines))
        heights.append(field.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]

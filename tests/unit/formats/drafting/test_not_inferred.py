from __future__ import annotations

import pytest

from tests.kit.new_dialects import TOOLS
from workbench.formats.drafting.not_inferred import why_not


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["The weather is fine."], "No declared tool is named"),
        (['<<{"city": "Rome"} |> get_weather>>'], "stand before the tool's name"),
        (['<<get_weather("Rome", 3)>>'], "stand without their names"),
        (["<<get_weather>> for you"], "no argument of it follows"),
        (["CALL get_weather city=Rome"], "'CALL' is all there is"),
        (['<c id="1" n="get_weather">{"city": "Rome"}</c>', '<c id="2" n="get_weather">{"city": "Oslo"}</c>'], "differs from call"),
    ],
)  # fmt: skip
def test_the_sentence_names_what_could_not_be_inferred(texts: list[str], words: str) -> None:
    said, hint = why_not([(text, TOOLS) for text in texts])
    assert words in said
    assert hint.endswith((".", "md."))

from __future__ import annotations

from tests.kit.batches import target
from workbench.core.variations import with_variations
from workbench.ui.compare.variation_row import WAYS, VariationRow


def test_switches_add_their_ways(theme, qtbot) -> None:
    made = VariationRow()
    qtbot.addWidget(made)
    assert made.words == ()
    with qtbot.waitSignal(made.changed):
        made.switch("1 to 128 more tools").click()
    made.switch("shuffled tools").click()
    assert made.words == ("tools=shuffled", "distractors=1", "distractors=8", "distractors=32", "distractors=128")
    made.switch("boost's parts").click()
    assert made.parts.isChecked()
    made.clear()
    assert not made.parts.isChecked()
    made.offer_formats(["qwen_xml", "react"])
    made.switch("every format").click()
    assert made.words == ("format=qwen_xml", "format=react")


def test_every_way_is_one_that_there_is() -> None:
    for _, _, words in WAYS:
        for word in words:
            assert len(with_variations([target("m")], [word])) == 2

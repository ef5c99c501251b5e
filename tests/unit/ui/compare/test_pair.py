from __future__ import annotations

from pathlib import Path

from tests.kit.app import fast, with_workbench
from tests.kit.batches import case
from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.core.case import Suite
from workbench.ui.compare.controller import CompareController

RIGHT = "provider=Simulator,model=mistral-steady,format=native_openai"
WRONG = "provider=Simulator,model=gemma-tiny,format=gemma_function"
MIDDLE = "provider=Simulator,model=qwen-hasty,format=qwen_xml"


def test_default_pair_until_a_choice(theme, run_async, home: Path, leak_check) -> None:
    async def fill(wb: Workbench) -> None:
        targets = [fast(WRONG, rates={"*": 1}), fast(RIGHT, rates={"*": 0}), fast(MIDDLE, rates={"*": 0})]
        await (await wb.batches.start(Suite("small", (case("rome"),)), targets, repeats=3)).wait()

    with_workbench(home, fill)

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, CompareController)
            pairing = page.pairing
            await until(lambda: pairing.pair is not None and page.page.panel.targets.sentence.text)
            assert pairing.pair == (2, 1)
            pairing.on_target(1)
            assert pairing.pair == (2, 1)
            assert page.page.panel.tabs.current == "targets"
            pairing.on_target(0)
            assert pairing.pair == (1, 0)
            await pairing.show_scores()
            assert pairing.pair == (1, 0)
            pairing.choose(2, 2)
            assert pairing.pair == (1, 0)
            pairing.forget()
            await pairing.show_scores()
            assert pairing.pair == (2, 1)

    run_async(body())

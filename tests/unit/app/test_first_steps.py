from __future__ import annotations

from pathlib import Path

from tests.kit.app import draft, with_workbench
from workbench.app import Workbench
from workbench.app.first_steps import first_steps
from workbench.settings.values import ProviderConfig


def done(wb: Workbench) -> list[str]:
    return [step.id for step in first_steps(wb) if step.done]


def test_steps_are_done_as_records_and_settings_tell(home: Path) -> None:
    async def body(wb: Workbench) -> list[list[str]]:
        seen = [done(wb)]
        handle = await wb.runs.start(draft("provider=Simulator,model=mistral-flash,format=qwen_xml"))
        await handle.wait()
        seen.append(done(wb))
        wb.save(wb.saved_settings.with_provider(ProviderConfig("mine", base_url="http://127.0.0.1:9/v1")))
        (wb.home.suites / "my").mkdir(parents=True)
        (wb.home.suites / "my" / "case.yaml").write_text("title: x\n")
        seen.append(done(wb))
        return seen

    assert with_workbench(home, body) == [[], ["simulated"], ["simulated", "provider", "kept"]]

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.kit.app import with_workbench
from workbench.app import Workbench
from workbench.core.errors import InvalidInput, UnknownName
from workbench.settings.config import ModelConfig, ProviderConfig

QUICK = ModelConfig(extra={"simulate": {"tokens_per_second": 0}})


async def quick_provider(wb: Workbench, model: str) -> str:
    """The simulator under another name, with its pauses switched off for a model."""
    url = await wb.simulator.start()
    wb.use(ProviderConfig("Quick - 1", base_url=url, key="none", models={model: QUICK}))
    return "quick - 1"


def test_a_card_shows_no_key_of_the_address(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        url = await wb.simulator.start()
        keyed = url.replace("//", "//me:s3cretpassword@") + "?api_key=aBc1234567"
        wb.use(ProviderConfig("Keyed", base_url=keyed, key="none", models={"mistral-steady": QUICK}))
        card = await wb.probes.run("keyed", "mistral-steady", lambda _: None)
        assert "s3cretpassword" not in str(card)
        assert "aBc1234567" not in str(card)
        assert card.base_url.endswith("?api_key=**********")

    with_workbench(home, body)


def test_a_card_is_kept_without_secrets_and_found_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = "mistral-steady"
    monkeypatch.setenv("SOME_API_KEY", model[:12])

    async def body(wb: Workbench) -> None:
        name = await quick_provider(wb, model)
        assert (await wb.probes.cost(name, model)).requests == 10
        assert wb.probes.load(name, model) is None
        seen: list[str] = []
        card = await wb.probes.run(name, model, lambda ability: seen.append(ability.id))
        await wb.probes.keep(card)
        assert len(seen) == len(card.abilities) == 10
        (path,) = (home / "capabilities").iterdir()
        assert model[:12].encode() not in path.read_bytes()
        assert model[:12] not in path.name
        kept = wb.probes.load(name.upper(), model)
        assert kept is not None
        assert kept.probed_us == card.probed_us
        assert [item.probed_us for item in wb.probes.cards()] == [card.probed_us]
        path.write_bytes(b"{")
        with pytest.raises(InvalidInput, match="no capability card"):
            wb.probes.load(name, model)
        assert wb.probes.cards() == ()

    with_workbench(home, body)


def test_without_an_answer_or_after_a_cancel_nothing_is_kept(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        card = await wb.probes.run("simulator", "nobody")
        await wb.probes.keep(card)
        assert card.abilities[0].answer == "failed"
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(wb.probes.run("simulator", "mistral-slow"), 0.2)
        assert not (home / "capabilities").exists()
        with pytest.raises(UnknownName):
            await wb.probes.run("nowhere", "m")

    with_workbench(home, body)

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from workbench.cli.gateway_hold import HoldLines, read_points
from workbench.core.errors import InvalidInput
from workbench.core.events import ClientRequest
from workbench.gateway.breakpoints import Breakpoint, HoldDesk, Part, Ruling, When
from workbench.gateway.conversations import ExchangeSeen

SEEN = ExchangeSeen("", ClientRequest("openai_chat", "m", conversation="a", client="curl 8"), "P/m", "Weather?", 0.0)


def held(desk: HoldDesk):
    point = Breakpoint(Part.REQUEST)
    return desk.hold(Part.REQUEST, SEEN, point, '{"a": 1}', lambda *_: None, blank_reply="{}", notes=["m → P/m"])


def test_options_become_breakpoints() -> None:
    assert read_points(["request", "reply"], "call", 5.0) == [
        Breakpoint(Part.REQUEST, When.CALL, seconds=5.0), Breakpoint(Part.REPLY, When.CALL, seconds=5.0),
    ]  # fmt: skip


@pytest.mark.parametrize(("parts", "when", "said"), [(["all"], "always", "--hold 'all'"), ([], "never", "--hold-when")])
def test_unknown_options_are_named(parts: list[str], when: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_points(parts, when, 5.0)


def test_what_is_held_is_told_once_and_that_it_went(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        desk = HoldDesk()
        lines = HoldLines(desk, json=True)
        desk.watch(lines.tell)
        one = held(desk)
        lines.tell()
        desk.let_go(one)

    asyncio.run(main())
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in told] == ["held", "let_go"]
    assert (told[0]["document"], told[0]["client"], told[0]["notes"]) == ({"a": 1}, "curl 8", ["m → P/m"])


def test_lines_decide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "an edit.json"
    file.write_text('{"a": 2}', encoding="utf-8")

    async def decided(line: str) -> tuple[Ruling, str | None]:
        desk = HoldDesk()
        one = held(desk)
        HoldLines(desk, json=False).take(line)
        decision = await one.decision(60)
        assert decision is not None
        return decision.ruling, decision.document

    async def main() -> None:
        assert await decided("release 1\n") == (Ruling.RELEASE, None)
        assert await decided(f"release 1 {file}\n") == (Ruling.RELEASE, '{"a": 2}')
        assert await decided(f"answer 1 {file}") == (Ruling.ANSWER, '{"a": 2}')
        assert await decided("refuse 1") == (Ruling.REFUSE, None)
        assert await decided("release all") == (Ruling.RELEASE, None)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "is no command"),
        ("release x", "is no number"),
        ("release 7", "Nothing with the number 7"),
        ("answer 1", "is no command"),
        ("release 1 /nowhere/x", "cannot be read"),
        ("show 9", "Nothing with the number 9"),
    ],
)
def test_a_line_that_cannot_be_carried_out_is_told(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        desk = HoldDesk()
        one = held(desk)
        HoldLines(desk, json=False).take(line)
        assert await one.decision(0.01) is None

    asyncio.run(main())
    assert said in capsys.readouterr().err


def test_the_held_document_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        desk = HoldDesk()
        held(desk)
        HoldLines(desk, json=False).take("show 1")

    asyncio.run(main())
    assert '{"a": 1}' in capsys.readouterr().out
